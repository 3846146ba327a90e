/** diff: two runs, and where they part. */
import { statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Opening } from "../../adapters/adapter.ts";
import { advice, blank, call, named, option, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { fileLines } from "../../session/stack/source.ts";
import { compare } from "../../trace/diff/compare.ts";
import { mapLines } from "../../trace/diff/lines.ts";
import type { Plan, Point } from "../../trace/plan.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { trace as traced } from "../../trace/trace.ts";
import { bytesOf, commandLine, type Input, programInput } from "../argument-types.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { TWO_RUNS } from "../mcp/spellings.ts";
import { RUN_SECS, type Running, ranOf, running, runRequest, titleOf } from "../runs/running.ts";
import { boundsOf, PLANS, type Planning, planning, planOf } from "../trace/arguments.ts";
import { printedBy } from "../trace/trace.ts";
import { type DiffResult, diffResult } from "./shapes.ts";
import { diffText } from "./text.ts";

/** Each is a whole run under a recorder; who needs more has a script's task. */
const MOST_RUNS = 100;
/** Of all runs together, unless told. */
const SECONDS = 300;

const args = z.object({
  traces: z.array(z.string()).optional().describe("two saved traces to compare").meta({ brief: "ids" }),
  a: commandLine.describe("command line of run A, as one quoted argument: --a 'python old.py'"),
  b: commandLine.describe("command line of run B"),
  stdinA: programInput.describe("file for A's standard input"),
  stdinB: programInput.describe("file for B's standard input"),
  flaky: z
    .number()
    .int()
    .min(2, "it takes two runs to compare")
    .max(MOST_RUNS, `at most ${MOST_RUNS} runs`)
    .optional()
    .describe(
      `run the command this many times, up to ${MOST_RUNS}, and compare a run that passes with one that fails`,
    ),
  ...planning,
  ...running,
  maxSeconds: z
    .number()
    .positive()
    .optional()
    .describe(`end after this many seconds, all runs together (default ${SECONDS})`)
    .meta({ mcp: "timeout" }),
});
type DiffArgs = z.infer<typeof args>;

export const diff = command({
  name: "diff",
  summary:
    "compare two runs and show where they first differ: two commands, inputs, versions or saved traces",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args,
  result: diffResult,
  cli: { positionals: ["traces"], rest: "args", belongs: { watch: "at", condition: "at" } },
  library: { name: "diff", names: { args: "command" } },
  mcp: {
    tool: "trace",
    action: "diff",
    spelled: [TWO_RUNS],
    takes: ["traces", ...PLANS, "adapter", "env", "build"],
    oneOf: [["command"], ["traces"]],
    usual: ({ traces }) => (traces === undefined ? { maxSeconds: RUN_SECS } : {}),
    brief: "where two runs part: command/command_b, stdin/stdin_b, two traces, or runs of a flaky one.",
  },
  examples: [
    "sonde diff --a 'python buggy.py' --b 'python fixed.py'",
    "sonde diff --stdin-a good.txt --stdin-b bad.txt -- node parse.js",
    "sonde diff --a ./old --b ./new --at sum.c:9 --watch total",
    "sonde diff --flaky 10 -- python -m pytest test_race.py",
    "sonde diff t3 t4",
  ],
  run: async (context, asked) => {
    if (asked.traces && asked.traces.length > 0) {
      const stray = Object.entries(asked).find(([key, value]) => key !== "traces" && value !== undefined);
      if (stray)
        throw new SondeError(
          "BAD_ARGUMENT",
          advice`${named(stray[0])} is for runs to come; ${named("traces")} are kept ones`,
        );
      return compareKept(context, asked.traces);
    }
    const time = new Time(asked.maxSeconds ?? SECONDS);
    if (asked.flaky !== undefined) return flaky(context, asked, asked.flaky, time);
    const sides = sidesOf(asked);
    // A run that does not end is worth comparing too: it leaves half of the time to the other.
    const a = await record(context, asked, { ...sides.a, seconds: time.left / 2 });
    if (time.left === 0)
      throw new SondeError("TIMEOUT", `run A took all of the ${time.seconds} s`, {
        hint: advice`${LONGER} gives both more time`,
      });
    const b = await record(context, asked, { ...sides.b, seconds: time.left }, a);
    return answer(a, b);
  },
  text: diffText,
});

const LONGER = option({ maxSeconds: blank("seconds") });
const BY_SOURCES: Told = advice`a diff without ${named("at")}, or with ${named("function")}, matches two versions by their sources`;

interface Ran {
  record: TraceRecord;
  output: string;
  /** The file that was run, where it is known. */
  program?: string;
}

/** One for all the runs of a call. */
class Time {
  readonly seconds: number;
  readonly #began = performance.now();

  constructor(seconds: number) {
    this.seconds = seconds;
  }

  get left(): number {
    return Math.max(0, this.seconds - (performance.now() - this.#began) / 1000);
  }
}

interface Side {
  words: string[];
  stdin: Input | undefined;
}

interface TimedSide extends Side {
  /** The longest it may run. */
  seconds: number;
}

function sidesOf(asked: DiffArgs): { a: Side; b: Side } {
  const shared = asked.args ?? [];
  const [a, b] = [asked.a ?? shared, asked.b ?? shared];
  if (a.length === 0 || b.length === 0)
    throw new SondeError("BAD_ARGUMENT", "diff compares two runs: which?", {
      hint: advice`${option({ a: blank("command"), b: blank("command") })}, or ${option({ stdinA: blank("file"), stdinB: blank("file"), args: blank("command") })}, or two trace ids`,
    });
  const stdinA = asked.stdinA ?? asked.stdin;
  const stdinB = asked.stdinB ?? asked.stdin;
  if (isDeepStrictEqual([a, stdinA], [b, stdinB]))
    throw new SondeError("BAD_ARGUMENT", "both runs are the same command with the same input", {
      hint: advice`${option({ flaky: blank("n") })} compares runs of one command that end differently`,
    });
  return { a: { words: a, stdin: stdinA }, b: { words: b, stdin: stdinB } };
}

/** @param other The run that this one is compared with: places are named in its sources. */
async function record(
  context: Context,
  asked: Planning & Running,
  side: TimedSide,
  other?: Ran,
): Promise<Ran> {
  const run: Running = { ...asked, args: side.words };
  const request = runRequest(context, run);
  const stdin = side.stdin === undefined ? undefined : await bytesOf(context, side.stdin);
  return context.once(request, async (launch, signal) => {
    const program = programOf(launch.opening, side.words, context.cwd);
    const plan = inVersion(planFor(context, asked, program), other?.program, program);
    const result = await traced({
      title: titleOf(run),
      ran: ranOf(run),
      plan,
      launch,
      stdin,
      collector: asked.collector,
      bounds: { ...boundsOf(asked), total: side.seconds },
      signal,
    });
    const output = printedBy(launch);
    const { record: kept } = context.traces.save(result, output);
    refuseMissing(kept);
    return { record: kept, output, ...(program === undefined ? {} : { program }) };
  });
}

/** The program's own file: as the debugger knows it, or the first word of the command line that is one. */
function programOf(opening: Opening, words: readonly string[], cwd: string): string | undefined {
  if (opening.request === "launch" && opening.plan.program !== undefined) return opening.plan.program;
  return words
    .slice(1)
    .map((word) => resolve(cwd, word))
    .find((path) => fileLines(path) !== undefined);
}

/** Places of one version in another: by its program's own file, or by the same path below its folder. */
function inVersion(plan: Plan, from: string | undefined, to: string | undefined): Plan {
  if (from === undefined || to === undefined || from === to) return plan;
  const points = plan.points.map((point): Point => {
    const path = point.path === from ? to : resolve(dirname(to), relative(dirname(from), point.path));
    const [a, b] = [fileLines(point.path), fileLines(path)];
    if (path === point.path || a === undefined || b === undefined) return point;
    const line = mapLines(a, b).toB(point.line);
    if (line === undefined)
      throw new SondeError("BAD_LOCATION", `${point.key}: the other version has no such line`, {
        hint: BY_SOURCES,
      });
    return { ...point, path, line };
  });
  return { ...plan, points };
}

/** A place that one of the runs does not have cannot be compared. */
function refuseMissing({ title, plan, bindings, counts }: TraceRecord): void {
  const missing = plan.points.find((_point, at) => bindings[at]?.state === "unbound" && counts[at] === 0);
  if (missing === undefined) return;
  throw new SondeError("BAD_LOCATION", `${missing.key} has no code in the run of ${title}`, {
    hint: BY_SOURCES,
  });
}

const EVERYTHING = 1000;
/** Lines of a whole run are more than hits of a place; half of them are compared without a hole. */
const MANY = 60_000;

/** Without places or functions: every line of the project's own code. */
function planFor(context: Context, asked: Planning, program: string | undefined): Plan {
  const plan = planOf(context, asked);
  if (plan.points.length > 0 || plan.lines !== undefined) return plan;
  const under = [...new Set([context.cwd, ...(program === undefined ? [] : [dirname(program)])])];
  const maxHits = asked.maxHits ?? MANY;
  return { ...plan, maxHits, lines: { functions: [], under, depth: EVERYTHING } };
}

async function compareKept(context: Context, ids: readonly string[]): Promise<DiffResult> {
  const [first, second, ...rest] = ids;
  const stray = ids.find((id) => !/^t\d+$/.test(id));
  if (stray !== undefined)
    throw new SondeError("BAD_ARGUMENT", `${stray} is not a trace`, {
      hint: advice`two command lines: ${call("diff", { a: ["python", "old.py"], b: ["python", "new.py"] })}; one: ${option({ stdinA: blank("file"), stdinB: blank("file"), args: blank("command") })}`,
    });
  if (first === undefined || second === undefined || rest.length > 0)
    throw new SondeError("BAD_ARGUMENT", "diff takes two traces", {
      hint: advice`${call("trace list")} shows them; ${call("diff", { traces: ["t3", "t4"] })}`,
    });
  const [a, b] = [await context.traces.read(first), await context.traces.read(second)];
  return answer({ record: a, output: "" }, { record: b, output: "" });
}

async function flaky(context: Context, asked: DiffArgs, runs: number, time: Time): Promise<DiffResult> {
  const side = { words: asked.args ?? [], stdin: asked.stdin };
  let passing: Ran | undefined;
  let failing: Ran | undefined;
  let longest = 0;
  const counts = { runs: 0, passed: 0, failed: 0 };
  while (counts.runs < runs && time.left > 0) {
    const given = time.left;
    const ran = await record(context, asked, { ...side, seconds: given });
    const { end, seconds, partial } = ran.record;
    // Cut short by the others' time it says nothing, unless it hung where they had long ended.
    const isCut = partial !== undefined && seconds > given - 0.05; // clocks differ a little
    if (isCut && (counts.runs === 0 || seconds <= longest * HUNG)) break;
    longest = Math.max(longest, seconds);
    counts.runs++;
    if (end.exitCode === 0 && end.how === "exited") {
      counts.passed++;
      passing ??= ran;
    } else {
      counts.failed++;
      failing ??= ran;
    }
  }
  if (passing === undefined || failing === undefined) throw nothingToCompare(runs, counts, time.seconds);
  const compared = answer(passing, failing);
  const cut = advice`${counts.runs} of ${runs} runs: after ${time.seconds} s there was no time for more (${named("maxSeconds")})`;
  const notes = counts.runs < runs ? [cut, ...compared.notes] : compared.notes;
  return { ...compared, flaky: counts, notes };
}

/** A run that takes so many times as long as those that ended does not end. */
const HUNG = 3;

function nothingToCompare(
  runs: number,
  { runs: ended, passed }: { runs: number; passed: number },
  seconds: number,
): SondeError {
  const longer = advice`${LONGER} gives them more time`;
  if (ended === 0)
    return new SondeError("TIMEOUT", `the first run had not ended after ${seconds} s`, {
      hint: advice`${longer}; ${call("hang", { after: 5, args: blank("command") })} shows what it waits for`,
    });
  const how = passed > 0 ? "passed" : "failed";
  if (ended < runs)
    return new SondeError("TIMEOUT", `${ended} of ${runs} runs ended within ${seconds} s, and all ${how}`, {
      hint: longer,
    });
  const more = Math.min(runs * 5, MOST_RUNS);
  return new SondeError("BAD_ARGUMENT", `all ${runs} runs ${how}: there is nothing to compare`, {
    ...(passed === 0
      ? { hint: advice`${call("crash", { args: blank("command") })} or ${call("test")} shows the failure` }
      : more > runs
        ? { hint: advice`more runs: ${option({ flaky: more })}` }
        : {}),
  });
}

function answer(a: Ran, b: Ran): DiffResult {
  const notes: string[] = [];
  const sources = (record: TraceRecord) => (path: string) => {
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed > Date.parse(record.began) + record.seconds * 1000)
      notes.push(`${path} changed after the run: its lines may be off`);
    return fileLines(path);
  };
  const difference = compare(a.record, b.record, { a: sources(a.record), b: sources(b.record) });
  const around = (path: string | undefined, line: number) => {
    const lines = path === undefined ? [] : (fileLines(path) ?? []);
    return lines.map((text, at) => ({ number: at + 1, text })).slice(Math.max(0, line - 2), line + 1);
  };
  const { first } = difference;
  const at = (side: { path: string; line: number; ran?: number } | undefined) =>
    around(side?.path, side?.ran ?? side?.line ?? 0);
  const unlike = unlikePlans(a.record.plan, b.record.plan);
  return {
    a: runOf(a),
    b: runOf(b),
    ...(unlike === undefined ? {} : { unlike }),
    ...difference,
    source: { a: at(first?.a), b: at(first?.b) },
    notes: [...new Set([...notes, ...a.record.notes, ...b.record.notes])],
  } as DiffResult;
}

/** Two kept traces may have recorded different things: then what only one has is no difference between the runs. */
function unlikePlans(a: Plan, b: Plan): string | undefined {
  const [x, y] = [recordedBy(a), recordedBy(b)];
  if (x === y) return undefined;
  return `the traces recorded different things: A ${x}, B ${y}; what only one of them recorded is no difference between the runs`;
}

function recordedBy({ points, lines }: Plan): string {
  const places = points.map(({ key }) => key);
  const calls = lines?.functions ?? [];
  const depth = lines !== undefined && lines.depth > 0 ? ` to depth ${lines.depth}` : "";
  if (lines !== undefined && calls.length === 0) return "every line";
  return [
    ...(calls.length > 0 ? [`${[...calls].sort().join(", ")}${depth}`] : []),
    ...(places.length > 0 ? [places.sort().join(", ")] : []),
  ].join(" and ");
}

function runOf({ record, output }: Ran): DiffResult["a"] {
  const { id, title, cwd, collector, seen, dropped, partial, end } = record;
  return {
    id,
    title,
    cwd,
    collector,
    seen,
    dropped,
    end,
    output: output.slice(0, 4000),
    ...(partial === undefined ? {} : { partial }),
  };
}
