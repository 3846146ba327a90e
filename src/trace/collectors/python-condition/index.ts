/**
 * Python under debugpy, without a stop: the condition of each breakpoint calls a recorder in the program and is never true. For a
 * process that runs already, and for command lines that keep the recorder from coming in by itself.
 */
import { join } from "node:path";
import { platform } from "node:process";
import { examine, type Interpreter } from "../../../adapters/python/interpreter.ts";
import { SondeError } from "../../../errors.ts";
import type { Breakpoint } from "../../../session/breakpoints/breakpoint.ts";
import type { Launch } from "../../../session/launch.ts";
import { awaitStop, resume } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import type { Session } from "../../../session/session.ts";
import { executableOf } from "../../../util/process-facts.ts";
import type { Collector, Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { unfitForConditions } from "../by-condition.ts";
import { check } from "../python-source/check.ts";
import { type Program, programOf, valueLimits } from "../python-source/program.ts";
import { Recorder } from "../python-source/recorder.ts";
import { bindingOf } from "../stops/points.ts";
import { type DebugRun, debugged, feed, followed, opened } from "../stops/program.ts";

export const collector: Collector = {
  name: "python-condition",
  unfit: async (plan, launch) =>
    platform === "win32" ? "it needs Unix sockets" : unfitForConditions(plan, launch),
  collect,
};

async function collect(plan: Plan, asked: Run): Promise<RunEnd> {
  const run = debugged(asked);
  const { launch, session, sink } = run;
  const program = await checkedBy(launch);
  const reachable = await check(plan, program, run);
  if (reachable === undefined) return { how: session.opening.request === "attach" ? "left" : "stopped" };
  const recorder = await Recorder.laidOut(plan, await valueLimits(program.python, launch.where), run);
  try {
    const { opening } = session;
    if (opening.request === "attach") recorder.whole.mainPid = opening.plan.pid ?? 0;
    const places = declared(plan, reachable, session, recorder.hook);
    const end = await followed(run, () => going(run));
    for (const { breakpoint, points } of places)
      for (const point of points) sink.bind(point, bindingOf(breakpoint));
    await takenOut(session, places);
    await recorder.drained();
    return end;
  } finally {
    recorder.close();
  }
}

/** The Python that the program runs in; what its files and expressions mean does not depend on its packages. */
async function checkedBy({
  opening,
  found,
}: Launch): Promise<Pick<Program, "python" | "cwd" | "env" | "optimize">> {
  if (opening.request === "launch") return programOf(opening.plan);
  const { pid, cwd, env } = opening.plan;
  const path = (pid === undefined ? undefined : executableOf(pid)) ?? found.path;
  const python: Interpreter | string = await examine(path, opening.plan);
  if (typeof python === "string") throw new SondeError("ATTACH_FAILED", python);
  return { python, cwd, env, optimize: 0 };
}

interface Declared {
  breakpoint: Breakpoint;
  points: number[];
}

/** One breakpoint a line: debugpy keeps no more. */
function declared(plan: Plan, reachable: readonly number[], session: Session, hook: string): Declared[] {
  const lines = new Map<string, number[]>();
  for (const index of reachable) {
    const { path, line } = plan.points[index] ?? { path: "", line: 0 };
    lines.set(`${line} ${path}`, [...(lines.get(`${line} ${path}`) ?? []), index]);
  }
  return [...lines.values()].map((points) => {
    const { key = "", path = "", line = 0 } = plan.points[points[0] ?? 0] ?? {};
    const condition = callOf(hook, points);
    return {
      points,
      breakpoint: session.breakpoints.declare({ kind: "line", asked: key, path, line, condition }),
    };
  });
}

/** The first call brings the recorder in. A JSON string is one of Python's. */
function callOf(hook: string, points: readonly number[]): string {
  const name = JSON.stringify(`_sonde_${hook.replace(/\W/g, "_")}`);
  const file = JSON.stringify(join(hook, "sonde_attach.py"));
  const given = `{"folder": ${JSON.stringify(hook)}, "name": ${name}}`;
  const load = `lambda p: exec(open(${file}).read(), ${given}) or getattr(__import__("sys"), ${name})(p)`;
  return `getattr(__import__("sys"), ${name}, ${load})(${JSON.stringify(points)})`;
}

/** Nothing of ours stops it; what does (an exception, a call of `breakpoint()`) is no business of a record. */
async function going(run: DebugRun): Promise<Outcome> {
  const { session, stdin, signal, sink } = run;
  await opened(run);
  feed(session, stdin);
  let outcome = await awaitStop(session, { signal });
  while (outcome.kind === "stopped") {
    const { reason, text, description } = outcome.stop;
    sink.note(`the debugger stopped and continued: ${text ?? description ?? reason}`);
    await resume(session);
    outcome = await awaitStop(session, { signal });
  }
  return outcome;
}

/** Before the last records are read: a program that runs on would write more of them. */
async function takenOut(session: Session, places: readonly Declared[]): Promise<void> {
  if (session.ended !== undefined || session.main === undefined) return;
  // A program that ends at this moment answers nothing; its records are read all the same.
  await session.breakpoints.remove(places.map(({ breakpoint }) => breakpoint)).catch(() => {});
}
