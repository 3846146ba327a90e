/** The processes that others have started, by /proc: nothing is known where there is none. */
import { processIds, statOf } from "../../util/process-facts.ts";

export interface Known {
  pid: number;
  /** When it began: a number is used again, but not by one that began at the same time. */
  born: string;
}

/** Children, their children and so on, of those that still have their parents. */
export function descendantsOf(roots: readonly number[]): Known[] {
  const children = new Map<number, Known[]>();
  for (const pid of processIds()) {
    const stat = statOf(pid);
    if (stat) children.set(stat.parent, [...(children.get(stat.parent) ?? []), { pid, born: stat.born }]);
  }
  const found: Known[] = [];
  const queue = [...roots];
  for (let parent = queue.pop(); parent !== undefined; parent = queue.pop())
    for (const child of children.get(parent)?.splice(0) ?? []) {
      found.push(child);
      queue.push(child.pid);
    }
  return found;
}

/** Nothing if it is gone, or there is no /proc. */
export function knownBy(pid: number): Known | undefined {
  const stat = statOf(pid);
  return stat && { pid, born: stat.born };
}

/** It is the same process and has not ended. */
export function lives({ pid, born }: Known): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.born === born && !/[ZX]/.test(stat.state);
}
