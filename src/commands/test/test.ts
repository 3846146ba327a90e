/** test: the failing test of a run, alone and under the debugger, to where its failure is raised. */
import { resolve } from "node:path";
import * as z from "zod";
import { advice, blank, call, option, named as optionNamed } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { BARE_ENV, bare } from "../../runners/bare.ts";
import { withoutColours } from "../../runners/colours.ts";
import type { Failure, Line, Report, Runner, Single } from "../../runners/runner.ts";
import type { Ending } from "../../session/state.ts";
import { plural } from "../../util/text.ts";
import type { Context, PlainEnd } from "../context.ts";
import { command } from "../define.ts";
import { commandAs } from "../mcp/spellings.ts";
import { type Running, running } from "../runs/running.ts";
import { type Debugged, debugged } from "./debug.ts";
import { testLine } from "./line.ts";
import { type Tried, traceOf } from "./next.ts";
import { recordedOrigin, withSource } from "./recorded.ts";
import { type Shot, type Tested, testedShape } from "./shape.ts";
import { testText } from "./text.ts";

const DEFAULT_SECS = 120;
const MOST_OTHERS = 20;
const LAST_LINES = 15;

const { args: words, adapter, cwd, env, adapterArguments, map } = running;

export const testCommand = command({
  name: "test",
  summary:
    "run tests, then debug the first that fails: where it fails, and each of your frames with its values",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: z.object({
    runner: z
      .array(z.string())
      .optional()
      .describe("the test command if it has no options (pytest, npm test); otherwise give it after --"),
    ...{ args: words, adapter, cwd, env, adapterArguments, map },
    name: z
      .string()
      .optional()
      .describe("which failing test, by its name or a part of it (default: the first)"),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe(`seconds for each run, the plain one and the debugged one (default ${DEFAULT_SECS})`),
  }),
  result: testedShape,
  cli: { positionals: ["runner"], rest: "args" },
  library: { name: "test", names: { args: "command" } },
  mcp: {
    tool: "probe",
    action: "test",
    spelled: [commandAs("args", "command")],
    takes: ["name", "adapter", "env", "timeout"],
    oneOf: [["command"]],
    brief: "a test command's failing test, stopped where it fails.",
  },
  examples: [
    "sonde test pytest",
    "sonde test -- pytest tests/test_cart.py -k discount",
    "sonde test -- npx vitest run",
    "sonde test --name TestDiscount -- go test ./...",
    "sonde test -- ./build/tests",
  ],
  run: async (context, args) => {
    const typed = [...(args.runner ?? []), ...(args.args ?? [])];
    if (typed.length === 0)
      throw new SondeError("BAD_ARGUMENT", "which tests?", {
        hint: advice`give the runner's command line: ${call("test", { args: ["pytest", "tests/test_cart.py"] })}`,
      });
    const cwd = resolve(context.cwd, args.cwd ?? ".");
    const { env, runner, words, starter } = testLine(typed, cwd, context.env.PATH ?? "");
    const request: Request = {
      words,
      starter,
      cwd,
      running: args,
      env: { ...env, ...args.env },
      timeoutMs: (args.timeout ?? DEFAULT_SECS) * 1000,
      name: args.name,
    };
    const answer = runner ? await withRunner(context, request, runner) : await anyProgram(context, request);
    return { command: typed.join(" "), ...answer };
  },
  text: testText,
});

interface Request {
  /** What runs everything. */
  words: string[];
  /** See test-line.ts. */
  starter: string[];
  cwd: string;
  running: Running;
  env: Record<string, string>;
  timeoutMs: number;
  name: string | undefined;
}

interface Known {
  rules: Runner;
  line: Line;
}

type Answer = Omit<Tested, "command">;

async function withRunner(context: Context, request: Request, known: Known): Promise<Answer> {
  const { report, end } = await surveyed(context, request, known);
  if (!report) return anyProgram(context, request, known.rules);
  const base = { runner: known.rules.name, counts: countsOf(report), status: statusOf(end) };
  const wanted = named(report, request.name);
  const [failure] = wanted;
  if (failure === undefined) {
    if (request.name !== undefined && report.passed === 0) throw notThere(request.name);
    return { ...base, ...nothingFailed(end) };
  }
  const others = report.failures.filter((one) => one !== failure).map(({ name }) => name);
  const run = await failing(context, request, known, failure);
  const tried = { ...request, ...run };
  const cause = run.shot && known.rules.traced ? await causeOf(context, run.shot, failure, tried) : {};
  const several = request.name !== undefined && wanted.length > 1;
  return {
    ...base,
    state: "failed",
    test: described(failure),
    ...(run.shot === undefined ? { output: run.output } : { stop: run.shot, output: [] }),
    ...cause,
    others: others.slice(0, MOST_OTHERS),
    moreOthers: Math.max(0, others.length - MOST_OTHERS),
    ...(end.how === "timeout" ? { cutAfter: request.timeoutMs / 1000 } : {}),
    notes: [
      ...(several ? [`${plural(wanted.length, "failing test")} of that name: the first`] : []),
      ...run.notes,
    ],
  };
}

/** Where the wrong value came from, and what shows that line by line; from a recording of the test. */
async function causeOf(
  context: Context,
  shot: Shot,
  { compared }: Pick<Failure, "compared">,
  tried: Tried,
): Promise<Pick<Answer, "origin" | "next">> {
  const origin = await recordedOrigin(context, shot, compared, tried);
  if (origin === undefined) return {};
  const next = traceOf(origin, tried);
  return { origin: withSource(origin), ...(next === undefined ? {} : { next }) };
}

