/** What `perf script` prints, read line by line. Pure. */

export interface PerfFrame {
  /** In the file, as perf says it. */
  offset: number;
  symbol: string;
  /** The file that the code is of; `[kernel.kallsyms]` and such for the kernel. */
  file: string;
}

export interface PerfSample {
  command: string;
  pid: number;
  event: string;
  period: number;
  /** The innermost first. */
  frames: PerfFrame[];
}

/** The fields that are asked for, in the order in which they come. */
export const FIELDS = "comm,pid,tid,time,event,period,ip,sym,symoff,dso";

const HEAD = /^(.*\S)\s+(\d+)\/(\d+)\s+[\d.]+:\s+(\d+)\s+(\S+?):?\s*$/;
const FRAME = /^\s+([0-9a-f]+) (.*) \((.*)\)$/;

export class ScriptReader {
  readonly #take: (sample: PerfSample) => void;
  #sample: PerfSample | undefined;
  #unread = "";

  constructor(take: (sample: PerfSample) => void) {
    this.#take = take;
  }

  push(text: string): void {
    const lines = `${this.#unread}${text}`.split("\n");
    this.#unread = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  end(): void {
    this.#line(this.#unread);
    this.#line("");
    this.#unread = "";
  }

  #line(line: string): void {
    if (line.trim() === "") {
      if (this.#sample) this.#take(this.#sample);
      this.#sample = undefined;
      return;
    }
    const frame = this.#sample && FRAME.exec(line);
    if (this.#sample && frame) {
      const [, offset = "0", symbol = "", file = ""] = frame;
      this.#sample.frames.push({
        offset: Number.parseInt(offset, 16),
        symbol: symbol.replace(/\+0x[0-9a-f]+$/, ""),
        file,
      });
      return;
    }
    const [, command, pid, , period, event] = HEAD.exec(line) ?? [];
    if (command === undefined || event === undefined) return;
    if (this.#sample) this.#take(this.#sample);
    this.#sample = { command, pid: Number(pid), event, period: Number(period), frames: [] };
  }
}
