/** Work that somebody else's pattern may make endless: it is cut off, where a plain call would hold up the whole process. */
import { createContext, Script } from "node:vm";

const room = createContext({ work: undefined });
const script = new Script("work()");

/** Undefined when the time was up. Only for work that waits for nothing. */
export function withinTime<T>(ms: number, work: () => T): { value: T } | undefined {
  const before = room.work;
  room.work = work;
  try {
    return { value: script.runInContext(room, { timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  } finally {
    room.work = before;
  }
}
