/** Threads of one debuggee, with our numbers. */
import { SondeError } from "../errors.ts";
import type { Debuggee } from "./debuggee.ts";
import type { Session } from "./session.ts";

export interface ThreadRow {
  /** Our number: what users see and type. */
  number: number;
  threadId: number;
  name: string;
  debuggee: Debuggee;
}

export async function readThreads(session: Session, debuggee: Debuggee): Promise<ThreadRow[]> {
  const { threads } = await debuggee.client.request("threads", undefined);
  return threads.map((thread) => ({
    number: session.focus.threadNumber(debuggee, thread.id),
    threadId: thread.id,
    name: thread.name,
    debuggee,
  }));
}

export function threadNumbered(session: Session, number: number): { debuggee: Debuggee; threadId: number } {
  const found = session.focus.byThreadNumber(number);
  if (found) return found;
  throw new SondeError("BAD_ARGUMENT", `no thread ${number}`, { hint: "`sonde threads` numbers them" });
}
