/** What gdb says on its console. The adapter leaves much of it out of its events, so it is read here. */
import { type Exit, killedBy, signalNumber } from "../native/signals.ts";

/** Enough for what stands before a stop. */
const KEPT = 8192;

export class Chatter {
  #text = "";

  add(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT);
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

/** `[Inferior 1 (process 7) exited with code 07]`: octal. */
export function endIn(text: string): Exit | undefined {
  const code = /\[Inferior \d+ \(.*?\) exited (?:normally|with code ([0-7]+))\]/.exec(text);
  if (code) return { exitCode: Number.parseInt(code[1] ?? "0", 8) };
  const signal = /terminated with signal (SIG\w+)/.exec(text)?.[1];
  return signal === undefined ? undefined : killedBy(signalNumber(signal) ?? 0);
}

export interface Hit {
  kind: "breakpoint" | "data breakpoint" | "entry";
  id: number;
}

/** `Thread 2 "a" hit Breakpoint 3, work (…)`; `Hardware watchpoint 2: total`. */
export function hitIn(text: string): Hit | undefined {
  const [, temporary, id] = /(Temporary b|B)reakpoint (\d+), /.exec(text) ?? [];
  if (id !== undefined) return { kind: temporary === "B" ? "breakpoint" : "entry", id: Number(id) };
  const watch = /atchpoint (\d+)(?:: | deleted because)/.exec(text)?.[1];
  return watch === undefined ? undefined : { kind: "data breakpoint", id: Number(watch) };
}

/** `Program received signal SIGSEGV, Segmentation fault.` */
export function signalIn(text: string): { name: string; meaning: string } | undefined {
  const [, name, meaning] = /received signal (\w+), (.+)\.$/m.exec(text) ?? [];
  return name === undefined || meaning === undefined ? undefined : { name, meaning };
}
