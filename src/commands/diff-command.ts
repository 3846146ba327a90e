/** diff: two runs, and where they part. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { SondeError } from "../errors.ts";
import { toLines } from "../session/output-tail.ts";
import { fileLines } from "../session/source.ts";
import { compare } from "../trace/diff/compare.ts";
import type { Plan } from "../trace/plan.ts";
import type { TraceRecord } from "../trace/record.ts";
import { trace as traced } from "../trace/trace.ts";
import { splitWords } from "../util/shell-words.ts";
import type { Context } from "./context.ts";
import { command } from "./define.ts";
import { type DiffResult, diffResult } from "./diff-shapes.ts";
import { diffText } from "./diff-text.ts";
import { prepareRun, type Running, running, titleOf } from "./one-shot.ts";
import { readStdin } from "./start-arguments.ts";
import { boundsOf, type Planning, planning, planOf } from "./trace-arguments.ts";

const args = z.object({
  traces: z.array(z.string()).optional().describe("two kept traces"),
  a: z.string().optional().describe("command line of run A, in one word: --a 'python old.py'"),
  b: z.string().optional().describe("command line of run B"),
  stdinA: z.string().optional().describe("file for A's standard input"),
  stdinB: z.string().optional().describe("file for B's standard input"),
  flaky: z
    .number()
    .int()
    .min(2)
    .optional()
    .describe("run the command so many times and compare a run that passes with one that fails"),
  ...planning,
  ...running,
});
type DiffArgs = z.infer<typeof args>;

export const diff = command({
  name: "diff",
  summary: "compare two runs and show where they first part: two commands, inputs, versions or kept traces",
  group: "runs",
  needs: "nothing",
  effect: "changes",
  args,
  result: diffResult,
  cli: { positionals: ["traces"], rest: "args", belongs: { watch: "at", condition: "at" } },
  examples: [
    "sonde diff --a 'python buggy.py' --b 'python fixed.py'",
    "sonde diff --stdin-a good.txt --stdin-b bad.txt -- node parse.js",
    "sonde diff --a ./old --b ./new --at sum.c:9 --watch total",
    "sonde diff --flaky 10 -- python -m pytest test_race.py",
    "sonde diff t3 t4",
  ],
  run: async (context, asked) => {
    if (asked.traces && asked.traces.length > 0) return compareKept(context, asked.traces);
    if (asked.flaky !== undefined) return flaky(context, asked, asked.flaky);
    const sides = sidesOf(asked);
    const a = await record(context, asked, sides.a);
    const b = await record(context, asked, sides.b);
    return answer(a, b);
  },
  text: diffText,
});

interface Ran {
  record: TraceRecord;
  output: string;
}

interface SideArgs {
  words: string[];
  stdin: string | undefined;
}

function sidesOf(asked: DiffArgs): { a: SideArgs; b: SideArgs } {
  const shared = asked.args ?? [];
  const words = (text: string | undefined) => (text === undefined ? shared : splitWords(text));
  const [a, b] = [words(asked.a), words(asked.b)];
  if (a.length === 0 || b.length === 0)
    throw new SondeError("BAD_ARGUMENT", "diff compares two runs: which?", {
      hint: "--a '<command>' --b '<command>', or --stdin-a <file> --stdin-b <file> -- <command>, or two trace ids",
    });
  const stdinA = asked.stdinA ?? asked.stdin;
  const stdinB = asked.stdinB ?? asked.stdin;
  if (a.join("\0") === b.join("\0") && stdinA === stdinB)
    throw new SondeError("BAD_ARGUMENT", "both runs are the same command with the same input", {
      hint: "--flaky <n> compares runs of one command that end differently",
    });
  return { a: { words: a, stdin: stdinA }, b: { words: b, stdin: stdinB } };
}

async function record(context: Context, asked: Planning & Running, side: SideArgs): Promise<Ran> {
  const run: Running = { ...asked, args: side.words };
  const session = await prepareRun(context, run);
  const stdin = side.stdin === undefined ? undefined : await readStdin(context, side.stdin);
  const plan = planFor(
    context,
    asked,
    session.opening.request === "launch" ? session.opening.plan.program : undefined,
  );
  return context.once(session, async (signal) => {
    const result = await traced({
      title: titleOf(run),
      plan,
      session,
      stdin,
      collector: asked.collector,
      bounds: boundsOf(asked),
      signal,
    });
    const lines = toLines(session.output.read().events);
    const output = lines.map(({ text }) => text).join("\n");
    return { record: context.traces.save(result).record, output };
  });
}

const EVERYTHING = 1000;

/** Without places or functions: every line of the project's own code. */
function planFor(context: Context, asked: Planning, program: string | undefined): Plan {
  const plan = planOf(context, asked);
  if (plan.points.length > 0 || plan.lines !== undefined) return plan;
  const under = [...new Set([context.cwd, ...(program === undefined ? [] : [dirname(program)])])];
  return { ...plan, lines: { functions: [], under, depth: EVERYTHING } };
}

async function compareKept(context: Context, ids: readonly string[]): Promise<DiffResult> {
  const [first, second, ...rest] = ids;
  if (first === undefined || second === undefined || rest.length > 0)
    throw new SondeError("BAD_ARGUMENT", "diff takes two traces", {
      hint: "`sonde trace list`; sonde diff t3 t4",
    });
  const [a, b] = [await context.traces.read(first), await context.traces.read(second)];
  return answer({ record: a, output: "" }, { record: b, output: "" });
}

async function flaky(context: Context, asked: DiffArgs, runs: number): Promise<DiffResult> {
  const words = asked.args ?? [];
  let passing: Ran | undefined;
  let failing: Ran | undefined;
  const counts = { runs: 0, passed: 0, failed: 0 };
  for (; counts.runs < runs; counts.runs++) {
    const ran = await record(context, asked, { words, stdin: asked.stdin });
    const { exitCode, how } = ran.record.end;
    if (exitCode === 0 && how === "exited") {
      counts.passed++;
      passing ??= ran;
    } else {
      counts.failed++;
      failing ??= ran;
    }
  }
  if (passing === undefined || failing === undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      `all ${runs} runs ${passing ? "passed" : "failed"}: there is nothing to compare`,
      {
        hint: passing
          ? `more runs: --flaky ${runs * 5}`
          : "`sonde crash -- <command>` or `sonde test` shows the failure",
      },
    );
  return { ...answer(passing, failing), flaky: counts };
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
  return {
    a: runOf(a),
    b: runOf(b),
    ...difference,
    source: { a: at(first?.a), b: at(first?.b) },
    notes: [...new Set([...notes, ...a.record.notes, ...b.record.notes])],
  } as DiffResult;
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
    output: output.slice(-4000),
    ...(partial === undefined ? {} : { partial }),
  };
}
