/** To a line that failed without throwing anything: an error that was handed over, or a check that only prints. */
import type { Failure, Single } from "../../runners/runner.ts";
import { awaitStop, resume } from "../../session/running/running.ts";
import type { Session } from "../../session/session.ts";
import type { Context } from "../context.ts";
import { type Debugged, type DebugRun, lastLines, printedBy } from "./debug-run.ts";
import type { Shot } from "./shape.ts";
import { lookAt, takeShot } from "./shot.ts";

/** Each is read whole. */
const MOST_VISITS = 100;

/** Of several visits, the last before the failure was printed; where that cannot be seen, the last of all. */
export async function toVisit(
  context: Context,
  session: Session,
  { rules, timeoutMs, failure, single }: DebugRun,
  signal: AbortSignal,
): Promise<Debugged> {
  const until = performance.now() + timeoutMs;
  const report = failure?.printed;
  const isPrinted = () => report !== undefined && printedBy(session).includes(report);
  let shot: Shot | undefined;
  for (let visits = 0; visits <= MOST_VISITS; visits++) {
    const leftMs = Math.max(0, until - performance.now());
    const outcome = await awaitStop(session, { timeoutMs: leftMs, signal });
    if (outcome.kind === "ended") {
      const notes = [noteOf(failure, single, visits)];
      return { ending: outcome.ending, output: lastLines(session), notes, ...(shot ? { shot } : {}) };
    }
    if (outcome.kind === "running") break;
    const look = await lookAt(context, session, rules);
    if (shot !== undefined && isPrinted()) return { shot, output: [], notes: [noteOf(failure, single, 1)] };
    if (look.frames.length > 0) shot = await takeShot(context, session, look, rules);
    await resume(session);
  }
  return { output: [], notes: [] };
}

function noteOf(failure: Failure | undefined, single: Single, visits: number): string {
  if (!failure?.silent) {
    const which = visits > 1 ? "the last time that" : "when";
    return `the error was passed on as a value, not thrown; this is ${which} the line that created it ran`;
  }
  if (visits === 0) return "the check threw nothing, and its line did not run under the debugger";
  const isIt = visits === 1 || single.endsAtFailure;
  return isIt
    ? "the check threw nothing: this is its line, before it ran"
    : `the check threw nothing: this is the last of ${visits} times that its line ran, and which of them failed is not known`;
}
