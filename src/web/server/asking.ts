/** Questions of the page's server itself: only reading, and no answer is no reason to fail. */
import type { Daemon } from "./daemon.ts";

export type Row = Record<string, unknown>;

/** The data of the answer; undefined if it is an error, or there is no daemon. */
export type Ask = (command: string, args?: Row, session?: string) => Promise<Row | undefined>;

export function asking(daemon: Daemon, cwd: string): Ask {
  return async (command, args = {}, session) => {
    const answer = await daemon.ask({ command, args, session, cwd, readOnly: true });
    return answer?.ok ? (answer.data as Row) : undefined;
  };
}

export function rowsIn(data: Row | undefined, key: string): Row[] {
  const rows = data?.[key];
  return Array.isArray(rows) ? (rows as Row[]) : [];
}
