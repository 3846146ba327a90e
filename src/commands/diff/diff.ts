/** diff: two runs, and where they part. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { advice, blank, call, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { commandLine, programInput } from "../argument-types.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { TWO_RUNS } from "../mcp/spellings.ts";
import { RUN_SECS, running } from "../runs/running.ts";
import { PLANS, planning } from "../trace/arguments.ts";
import { flaky, MOST_RUNS } from "./flaky.ts";
import { kept } from "./kept.ts";
import { MANY, type Side } from "./recorded.ts";
import { type DiffResult, diffResult } from "./shapes.ts";
import { diffText } from "./text.ts";
import { Time } from "./time.ts";
import { two } from "./two.ts";

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
      `run the command this many times, up to ${MOST_RUNS}, and compare a run that passes (exit status 0) with one that fails`,
    ),
  ...planning,
  ...running,
  maxSeconds: z
    .number()
    .positive()
    .optional()
    .describe(`time limit in seconds for all runs in total (default ${SECONDS})`)
    .meta({ mcp: "timeout" }),
  maxHits: planning.maxHits.describe(
    `keep at most this many hits of each run, half of them the first and half the last (default 20000; ${MANY} without --at and --function)`,
  ),
  package: planning.package.describe(
    "also record the code of this installed package (node_modules, site-packages), even if it is the same in both runs",
  ),
});
type DiffArgs = z.infer<typeof args>;

export const diff = command({
  name: "diff",
  summary:
    "compare two runs (two commands, inputs, versions or saved traces) and show where they first differ; without --at or --function, every line of your code is compared",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  reads: ({ traces, ...rest }) => traces !== undefined && Object.keys(rest).length === 0,
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
    brief: "where two runs diverge: command/command_b, stdin/stdin_b, two traces, or runs of a flaky one.",
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
          advice`${named(stray[0])} applies only to new runs; ${named("traces")} are already recorded`,
        );
      return compareKept(context, asked.traces);
    }
    const time = new Time(asked.maxSeconds ?? SECONDS);
    if (asked.flaky !== undefined) return flaky(context, asked, asked.flaky, time);
    return two(context, asked, sidesOf(asked), time);
  },
  text: diffText,
});

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
  return kept(context, first, second);
}
