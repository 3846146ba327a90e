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

  constructor(pid: number) {
    this.pid = pid;
    try {
      this.#file = openSync(`/proc/${pid}/status`, "r");
    } catch {
      // See hasDied.
    }
  }

  hasDied(): boolean {
    // Not opened: it is gone, or we have no room for another file.
    if (this.#file === undefined && existsSync(`/proc/${this.pid}`)) return false;
    try {
      const length = this.#file === undefined ? 0 : readSync(this.#file, status, 0, status.length, 0);
      if (length > 0) return !isRunning(status.toString("latin1", 0, length)) && !othersLive(this.pid);
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

/** Lines of numbers; the groups of a user may be many. */
const status = Buffer.alloc(16_384);

/** Memory is the first thing that a process gives up when it ends; one that is killed has SIGKILL before it. */
function isRunning(text: string): boolean {
  return /^VmSize:/m.test(text) && !/^SigPnd:\s*[0-9a-f]+[13579bdf][0-9a-f]{2}$/m.test(text);
}

/** The main thread can leave a program to its other threads. */
function othersLive(pid: number): boolean {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).some((thread) => {
    try {
      return thread !== String(pid) && isRunning(readFileSync(`${folder}/${thread}/status`, "latin1"));
    } catch {
      return false; // it has ended
    }
  });
}
