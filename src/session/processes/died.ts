/** Whether a process is no more, or only waits for its parent to notice. Where there is no /proc nothing is known. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { statOf } from "../../util/process-facts.ts";

/** …and no child of ours, whose end we are about to be told of. */
export function isOver(pid: number): boolean {
  return hasDied(pid) && statOf(pid)?.parent !== process.pid;
}

/** By a signal that halts (SIGSTOP and the like): where a debugger holds it, it is in another state. */
export function isHalted(pid: number): boolean {
  return statOf(pid)?.state === "T";
}

export function hasDied(pid: number): boolean {
  const pulse = new Pulse(pid);
  const died = pulse.hasDied();
  pulse.close();
  return died;
}

/** The same for one process that is asked about at every command: what it takes to find it is done once. */
export class Pulse {
  readonly pid: number;
  #file: number | undefined;

  constructor(pid: number) {
    this.pid = pid;
    try {
      this.#file = openSync(`/proc/${pid}/stat`, "r");
    } catch {
      // See hasDied.
    }
  }

  hasDied(): boolean {
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

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

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
