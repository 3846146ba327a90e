/**
 * Node under its debugger, without a stop: the condition of each breakpoint calls a recorder in the program and is never true. For a
 * process that runs already, and for what cannot be rewritten as it loads. Only a thread that comes by a point before its recorder
 * is there stops, for as long as it takes to bring it in.
 */
import { platform } from "node:process";
import { SondeError } from "../../../errors.ts";
import { type Breakpoint, binding } from "../../../session/breakpoints/breakpoint.ts";
import { awaitStop, resume } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import type { Session } from "../../../session/session.ts";
import { deferred, wait } from "../../../util/wait.ts";
import type { Collector, Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { unfitForConditions } from "../by-condition.ts";
import { bindingOf } from "../stops/points.ts";
import { type DebugRun, debugged, feed, followed, opened } from "../stops/program.ts";
import { Recorder } from "./recorder.ts";

/** A program that is busy in native code does not hear that its breakpoints go; they go with the debugger. */
const REMOVE_MS = 2000;
const HEARD_MS = 500;

export const collector: Collector = {
  name: "node-condition",
  unfit: async (plan, launch) =>
    platform === "win32" ? "it needs FIFOs, which Windows does not have" : unfitForConditions(plan, launch),
  collect,
};

async function collect(plan: Plan, asked: Run): Promise<RunEnd> {
  const run = debugged(asked);
  const { session, sink } = run;
  const recorder = await Recorder.laidOut(plan, run);
  try {
    const places = declared(recorder, session);
    const going = followed(run, () => followPoints(run, recorder, places));
    const end = await going.finally(() => takenOut(run, recorder, places));
    for (const { breakpoint, points } of places)
      for (const point of points) sink.bind(point, bindingOf(breakpoint));
    await recorder.drained();
    return end;
  } finally {
    recorder.close();
  }
}

interface Declared {
  breakpoint: Breakpoint;
  condition: string;
  points: number[];
}

/** One breakpoint a line: each costs V8 an evaluation. */
function declared(recorder: Recorder, session: Session): Declared[] {
  const { points } = recorder.plan;
  const lines = new Map<string, number[]>();
  for (const [index, { path, line }] of points.entries())
    lines.set(`${line} ${path}`, [...(lines.get(`${line} ${path}`) ?? []), index]);
  return [...lines.values()].map((indices) => {
    const { key = "", path = "", line = 0 } = points[indices[0] ?? 0] ?? {};
    const condition = recorder.condition(indices);
    const breakpoint = session.breakpoints.declare({ kind: "line", asked: key, path, line, condition });
    for (const index of indices) recorder.lines.set(index, () => boundLine(breakpoint));
    return { breakpoint, condition, points: indices };
  });
}

function boundLine(breakpoint: Breakpoint): number | undefined {
  const found = binding(breakpoint);
  return found?.verified === true ? found.line : undefined;
}

async function followPoints(
  run: DebugRun,
  recorder: Recorder,
  places: readonly Declared[],
): Promise<Outcome> {
  const { session, stdin, signal } = run;
  await opened(run);
  feed(session, stdin);
  const { main, opening } = session;
  // A program that runs is not to be stopped for it, unless it is at a point at this very moment.
  if (opening.request === "attach" && main !== undefined)
    await unlessEnded(session, () => recorder.enter(main));
  let outcome = await awaitStop(session, { signal });
  while (outcome.kind === "stopped" && !signal.aborted) {
    const stopped = outcome;
    await unlessEnded(session, () => atStop(stopped, run, recorder, places));
    if (session.ended === undefined) await resume(session);
    outcome = await awaitStop(session, { signal });
  }
  return outcome;
}

/** A program that dies while it is spoken to has an end like any other, which may be heard of a little later. */
async function unlessEnded(session: Session, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const ended = deferred<void>();
    const off = session.launch.onEnded.add(() => ended.resolve());
    if (session.ended === undefined) await wait(ended.promise, { timeoutMs: HEARD_MS });
    off();
    if (session.ended === undefined) throw error;
  }
}

/** A thread without a recorder is at a point: it is brought in, and the point recorded. Other stops are no business of a record. */
async function atStop(
  { debuggee, stop }: Outcome & { kind: "stopped" },
  { session, sink }: DebugRun,
  recorder: Recorder,
  places: readonly Declared[],
): Promise<void> {
  session.stops.markSeen(debuggee);
  const hit = places.filter(({ breakpoint }) => stop.hits.some(({ id }) => id === breakpoint.id));
  if (hit.length === 0) {
    sink.note(`the debugger stopped and continued: ${stop.text ?? stop.description ?? stop.reason}`);
    return;
  }
  try {
    session.focus.selectFrame(0); // also where the point is in a library
    const { stack } = await session.focus.place(1);
    const frameId = stack.frames[0]?.adapterId;
    await recorder.enter(debuggee, frameId);
    for (const { condition } of hit) await recorder.evaluate(debuggee, condition, frameId);
  } catch (error) {
    if (debuggee === session.main || !(error instanceof SondeError)) throw error;
    sink.note(`${debuggee.label} is not recorded: ${error.message}`);
  }
}

/** Before the last records are read: a program that runs on would write more of them. */
async function takenOut(
  { session, sink }: DebugRun,
  recorder: Recorder,
  places: readonly Declared[],
): Promise<void> {
  if (session.ended !== undefined || session.main === undefined) return;
  // A program that ends at this moment answers nothing; its records are read all the same.
  const removed = session.breakpoints.remove(places.map(({ breakpoint }) => breakpoint)).catch(() => {});
  await wait(removed, { timeoutMs: REMOVE_MS });
  const left = await Promise.all(session.live.map((debuggee) => recorder.leave(debuggee)));
  if (session.opening.request === "attach" && left.includes(false))
    sink.note("the program was too busy to remove its recorder, which stays in it but records nothing");
}
