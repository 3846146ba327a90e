/** Threads of one debuggee, with our numbers. */
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";

export interface ThreadRow {
  /** Our number: what users see and type. */
  number: number;
  threadId: number;
  name: string;
  debuggee: Debuggee;
}

export async function readThreads(session: Session, debuggee: Debuggee): Promise<ThreadRow[]> {
  const { threads } = await debuggee.client.request("threads", undefined);
  debuggee.threadNames = new Map(threads.map(({ id, name }) => [id, name]));
  return threads.map((thread) => ({
    number: session.focus.threadNumber(debuggee, thread.id),
    threadId: thread.id,
    name: thread.name,
    debuggee,
  }));
}

/** Asked for once a thread: names hardly ever change, and a question at every stop would cost each step a round trip. */
export async function threadName(session: Session, debuggee: Debuggee, threadId: number): Promise<string> {
  if (!debuggee.threadNames.has(threadId)) await readThreads(session, debuggee).catch(() => []);
  return debuggee.threadNames.get(threadId) ?? debuggee.label;
}

export function threadNumbered(session: Session, number: number): { debuggee: Debuggee; threadId: number } {
  return session.focus.numbered(number);
}
