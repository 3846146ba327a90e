/** Source that was changed after the program that runs was made of it: its lines are no longer the program's. */
import { statSync } from "node:fs";
import { again } from "../again.ts";
import type { Session } from "../session.ts";
import { changedSince } from "./source.ts";

interface Made {
  time: number;
  /** By a compiler, so that a new start alone does not run the new text. */
  built: boolean;
}

/** When the text that runs was read: by the compiler, or else by the program as it started. */
export function madeAt(session: Session): Made {
  const { adapter, main, opening } = session;
  const running = main?.pid === undefined ? undefined : `/proc/${main.pid}/exe`;
  for (const path of [running, opening.plan.program])
    if (path !== undefined && adapter.executables?.(path)) {
      const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (time !== undefined) return { time, built: true };
    }
  return { time: session.launch.startedAt, built: false };
}

export function staleNote(session: Session, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const { time, built } = madeAt(session);
  if (!changedSince(path, time)) return undefined;
  return built
    ? `this file changed after the program was built: line numbers may be off (rebuild it; ${again(session, "then runs it")})`
    : `this file changed after the program started: line numbers may be off (${again(session, "runs the new code")})`;
}
