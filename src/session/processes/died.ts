/** Whether a process is gone, or is a zombie that only waits for its parent to notice. Without /proc nothing is known. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { statOf } from "../../util/process-facts.ts";

/** …and is not a child of ours: the end of a child is reported to us anyway. */
export function isOver(pid: number): boolean {
  return hasDied(pid) && statOf(pid)?.parent !== process.pid;
}

/** Halted by a signal (SIGSTOP and the like). A process that a debugger has stopped is in another state. */
export function isHalted(pid: number): boolean {
  return statOf(pid)?.state === "T";
}

export function hasDied(pid: number): boolean {
  const pulse = new Pulse(pid);
  const died = pulse.hasDied();
  pulse.close();
  return died;
}

/** The same for one process that is asked about at every command: its file in /proc is opened only once. */
export class Pulse {
  readonly pid: number;
  #file: number | undefined;
  /** Its size in memory, which is told in a fifth of the time. */
  #size: number | undefined;

  constructor(pid: number) {
    this.pid = pid;
    try {
      this.#file = openSync(`/proc/${pid}/stat`, "r");
      this.#size = openSync(`/proc/${pid}/statm`, "r");
    } catch {
      // See hasDied.
    }
  }

  hasDied(): boolean {
    if (this.#hasMemory()) return false;
    // Not opened: it is gone, or we have no room for another file.
    if (this.#file === undefined && existsSync(`/proc/${this.pid}`)) return false;
    try {
      const length = this.#file === undefined ? 0 : readSync(this.#file, stat, 0, stat.length, 0);
      // The main thread can leave a program to its other threads.
      if (length > 0) return isOverIn(stat.subarray(0, length)) && !othersLive(this.pid);
    } catch {
      // Its parent has noticed.
    }
    return existsSync("/proc/self/stat");
  }

  /** The first thing that a process gives up when it ends. */
  #hasMemory(): boolean {
    if (this.#size === undefined) return false;
    try {
      return readSync(this.#size, stat, 0, stat.length, 0) > 0 && stat[0] !== ZERO;
    } catch {
      return false; // it is gone
    }
  }

  close(): void {
    for (const file of [this.#file, this.#size]) if (file !== undefined) closeSync(file);
    this.#file = this.#size = undefined;
  }
}

const ZERO = "0".charCodeAt(0);

/** A line of numbers and one short name. */
const stat = Buffer.alloc(1024);

/** The state follows the name, which is in parentheses and may hold any character. */
function isOverIn(text: Buffer): boolean {
  return "ZX".includes(String.fromCharCode(text[text.lastIndexOf(")") + 2] ?? 0));
}

function othersLive(pid: number): boolean {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).some((thread) => {
    try {
      return thread !== String(pid) && !isOverIn(readFileSync(`${folder}/${thread}/stat`));
    } catch {
      return false; // it has ended
    }
  });
}
