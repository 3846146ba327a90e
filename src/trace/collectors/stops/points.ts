/** Breakpoints at the points; at each stop the expressions are evaluated and the stack is read. */
import { SondeError } from "../../../errors.ts";
import { type Breakpoint, binding } from "../../../session/breakpoints/breakpoint.ts";
import type { Debuggee } from "../../../session/debuggee.ts";
import { awaitStop, resume } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import type { Session } from "../../../session/session.ts";
import type { Frame } from "../../../session/stack/frames.ts";
import { threadName } from "../../../session/threads/threads.ts";
import { evaluate } from "../../../session/values/evaluate.ts";
import type { Sink } from "../../collector.ts";
import { type GoGuide, isTold } from "../../go/guide.ts";
import { goGuideOf, isMoved, notMoved } from "../../go/session-guide.ts";
import { guideOfLaunch } from "../../native/launch-guide.ts";
import { StopFilter } from "../../native/stop-filter.ts";
import { type Plan, UNAVAILABLE } from "../../plan.ts";
import type { Binding, RunEnd, TraceFrame } from "../../record.ts";
import { type DebugRun, feed, followed, opened } from "./program.ts";

export async function collectPoints(plan: Plan, run: DebugRun): Promise<RunEnd> {
  const { session, sink, signal } = run;
  const breakpoints = plan.points.map(({ key, path, line, condition }) =>
    session.breakpoints.declare({
      kind: "line",
      asked: key,
      path,
      line,
      ...(condition === undefined ? {} : { condition }),
    }),
  );
  const guide = guideOfLaunch(plan, run.launch);
  const filter = guide && new StopFilter(guide);
  for (const [point, { binding: found }] of (guide?.points ?? []).entries())
    if (found?.state === "unbound") sink.bind(point, found);
  for (const note of guide?.notes ?? []) sink.note(note);
  if (signal.aborted) return { how: "stopped" };
  return followed(run, async () => {
    await opened(run);
    feed(session, run.stdin);
    const trust = goGuideOf(plan, session, sink);
    let outcome = await awaitStop(session, { signal });
    const strict = (found: Binding, { line = 0 }: Breakpoint) => (trust ? notMoved(found, line) : found);
    // A stop may be waiting already when the run is ended.
    while (outcome.kind === "stopped" && !signal.aborted) {
      await look(outcome, { plan, session, sink, breakpoints, filter, trust });
      await resume(session);
      outcome = await awaitStop(session, { signal });
    }
    for (const [point, one] of breakpoints.entries())
      sink.bind(
        point,
        guide?.points[point]?.binding ??
          trust?.points[point]?.binding ??
          because(strict(bindingOf(one), one), guide?.points[point]?.unknown),
      );
    return outcome;
  });
}

/** Where the program's own debug information says why. */
function because(found: Binding, why: string | undefined): Binding {
  return found.state !== "unbound" || why === undefined ? found : { ...found, reason: why };
}

interface Looking {
  plan: Plan;
  session: Session;
  sink: Sink;
  breakpoints: readonly Breakpoint[];
  /** Of native programs. */
  filter?: StopFilter | undefined;
  /** Of Go programs. */
  trust?: GoGuide | undefined;
}

export async function look(outcome: Outcome & { kind: "stopped" }, looking: Looking): Promise<void> {
  const { plan, session, sink, breakpoints, filter, trust } = looking;
  session.stops.markSeen(outcome.debuggee);
  session.focus.selectFrame(0); // also where the point is in a library
  const { debuggee, stop, threadId, stack } = await session.focus.place(Math.max(1, plan.frames));
  const [top] = stack.frames;
  const hits =
    stop.hits.length > 0 || top?.path === undefined
      ? stop.hits
      : session.breakpoints.hitAt(debuggee, top.path, top.line);
  if (stop.reason === "exception")
    sink.note(`the debugger stopped at ${stop.text ?? stop.description ?? "an exception"}`);
  const thread = await threadName(session, debuggee, threadId);
  const spot = filter?.spot(top?.instructionPointer, debuggee.pid);
  for (const { id } of hits) {
    const point = breakpoints.findIndex((one) => one.id === id);
    const asked = plan.points[point];
    if (asked === undefined || (spot && !filter?.isHit(point, spot))) continue;
    // A hit is one at which the condition holds.
    if (stop.failedConditions?.includes(adapterIdOf(breakpoints[point], debuggee))) continue;
    if (trust && (!isTold(trust.points[point]) || isMoved(bindingOf(breakpoints[point]), asked.line)))
      continue;
    const values: string[] = [];
    for (const expression of asked.expressions)
      if (spot && !filter?.agrees(point, asked, spot, expression)) values.push(UNAVAILABLE);
      else if (trust?.points[point]?.trusts(expression) === false) values.push(UNAVAILABLE);
      else values.push(await valueAt(session, expression, plan.valueChars));
    const frames = stack.frames
      .filter((frame) => !frame.label)
      .slice(0, plan.frames)
      .map(toTraceFrame);
    sink.hit({ kind: "point", point, thread, values, frames });
  }
}

function adapterIdOf(breakpoint: Breakpoint | undefined, { id }: Debuggee): number {
  return breakpoint?.bindings.get(id)?.adapterId ?? Number.NaN;
}

async function valueAt(session: Session, expression: string, chars: number): Promise<string> {
  try {
    const { value } = await evaluate(session, expression, { context: "watch", chars });
    return isUnreadable(value) ? UNAVAILABLE : value;
  } catch (error) {
    if (error instanceof SondeError && error.code === "EVAL_FAILED") return UNAVAILABLE;
    throw error;
  }
}

const UNREADABLE = /^(\(unreadable .*\)?|.*\bSummary Unavailable\b.*|<error: .*>)$/s;

/** What debuggers say in place of a value that they cannot read. */
export function isUnreadable(value: string): boolean {
  return UNREADABLE.test(value);
}

export function toTraceFrame({ name, path, line }: Frame): TraceFrame {
  return { function: name, line, ...(path === undefined ? {} : { path }) };
}

export function bindingOf(breakpoint: Breakpoint | undefined): Binding {
  const found = breakpoint && binding(breakpoint);
  if (found === undefined) return { state: "unknown" };
  if (!found.verified) return { state: "unbound", reason: String(found.message ?? "no code there") };
  return { state: "bound", line: found.line ?? breakpoint?.line ?? 0 };
}
