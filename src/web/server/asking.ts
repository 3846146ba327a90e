/** Questions of the page's server itself: only reading. */
import { asSondeError } from "../../errors.ts";
import type { Daemon } from "./daemon.ts";

export type Row = Record<string, unknown>;

/** The data of the answer; undefined if it is an error, or there is no daemon. Throws `Unanswered`. */
export type Ask = (command: string, args?: Row, session?: string) => Promise<Row | undefined>;

/** A daemon is there and does not answer: nothing is known, also not that something is gone. */
export class Unanswered extends Error {}

export function asking(daemon: Daemon, cwd: string): Ask {
  return async (command, args = {}, session) => {
    const answer = await daemon
      .reach({ command, args, session, cwd, readOnly: true })
      .catch((thrown: unknown) => {
        throw new Unanswered(asSondeError(thrown).message);
      });
    return answer?.ok ? (answer.data as Row) : undefined;
  };
}

export function rowsIn(data: Row | undefined, key: string): Row[] {
  const rows = data?.[key];
  return Array.isArray(rows) ? (rows as Row[]) : [];
}