/** Which tests fail, from a run without a debugger. */
async function surveyed(
  context: Context,
  { words, env, timeoutMs, name, running }: Request,
  { rules, line }: Known,
): Promise<{ report: Report | undefined; end: PlainEnd }> {
  const survey = rules.survey(line, name);
  const cwd = running.cwd === undefined ? {} : { cwd: running.cwd };
  const end = await context.runPlain({ ...survey, ...cwd, env: { ...env, ...survey.env }, timeoutMs });
  const report = survey.read(end);
  if (end.how === "timeout" && (report?.failures ?? []).length === 0)
    throw new SondeError("TIMEOUT", `${words.join(" ")} did not end within ${timeoutMs / 1000} s`, {
      hint: advice`name fewer tests (a file, or ${option({ name: blank("test") })}), or give it more time: ${option({ timeout: blank("seconds") })}`,
    });
  return { report, end };
}

function named({ failures }: Report, name: string | undefined): Failure[] {
  if (name === undefined) return failures;
  const exact = failures.filter((one) => one.name === name);
  // A runner may name it more fully when others fail as well.
  const like = failures.filter((one) => one.name.includes(name) || name.endsWith(one.name));
  const found = exact.length > 0 ? exact : like;
  if (found.length === 0 && failures.length > 0) {
    const names = failures.map((one) => one.name).slice(0, MOST_OTHERS);
    throw new SondeError("BAD_ARGUMENT", `no failing test is called ${name}`, {
      hint: `these fail: ${names.join(", ")}`,
    });
  }
  return found;
}

function notThere(name: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `no test is called ${name}`, {
    hint: advice`without ${optionNamed("name")} the first failing test is taken and the others are listed`,
  });
}

/** One failing test under the debugger; if it passes alone, with the tests before it, which may be what fails it. */
async function failing(
  context: Context,
  request: Request,
  known: Known,
  failure: Failure,
): Promise<Debugged & { single: Single }> {
  const { rules } = known;
  const single = await commandOf(context, request, known, { failure, together: false });
  const alone = await debugged(context, { ...request, rules, single, failure });
  const notes = [...(single.note === undefined ? [] : [single.note]), ...alone.notes];
  if (alone.shot !== undefined || alone.ending?.exitCode !== 0) return { ...alone, single, notes };
  const passes = "run alone, this test passes";
  if (!rules.together) return { ...alone, single, notes: [...notes, passes] };
  const all = await commandOf(context, request, known, { failure, together: true });
  const run = await debugged(context, { ...request, rules, single: all, failure });
  if (run.shot === undefined && run.ending?.exitCode === 0)
    return {
      ...run,
      single: all,
      notes: ["it failed at first and passes under the debugger: it does not fail every time"],
    };
  const why = [`${passes}: this is a run together with those before it`, ...run.notes];
  return { ...run, single: all, notes: why };
}

async function commandOf(
  context: Context,
  { env, timeoutMs, running }: Request,
  { rules, line }: Known,
  { failure, together }: { failure: Failure; together: boolean },
): Promise<Single> {
  const found = (together ? rules.together?.(line, failure) : undefined) ?? rules.single(line, failure);
  if (!("read" in found)) return found;
  const cwd = running.cwd === undefined ? {} : { cwd: running.cwd };
  const { stdout } = await context.runPlain({ command: () => found.command, env, timeoutMs, ...cwd });
  const single = found.read(stdout);
  if (single) return single;
  const asked = found.command.join(" ");
  throw new SondeError("REQUEST_FAILED", `\`${asked}\` does not say how to run ${failure.name}`, {
    hint: advice`give its own command line: ${call("test", { args: [blank("program"), blank("arguments")] })}`,
  });
}

/** Without a report: to the first failure that shows itself, else to the end. */
async function anyProgram(context: Context, request: Request, runner?: Runner): Promise<Answer> {
  const single = { command: request.words };
  const env = runner ? request.env : { ...BARE_ENV, ...request.env };
  const run = await debugged(context, { ...request, env, rules: runner ?? bare, single, failure: undefined });
  const { shot, ending, output, notes } = run;
  const cause = shot ? await causeOf(context, shot, { compared: [] }, { ...request, env, single }) : {};
  return {
    ...(runner === undefined ? {} : { runner: runner.name }),
    state: shot === undefined && ending?.exitCode === 0 ? "passed" : "failed",
    ...(shot === undefined ? {} : { stop: shot }),
    ...cause,
    ...(ending === undefined ? {} : { status: endOf(ending) }),
    others: [],
    moreOthers: 0,
    output: shot === undefined ? output : [],
    notes,
  };
}

function nothingFailed(end: PlainEnd): Pick<Answer, "state" | "others" | "moreOthers" | "output" | "notes"> {
  const isGood = end.how === "exited" && end.code === 0;
  const said = withoutColours(`${end.stdout}\n${end.stderr}`).trim().split("\n");
  return {
    state: isGood ? "passed" : "failed",
    others: [],
    moreOthers: 0,
    output: isGood ? [] : said.slice(-LAST_LINES),
    notes: isGood ? [] : ["no test failed, but the runner did"],
  };
}

function countsOf({ failures, passed, skipped }: Report): NonNullable<Answer["counts"]> {
  return { failed: failures.length, passed, skipped };
}

type Status = NonNullable<Answer["status"]>;

function statusOf(end: PlainEnd): Status {
  if (end.how === "timeout") return {};
  return {
    ...(end.code === null ? {} : { exitCode: end.code }),
    ...(end.signal === null ? {} : { signal: end.signal }),
  };
}

function endOf({ exitCode, signal }: Ending): Status {
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function described({ name, type, message, compared }: Failure): NonNullable<Answer["test"]> {
  return {
    name,
    compared,
    ...(type === undefined ? {} : { type }),
    ...(message === undefined || message === "" ? {} : { message }),
  };
}
