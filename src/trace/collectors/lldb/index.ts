/**
 * Records inside LLDB: breakpoints are set as always, over lldb-dap, but a script of ours answers for each of them and lets the
 * program run on. Nothing comes back to us but the record, and stops at signals.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isExecutable, probe } from "../../../adapters/kit/find.ts";
import { majorOf, runEnvironment } from "../../../adapters/lldb/find.ts";
import { knownProgram } from "../../../adapters/native/runnable.ts";
import { SondeError } from "../../../errors.ts";
import type { Breakpoint } from "../../../session/breakpoints/breakpoint.ts";
import { awaitStop, resume } from "../../../session/running/running.ts";
import type { Outcome } from "../../../session/running/stops.ts";
import type { Session } from "../../../session/session.ts";
import { ownFile } from "../../../util/own-file.ts";
import { wait } from "../../../util/wait.ts";
import type { Collector, Run } from "../../collector.ts";
import { Channel } from "../../debugger-scripts/channel.ts";
import { mayPin } from "../../debugger-scripts/pinning.ts";
import { pointsOf } from "../../debugger-scripts/points.ts";
import {
  charsToTell,
  Records,
  type Told,
  type ToldNear,
  type ToldProgram,
  type ToldUnsure,
  type ToldWrong,
} from "../../debugger-scripts/records.ts";
import type { Plan } from "../../plan.ts";
import type { Binding, RunEnd } from "../../record.ts";
import { bindingOf } from "../stops/points.ts";
import { type DebugRun, debugged, feed, followed, opened } from "../stops/program.ts";
import { Answers } from "./answers.ts";

/** Older ones have no options by a breakpoint's name for scripts, or show values in other ways. */
const FIRST = 18;
/** Of looking through the lines of a program. */
const NEAREST_MS = 5000;
const UNSURE =
  "hits may be counted twice: LLDB meets a breakpoint again when one of the program's signal handlers returns, and the program has too much memory to search for the handlers' stack";

export const collector: Collector = {
  name: "lldb",
  price: "4 to 9 ms",
  async unfit(_plan, launch) {
    const { version, path } = launch.found;
    if (majorOf(version) < FIRST) return `LLDB ${version} is too old (${FIRST} or newer is needed)`;
    if (launch.core !== undefined) return "a core file cannot run";
    return (await hasPython(path, launch.where.env)) ? undefined : "this LLDB was built without Python";
  },
  async collect(plan, asked) {
    const run = debugged(asked);
    const { launch } = run;
    const nears = new Nears();
    let wrong: ToldWrong | undefined;
    const channel = await Channel.open(run.folder, (message) => {
      const told = message as Told | ToldNear | ToldWrong | ToldProgram | ToldUnsure;
      if ("near" in told) nears.told(told);
      else if ("program" in told) answers.answer(told.program, plan);
      else if ("wrong" in told) wrong = told;
      else if ("unsure" in told) run.sink.note(UNSURE);
      else records.told(told);
    });
    const answers = await Answers.open(run.folder);
    const records = new Records(plan, run.sink, () => channel.letGo());
    prepare(plan, run, { channel: channel.path, answered: answers.fifo, guide: answers.path });
    const ended = recorded(plan, run, { nears, answers });
    await ended.catch(() => {});
    if (run.signal.aborted) channel.cut();
    await launch.end();
    await channel.drained();
    answers.close();
    if (wrong !== undefined) throw new SondeError("BAD_ARGUMENT", `\`${wrong.expression}\`: ${wrong.wrong}`);
    return ended;
  },
};

async function hasPython(lldbDap: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const beside = join(dirname(lldbDap), "lldb");
  const named = lldbDap.replace(/lldb-dap(?=[^/]*$)/, "lldb");
  const debuggers = [named, beside].filter((path) => path !== lldbDap && isExecutable(path));
  const [debuggerPath] = debuggers;
  if (debuggerPath === undefined) return true; // without it there is nobody to ask
  const asked = ["--no-lldbinit", "--batch", "-o", "script print(6 * 7)"];
  return /^42$/m.test((await probe(debuggerPath, asked, runEnvironment(lldbDap, env))) ?? "");
}

