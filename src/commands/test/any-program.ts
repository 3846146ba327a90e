/** `test` without a runner's report: any program, to the first failure that shows itself, or to what it prints as TAP. */
import { advice, blank, call, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { BARE_ENV, bare } from "../../runners/bare.ts";
import { driverOf } from "../../runners/driver.ts";
import type { Rules, Runner, Single } from "../../runners/runner.ts";
import { tapReport } from "../../runners/tap/report.ts";
import { tapRules } from "../../runners/tap/rules.ts";
import type { Context } from "../context.ts";
import { causeOf, UNKNOWN } from "./cause.ts";
import { debugged } from "./debug.ts";
import type { Debugged } from "./debug-run.ts";
import { failureOf } from "./failure.ts";
import {
  type Answer,
  countsOf,
  describeFailure,
  endOf,
  nothingFailed,
  otherFailures,
  placeNote,
  type Request,
  statusOf,
} from "./request.ts";
import type { Shot } from "./shape.ts";
import { meant, notThere } from "./survey.ts";

export async function anyProgram(context: Context, request: Request, runner?: Runner): Promise<Answer> {
  const single = { command: request.words };
  const env = runner ? request.env : { ...BARE_ENV, ...request.env };
  const rules = runner ?? bare;
  const asked = { ...request, env, rules, single, failure: undefined };
  const began = performance.now();
  const first = await debugged(context, asked).catch((error: unknown) => driven(context, request, error));
  const tookMs = performance.now() - began;
  if ("state" in first) return first;
  const told = first.shot === undefined ? await byTap(context, { ...request, env }, first) : undefined;
  if (told !== undefined) return told;
  const run = runner === undefined ? await orAssertion(context, asked, first) : first;
  const { shot, ending, output } = run;
  // A run that goes on after its failure ends otherwise: what is recorded of it does not explain the failure.
  const { cause, notes } =
    first.shot && shot
      ? await causeOf(context, shot, { compared: [] }, { ...request, env, single, tookMs })
      : UNKNOWN;
  return {
    ...(runner === undefined ? {} : { runner: runner.name }),
    state: shot === undefined && ending?.exitCode === 0 ? "passed" : "failed",
    ...(shot === undefined ? {} : { stop: shot }),
    ...cause,
    ...(ending === undefined ? {} : { status: endOf(ending) }),
    others: [],
    moreOthers: 0,
    output: shot === undefined ? output : [],
    notes: [...run.notes, ...notes],
  };
}

const SEEN =
  "no test runner was recognised: this is the first failed assertion that the debugger saw in your code, and the program may have expected it";
const PRINTED =
  "no test runner was recognised: this is the first exception in your code whose message the program printed before it failed";

/** A runner that nobody knows takes the failures of its tests itself: they are seen where they are raised. */
async function orAssertion(
  context: Context,
  asked: Request & { rules: Rules; single: Single; failure: undefined },
  first: Debugged,
): Promise<Debugged> {
  const { shot, ending, printed = "" } = first;
  if (shot !== undefined || ending === undefined || ending.exitCode === 0) return first;
  let why = SEEN;
  const accepts = ({ exception }: Pick<Shot, "exception">) => {
    const { type = "", message = "" } = exception ?? {};
    const [words = ""] = message.trim().split("\n");
    const isAssertion = ASSERTION.test(type);
    why = isAssertion ? SEEN : PRINTED;
    return isAssertion || (words.length >= LEAST_WORDS && printed.includes(words));
  };
  const rules = { ...asked.rules, catches: RAISED };
  const second = await debugged(context, { ...asked, rules, accepts });
  return second.shot === undefined ? first : { ...second, notes: [why, ...second.notes] };
}

/** By what debuggers call every exception, caught or not. */
const RAISED = ["raised", "all"];
const ASSERTION = /assert|expectation|testfail|^fail(?:ed|ure)?$/i;
/** Fewer letters are printed by chance. */
const LEAST_WORDS = 8;

/** What it printed, where that is TAP with a failure in it. A failed check throws nothing: its line is what can be stopped at. */
async function byTap(
  context: Context,
  request: Request,
  { printed = "", stdout, ending }: Debugged,
): Promise<Answer | undefined> {
  const report = tapReport(printed, stdout);
  if (report === undefined) return undefined;
  const wanted = meant(report, request.name);
  const [failure] = wanted;
  if (failure === undefined && report.failures.length > 0) throw notThere(report, request.name ?? "");
  const status = ending === undefined ? {} : { status: endOf(ending) };
  const base = { runner: "TAP", counts: countsOf(report), ...status };
  if (failure === undefined) {
    const isGood = ending?.exitCode === 0;
    const notes = isGood ? [] : ["no test failed, but the program did"];
    const output = isGood ? [] : lastOf(printed);
    return { ...base, state: isGood ? "passed" : "failed", others: [], moreOthers: 0, output, notes };
  }
  const single = { command: request.words };
  const run = await failureOf(context, { ...request, rules: tapRules, single, failure });
  const output = run.output.length > 0 ? run.output : lastOf(printed);
  return {
    ...base,
    state: "failed",
    test: describeFailure(failure),
    ...(run.shot === undefined ? { output } : { stop: run.shot, output: [] }),
    ...otherFailures(report, failure),
    notes: run.notes,
  };
}

function lastOf(printed: string): string[] {
  return printed.trim().split("\n").slice(-15);
}

/** A driver of tests that no debugger can run: whether it fails, and what it prints, with what stands in the way. */
async function driven(
  context: Context,
  { words, env, timeoutMs, running, name }: Request,
  error: unknown,
): Promise<Answer> {
  const driver = driverOf(words);
  const isOutOfReach =
    error instanceof SondeError && ["BAD_ARGUMENT", "ADAPTER_MISSING"].includes(error.code);
  if (driver === undefined || !isOutOfReach) throw error;
  const cwd = running.cwd === undefined ? {} : { cwd: running.cwd };
  const end = await context.runPlain({ command: () => words, env, timeoutMs, ...cwd });
  const { message, hint } = error.told;
  const program: Told = advice`give the command line of a test program that ${driver} starts: ${call("test", { args: [blank("program"), blank("arguments")] })}`;
  const why = [message, ...(hint === undefined ? [] : [error.code === "BAD_ARGUMENT" ? hint : program])];
  // One that was cut off has not broken its plan.
  const report = tapReport(end.stdout, end.how === "timeout" ? undefined : end.stdout);
  const [failure] = report === undefined ? [] : meant(report, name);
  if (report !== undefined && failure !== undefined)
    return {
      runner: "TAP",
      counts: countsOf(report),
      state: "failed",
      status: statusOf(end),
      test: describeFailure(failure),
      ...otherFailures(report, failure),
      output: [],
      notes: [...placeNote(failure.places), `${driver} was run without a debugger`, ...why],
    };
  return {
    ...nothingFailed(end),
    status: statusOf(end),
    notes: [`${driver} was run without a debugger, and which tests it ran is not known`, ...why],
  };
}
