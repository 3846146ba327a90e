/** `test`'s own run under the debugger: to the failure that was reported, or to the first there is. */
import type { Place, Rules } from "../../runners/runner.ts";
import { likeness, type Raised } from "../../runners/same-failure.ts";
import type { Launch } from "../../session/launch.ts";
import { awaitStop, pause, resume } from "../../session/running/running.ts";
import { type Declaration, Session } from "../../session/session.ts";
import type { Ending } from "../../session/state.ts";
import type { Context } from "../context.ts";
import { runRequest } from "../runs/running.ts";
import { type Debugged, type DebugRun, lastLines, printedBy, stdoutOf } from "./debug-run.ts";
import type { Shot } from "./shape.ts";
import { type Look, lookAt, takeShot } from "./shot.ts";
import { toVisit } from "./visits.ts";

/** Exceptions on the way to the failure that are kept whole, in case none turns out to be it. */
const MOST_KEPT = 20;
/** For a program that is to be shown where it hangs, and for one that is to end by itself. */
const SETTLE_MS = 5_000;

export async function debugged(context: Context, run: DebugRun): Promise<Debugged> {
  const { single, running } = run;
  const env = { ...run.env, ...single.env };
  const where = single.cwd === undefined ? {} : { cwd: single.cwd };
  const request = runRequest(context, { ...running, ...where, env, args: single.command });
  return context.once(request, async (launch, signal) => {
    const session = new Session(
      launch,
      run.at === undefined ? failuresOf(launch, run.rules) : visitsOf(run.at),
    );
    await session.open(signal);
    return run.at === undefined
      ? toFailure(context, session, run, signal)
      : toVisit(context, session, run, signal);
  });
}

function failuresOf({ adapter }: Launch, { catches, functions = [] }: Rules): Declaration {
  const name = catches.find((one) => adapter.catches[one] !== undefined);
  return {
    breakpoints: functions.map((one) => ({ kind: "function", name: one, asked: one })),
    ...(name === undefined ? {} : { catches: [{ name, filters: adapter.catches[name] ?? [] }] }),
  };
}

function visitsOf({ file, line }: Place): Declaration {
  const asked = `${file}:${line}`;
  return { breakpoints: [{ kind: "line", asked, path: file, line }], catches: [] };
}

async function toFailure(
  context: Context,
  session: Session,
  { rules, failure, timeoutMs, accepts, exact = accepts !== undefined }: DebugRun,
  signal: AbortSignal,
): Promise<Debugged> {
  const until = performance.now() + timeoutMs;
  let nearest: Nearest | undefined;
  for (let looked = 0; ; looked++) {
    const leftMs = Math.max(0, until - performance.now());
    const outcome = await awaitStop(session, { timeoutMs: leftMs, signal });
    if (outcome.kind === "ended") return atEnd(session, outcome.ending, nearest, failure !== undefined);
    if (outcome.kind === "running") return hanging(context, session, { rules, timeoutMs, signal });
    const look = await lookAt(context, session, rules);
    const isCall = outcome.stop.hits.length > 0;
    const like = failure === undefined || isCall ? "surely" : likeness(failure, raisedAt(look));
    const isIt = like === "surely" && (accepts?.(look.snapshot) ?? true);
    const isNearer = like === "perhaps" || !nearest?.perhaps;
    if (look.frames.length > 0 && (isIt || (!exact && looked < MOST_KEPT && isNearer))) {
      const shot = await takeShot(context, session, look, rules);
      if (isIt)
        return failure === undefined ? onward(session, shot, signal) : { shot, output: [], notes: [] };
      nearest = { shot, perhaps: like === "perhaps" };
    }
    await resume(session);
  }
}

/** The last exception that was seen, or the last that passed through a line of the reported one. */
interface Nearest {
  shot: Shot;
  perhaps: boolean;
}

function raisedAt({ snapshot, frames }: Look): Raised {
  return {
    type: snapshot.exception?.type,
    message: snapshot.exception?.message ?? "",
    places: frames.map(({ path = "", line }) => ({ file: path, line })),
  };
}

/** No stop was the one reported; the last that was seen is the best guess. */
function atEnd(
  session: Session,
  ending: Ending,
  nearest: Nearest | undefined,
  isReported: boolean,
): Debugged {
  const output = lastLines(session);
  const stdout = stdoutOf(session);
  const printed = { printed: printedBy(session), ...(stdout === undefined ? {} : { stdout }) };
  if (ending.exitCode === 0) return { ending, output, ...printed, notes: [] };
  if (nearest === undefined)
    return {
      ending,
      output,
      ...printed,
      notes: [
        isReported
          ? "the debugger did not see this failure when it was raised, so only the runner's report is shown"
          : "it failed without an exception that the debugger could stop at",
      ],
    };
  return {
    ending,
    output,
    shot: nearest.shot,
    notes: [
      nearest.perhaps
        ? "no exception had the reported message; this is the last one that passed through a line of the reported failure"
        : "the reported failure did not occur; this is the last exception before the end",
    ],
  };
}

/** A run that does not end is stopped where it stands. */
async function hanging(
  context: Context,
  session: Session,
  { rules, timeoutMs, signal }: { rules: Rules; timeoutMs: number; signal: AbortSignal },
): Promise<Debugged> {
  const notes = [`it did not end within ${timeoutMs / 1000} s: this is where it was then`];
  const paused = await pause(session, { timeoutMs: SETTLE_MS, signal });
  if (paused.kind !== "stopped") return { output: lastLines(session), notes };
  const look = await lookAt(context, session, rules);
  return { shot: await takeShot(context, session, look, rules), output: [], notes };
}

/** How it ends once its failure has been seen, which nobody knows yet where there was no run without the debugger. */
async function onward(session: Session, shot: Shot, signal: AbortSignal): Promise<Debugged> {
  await session.breakpoints.removeCatches(session.breakpoints.catches());
  for (let stops = 0; stops < MOST_KEPT; stops++) {
    await resume(session);
    const outcome = await awaitStop(session, { timeoutMs: SETTLE_MS, signal });
    if (outcome.kind === "ended") return { shot, ending: outcome.ending, output: [], notes: [] };
    if (outcome.kind === "running") break;
  }
  return { shot, output: [], notes: ["after that it did not end by itself"] };
}