/** The launch is this run's own: what it is opened with may be added to. */
function prepare(
  plan: Plan,
  { launch, folder }: Run,
  files: { channel: string; answered: string; guide: string },
): void {
  const file = join(folder, "plan.json");
  const { lines, frames } = plan;
  writeFileSync(
    file,
    JSON.stringify({
      ...files,
      frames,
      chars: charsToTell(plan),
      pin: launch.opening.request === "launch" && mayPin(knownProgram(launch.opening, launch.where)),
      points: pointsOf(plan),
      ...(lines === undefined ? {} : { lines }),
    }),
  );
  const { extra } = launch.opening.plan;
  launch.opening.plan.extra = {
    ...extra,
    initCommands: [
      ...commands(extra.initCommands),
      `command script import "${ownFile("trace/collectors/lldb/lldb_trace.py")}"`,
    ],
    preRunCommands: [...commands(extra.preRunCommands), `!sonde-trace ${file}`],
  };
}

function commands(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

interface Asked {
  nears: Nears;
  answers: Answers;
}

async function recorded(plan: Plan, run: DebugRun, asked: Asked): Promise<RunEnd> {
  const { session, sink, signal } = run;
  const places = new Map<string, Breakpoint>();
  const breakpoints = plan.points.map(({ key, path, line }) => {
    const place = `${path}:${line}`;
    const found = places.get(place) ?? session.breakpoints.declare({ kind: "line", asked: key, path, line });
    places.set(place, found);
    return found;
  });
  let why: string | undefined;
  const end = await followed(run, async () => {
    await opened(run);
    feed(session, run.stdin);
    await bind(run, breakpoints, asked);
    let outcome = await awaitStop(session, { signal });
    while (outcome.kind === "stopped") {
      why = crash(outcome) ?? why;
      session.stops.markSeen(outcome.debuggee);
      await resume(session);
      outcome = await awaitStop(session, { signal });
    }
    return outcome;
  });
  breakpoints.forEach((one, point) => {
    const now = bindingOf(one);
    if (now.state === "bound" && asked.answers.binding(point) === undefined) sink.bind(point, now);
  });
  return end.signal !== undefined && why !== undefined ? { ...end, why } : end;
}

/** A signal or an exception; anything else has been stopped for by the program's own doing. */
function crash({ stop }: Outcome & { kind: "stopped" }): string | undefined {
  return stop.reason === "exception" ? (stop.text ?? stop.description) : undefined;
}

/** As it is now; a library that is loaded later may change it. */
async function bind(
  { session, sink }: DebugRun,
  breakpoints: readonly Breakpoint[],
  asked: Asked,
): Promise<void> {
  const { nears, answers } = asked;
  for (const note of answers.notes()) sink.note(note);
  for (const [point, one] of breakpoints.entries())
    sink.bind(point, answers.binding(point) ?? (await withNearest(session, one, nears, answers.why(point))));
}

async function withNearest(
  session: Session,
  breakpoint: Breakpoint,
  nears: Nears,
  why = "the program has no debug information for that file",
): Promise<Binding> {
  const found = bindingOf(breakpoint);
  if (found.state !== "unbound") return found;
  const nearest = await nearestLines(session, breakpoint, nears).catch(() => []);
  if (nearest.length > 0) return { ...found, nearest };
  return { state: "unbound", reason: why };
}

/** Told by the pipe, like everything else: what a script prints is shown to the user. */
async function nearestLines(session: Session, { path, line }: Breakpoint, nears: Nears): Promise<number[]> {
  const told = nears.next(path ?? "", line ?? 0);
  const expression = `\`script lldb_trace.nearest(${JSON.stringify(path)}, ${line})`;
  await session.main?.client.request("evaluate", { expression, context: "repl" });
  const waited = await wait(told, { timeoutMs: NEAREST_MS });
  return waited.done ? waited.value : [];
}

/** Answers to questions for lines with code. */
class Nears {
  readonly #waiting = new Map<string, (lines: number[]) => void>();

  next(path: string, line: number): Promise<number[]> {
    return new Promise((resolve) => this.#waiting.set(`${path}:${line}`, resolve));
  }

  told({ near, path, line }: ToldNear): void {
    this.#waiting.get(`${path}:${line}`)?.(near);
  }
}
