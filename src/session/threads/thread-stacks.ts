/** The stacks of all threads at once, and which of them are the same. */
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import type { Frame } from "../stack/frames.ts";
import { readThreads, type ThreadRow } from "./threads.ts";

export interface ThreadStack {
  thread: ThreadRow;
  frames: Frame[];
  /** How many there are, also those that were not read. */
  total: number;
  /** The debugger's words, if it does not show this stack. */
  refused?: string;
}

export interface Stacks {
  stacks: ThreadStack[];
  /** Threads beyond the limit. */
  more: number;
}

/** A program may have tens of thousands of goroutines. */
const MOST_THREADS = 256;
const LEVELS = 60;

/**
 * Of all debuggees; those that run are asked too, because some debuggers know the stacks of threads that cannot be stopped
 * (debugpy: those that wait outside Python).
 */
export async function readStacks(session: Session): Promise<Stacks> {
  const stacks: ThreadStack[] = [];
  let more = 0;
  for (const debuggee of session.live) {
    if (!debuggee.stop) session.forget(debuggee); // what was read while it ran is old by now
    for (const thread of await readThreads(session, debuggee)) {
      if (stacks.length >= MOST_THREADS) more++;
      else stacks.push(await readStack(session, debuggee, thread));
    }
  }
  return { stacks, more };
}

async function readStack(session: Session, debuggee: Debuggee, thread: ThreadRow): Promise<ThreadStack> {
  const named = debuggee.parent ? { ...thread, name: debuggee.label } : thread;
  try {
    const { frames, total } = await session.frames.get(debuggee, thread.threadId, LEVELS);
    return { thread: named, frames, total };
  } catch (error) {
    // One thread that cannot be shown (it has just ended, it runs) does not cost the others.
    return {
      thread: named,
      frames: [],
      total: 0,
      refused: error instanceof Error ? error.message : String(error),
    };
  }
}

/** The same for two stacks that a reader could not tell apart. */
export function stackKey(frames: readonly Frame[]): string {
  return frames.map(({ name, path, line }) => `${name}\0${path ?? ""}\0${line}`).join("\n");
}

/** Where a thread is, for a reader: the first frame of the user's own code, or the top one. */
export function shownFrame(frames: readonly Frame[]): Frame | undefined {
  return frames.find((frame) => frame.user) ?? frames.find((frame) => !frame.label);
}

/** Threads that are at the same place by the same way, those in the user's code first, then the largest groups. */
export function groupStacks<T extends ThreadStack>(
  stacks: readonly T[],
  also: (one: T) => string = () => "",
): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of stacks) {
    const key = `${stackKey(one.frames)}\n${one.refused ?? ""}\n${also(one)}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  const own = ([first]: T[]) => (first?.frames.some((frame) => frame.user) ? 0 : 1);
  return [...groups.values()].sort((a, b) => own(a) - own(b) || b.length - a.length);
}
