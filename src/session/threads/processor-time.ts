/**
 * How much a process has run so far, and how long it has waited for its turn: on a busy machine a loop runs little, but wants to
 * all the time. Where there is no /proc nothing is known.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessorTime {
  ranMs: number;
  /** Ready to run, while others did. */
  queuedMs: number;
}

export function processorTime(pid: number | undefined): ProcessorTime | undefined {
  if (pid === undefined) return undefined;
  try {
    const total = { ranMs: 0, queuedMs: 0 };
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran = 0, queued = 0] = readThread(pid, thread);
      total.ranMs += ran / 1e6;
      total.queuedMs += queued / 1e6;
    }
    return total;
  } catch {
    return undefined;
  }
}

/** In nanoseconds. */
function readThread(pid: number, thread: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ").map(Number);
  } catch {
    return []; // it has just ended
  }
}
