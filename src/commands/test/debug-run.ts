/** One run under the debugger: what it is to stop at, and what came of it. */
import type { Told } from "../../advice/advice.ts";
import { withoutColours } from "../../runners/colours.ts";
import type { Failure, Place, Rules, Single } from "../../runners/runner.ts";
import type { Session } from "../../session/session.ts";
import type { Snapshot } from "../../session/stack/snapshot.ts";
import type { Ending } from "../../session/state.ts";
import type { Running } from "../runs/running.ts";
import type { Shot } from "./shape.ts";

const LAST_LINES = 15;

export interface DebugRun {
  running: Running;
  env: Record<string, string>;
  timeoutMs: number;
  rules: Rules;
  single: Single;
  /** The one to stop at; without it the first that shows itself. */
  failure: Failure | undefined;
  /** Nothing but that: what is thrown and caught on the way is no guess at it. */
  exact?: boolean;
  /** Which exception, where nobody reported one. */
  accepts?: (look: Pick<Snapshot, "exception">) => boolean;
  /** Rather than where anything is thrown: where this line ran last before the end. */
  at?: Place;
}

export interface Debugged {
  shot?: Shot;
  ending?: Ending;
  /** The end of what it printed, where there is no stop, and all that was kept of it. */
  output: string[];
  printed?: string;
  /** All that it printed to its standard output, where none of that was dropped. */
  stdout?: string;
  notes: Told[];
  /** The failure was taken within the user's code, and the test went on. */
  goesOn?: true;
}

export function printedBy(session: Session): string {
  const { events } = session.output.read();
  return withoutColours(events.map((event) => event.text).join(""));
}

export function stdoutOf(session: Session): string | undefined {
  const { events, dropped } = session.output.read();
  if (dropped.events > 0 || dropped.bytes > 0) return undefined;
  const own = events.filter(({ category }) => category === "stdout");
  return withoutColours(own.map(({ text }) => text).join(""));
}

export function lastLines(session: Session): string[] {
  const text = printedBy(session).trimEnd();
  return text === "" ? [] : text.split("\n").slice(-LAST_LINES);
}
