/** Who waits for whom, and whether that comes round. Pure. */
import type { PendingTask } from "../../adapters/thread-waits.ts";

export interface WaitingThread {
  number: number;
  name: string;
  /** After "waits": `for a mutex`. Nothing is known of a thread without it. */
  what?: string;
  /** What the program calls the thing. */
  on?: string;
  /** The same for the same thing. */
  identity?: string;
  /** Threads that have it, by number. */
  heldBy: number[];
  /** What is left to do in the event loop it waits in. */
  tasks?: PendingTask[];
}

/** Threads each of which waits for what the next one has, and the last for what the first has. */
export function waitCycle(threads: readonly WaitingThread[]): WaitingThread[] | undefined {
  const byNumber = new Map(threads.map((one) => [one.number, one]));
  const done = new Set<number>();
  const visit = (thread: WaitingThread, path: WaitingThread[]): WaitingThread[] | undefined => {
    const at = path.indexOf(thread);
    if (at >= 0) return path.slice(at);
    if (done.has(thread.number)) return undefined;
    for (const number of thread.heldBy) {
      const next = byNumber.get(number);
      const found = next && visit(next, [...path, thread]);
      if (found) return found;
    }
    done.add(thread.number);
    return undefined;
  };
  for (const thread of threads) {
    const found = visit(thread, []);
    if (found) return found;
  }
  return undefined;
}
