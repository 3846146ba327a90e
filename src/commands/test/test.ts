/** test: the failing test of a run, alone and under the debugger, to where its failure is raised. */
import { resolve } from "node:path";
import * as z from "zod";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Failure, Single } from "../../runners/runner.ts";
import { plural } from "../../util/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { commandAs } from "../mcp/spellings.ts";
import { running } from "../runs/running.ts";
import { anyProgram } from "./any-program.ts";
import { causeOf, UNKNOWN } from "./cause.ts";
import type { Debugged } from "./debug-run.ts";
import { failureOf } from "./failure.ts";
import { testLine } from "./line.ts";
import {
  type Answer,
  countsOf,
  describeFailure,
  type Known,
  nothingFailed,
  otherFailures,
  placeNote,
  type Request,
  statusOf,
} from "./request.ts";
import { testedShape } from "./shape.ts";
import { surveyed } from "./survey.ts";
import { testText } from "./text.ts";

const DEFAULT_SECS = 120;

const { adapter, cwd, env, adapterArguments, map } = running;
const words = running.args.describe("the test command: -- pytest tests/test_cart.py -k discount");

export const testCommand = command({
  name: "test",
  summary:
    "run the tests, then run the first failing test again under the debugger: show where it fails, and the values in each of your frames",
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
      .describe("debug this failing test: its name or part of it (default: the first)"),
    further: z
      .boolean()
      .optional()
      .describe(
        "list, without values, more lines that may have caused the failure: those the normal answer leaves out to stay short",
      ),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe(
        `time limit in seconds for each run: of all the tests, and of the failing test under the debugger (default ${DEFAULT_SECS})`,
      ),
  }),
  result: testedShape,
  cli: { positionals: ["runner"], rest: "args" },
  library: { name: "test", names: { args: "command" } },
  mcp: {
    tool: "probe",
    action: "test",
    spelled: [commandAs("args", "command")],
    takes: ["name", "further", "adapter", "env", "timeout"],
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
      timeout: args.timeout,
      timeoutMs: (args.timeout ?? DEFAULT_SECS) * 1000,
      name: args.name,
      further: args.further === true,
      typed,
    };
    const answer = runner ? await withRunner(context, request, runner) : await anyProgram(context, request);
    const asked = args.further ? { further: true as const } : {};
    return { command: typed.join(" "), words: typed, ...answer, ...asked };
  },
  text: testText,
});

async function withRunner(context: Context, request: Request, known: Known): Promise<Answer> {
  const { report, end, wanted } = await surveyed(context, request, known);
  if (!report) return anyProgram(context, request, known.rules);
  const base = { runner: known.rules.name, counts: countsOf(report), status: statusOf(end) };
  const [failure] = wanted;
  if (failure === undefined) return { ...base, ...nothingFailed(end) };
  const began = performance.now();
  const run = await failing(context, request, known, failure).catch((error: unknown) =>
    notRunAgain(error, request, failure),
  );
  const tried = { ...request, ...run, tookMs: performance.now() - began };
  const { cause, notes } =
    run.shot && known.rules.traced && (!failure.silent || run.single.endsAtFailure)
      ? await causeOf(context, run.shot, failure, tried)
      : UNKNOWN;
  const several = request.name !== undefined && wanted.length > 1;
  return {
    ...base,
    state: "failed",
    test: describeFailure(failure),
    ...(run.shot === undefined ? { output: run.output } : { stop: run.shot, output: [] }),
    ...cause,
    ...otherFailures(report, failure),
    ...(end.how === "timeout" ? { cutAfter: request.timeoutMs / 1000 } : {}),
    notes: [
      ...(several ? [`${plural(wanted.length, "failing test")} have that name; this is the first`] : []),
      ...run.notes,
      ...notes,
    ],
  };
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
  const alone = await failureOf(context, { ...request, rules, single, failure });
  const notes = [...(single.note === undefined ? [] : [single.note]), ...alone.notes];
  if (alone.shot !== undefined || alone.ending?.exitCode !== 0) return { ...alone, single, notes };
  const passes = "run alone, this test passes";
  if (!rules.together) return { ...alone, single, notes: [...notes, passes] };
  const all = await commandOf(context, request, known, { failure, together: true });
  const run = await failureOf(context, { ...request, rules, single: all, failure });
  if (run.shot === undefined && run.ending?.exitCode === 0)
    return {
      ...run,
      single: all,
      notes: ["it failed at first but passed under the debugger: it does not fail every time"],
    };
  const why = [`${passes}; this is a run of it together with the tests before it`, ...run.notes];
  return { ...run, single: all, notes: why };
}

const NOT_RUN: readonly string[] = ["LAUNCH_FAILED", "ATTACH_FAILED", "ADAPTER_FAILED", "REQUEST_FAILED"];

/** What the runner reported is known all the same. */
function notRunAgain(error: unknown, { words }: Request, failure: Failure): Debugged & { single: Single } {
  if (!(error instanceof SondeError) || !NOT_RUN.includes(error.code)) throw error;
  const { message, hint } = error.told;
  // Below its first line stands what was printed.
  const [first = "", ...printed] = String(message).split("\n");
  return {
    single: { command: words },
    output: printed,
    notes: [
      ...placeNote(failure.places),
      "it could not be run again under the debugger, so only the runner's report is shown",
      printed.length > 0 ? first : message,
      ...(hint === undefined ? [] : [hint]),
    ],
  };
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
