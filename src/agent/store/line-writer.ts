/** Lines for the end of a file, whole ones only: what could not be written whole is taken back and tried again. */
import { closeSync, ftruncateSync, writeSync } from "node:fs";

/** Written at once when so much waits, so that a busy turn of the event loop holds no more than this. */
const MOST_WAITING = 1 << 20;
/** While the disk is full, lines wait up to here; then the oldest of them are given up, and counted. */
const MOST_UNWRITTEN = 16 << 20;

/** One listener for all: a process may have many sessions. */
const open = new Set<LineWriter>();
const flushAll = () => {
  for (const writer of open) writer.flush();
};

export class LineWriter {
  readonly #file: number;
  #size: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #closed = false;
  #lost = 0;

  /** `file`: open for writing at its end, `size` bytes long. */
  constructor(file: number, size: number) {
    this.#file = file;
    this.#size = size;
    if (open.size === 0) process.on("exit", flushAll);
    open.add(this);
  }

  /** With the lines that wait. */
  get size(): number {
    return this.#size + this.#waitingBytes;
  }

  /** How many lines were given up because the disk was full; told once, when there is room again. */
  takeLost(): number {
    const lost = this.#waiting.length === 0 ? this.#lost : 0;
    this.#lost -= lost;
    return lost;
  }

  add(line: string): void {
    if (this.#closed) return;
    this.#waiting.push(line);
    this.#waitingBytes += line.length + 1;
    if (this.#waitingBytes > MOST_WAITING) this.flush();
    else this.#scheduled ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#waiting.length === 0 || this.#closed) return;
    const bytes = Buffer.from(`${this.#waiting.join("\n")}\n`);
    if (this.#writeWhole(bytes)) {
      this.#size += bytes.length;
      this.#waiting = [];
      this.#waitingBytes = 0;
    } else this.#giveUpOldest();
  }

  #writeWhole(bytes: Buffer): boolean {
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.#file, bytes, done, bytes.length - done, null);
      return true;
    } catch {
      // No room, most of the time. The next flush tries again; an agent must not fail because it is watched.
      if (done > 0) ftruncateSync(this.#file, this.#size);
      return false;
    }
  }

  #giveUpOldest(): void {
    while (this.#waitingBytes > MOST_UNWRITTEN) {
      const line = this.#waiting.shift();
      if (line === undefined) return;
      this.#waitingBytes -= line.length + 1;
      this.#lost += 1;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    open.delete(this);
    if (open.size === 0) process.off("exit", flushAll);
    closeSync(this.#file);
  }
}
