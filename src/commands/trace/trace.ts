/** trace, trace list, trace show, trace rm. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { advice, blank, type Call, call, named, option, WHOLE } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { exported, FORMATS, type Format } from "../../trace/export.ts";
import { toFeedback } from "../../trace/feedback.ts";
import { type Query, query, sizeOf } from "../../trace/query.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { type Met, trace as traced } from "../../trace/trace.ts";
import { oneLine, plural } from "../../util/text.ts";
import { withinTime } from "../../util/within-time.ts";
import { ANSWER_CEILING, lines } from "../answers/text.ts";
import { parseLocation } from "../breakpoints/location.ts";
import type { Context, RunRequest } from "../context.ts";
import { command } from "../define.ts";
import { ONE_TRACE } from "../mcp/spellings.ts";
import { sourcesOf } from "../running/moving.ts";
import {
  RUN_SECS,
  RUN_SPELLED,
  RUNS,
  type Running,
  running,
  runRequest,
  stdinOf,
  titleOf,
} from "../runs/running.ts";
import { parseMap } from "../sessions/start-arguments.ts";
import { boundsOf, PLANS, planning, planOf } from "./arguments.ts";
import { nextTrace } from "./next.ts";
import { printedIn } from "./output.ts";
import { headShape, type TraceResult, traceResult } from "./shapes.ts";
import { endText, traceText } from "./text.ts";
import { refuseUnbound } from "./unbound.ts";

export const trace = command({
  name: "trace",
  summary: "run a program to its end and record values at every hit of a line, or whole calls of a function",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: z.object({
    ...planning,
    pid: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("record a running process for --max-seconds, and leave it running"),
    follow: z.boolean().optional().describe("report the number of hits while it runs"),
    feedback: z
      .boolean()
      .optional()
      .describe('print only {"watchpoints": …, "breakpoints": …} by place (with --json: `data.feedback`)'),
    ...running,
  }),
  result: traceResult,
  cli: { rest: "args", belongs: { watch: "at", condition: "at" } },
  library: { name: "trace", names: { args: "command" } },
  mcp: {
    tool: "trace",
    action: "record",
    spelled: RUN_SPELLED,
    takes: [...PLANS, "pid", ...RUNS],
    oneOf: [["at"], ["function"]],
    usual: () => ({ maxSeconds: RUN_SECS }),
    watched: "follow",
    brief: "expressions at every hit of `at`, or each line of function's calls.",
  },
  examples: [
    "sonde trace --at loop.c:6 --watch i --watch sum -- ./loop",
    "sonde trace --at app.py:12=total,len(items) --at app.py:30=result -- python app.py",
    "sonde trace --at cart.js:40 --watch total --condition 'total < 0' -- node cart.js",
    "sonde trace --function work -- python app.py",
    "sonde trace --pid 4242 --at server.py:88 --watch request.path --max-seconds 10",
  ],
  run: async (context, args) => {
    // Whether a file that is not here is the program's is known once it is known what runs.
    const isNamed = args.pid !== undefined || (args.args ?? []).length > 0;
    const plan = planOf(context, args, () => isNamed);
    const program = plan.points[0]?.path;
    if (plan.points.length === 0 && plan.lines === undefined)
      throw new SondeError("BAD_ARGUMENT", "trace what?", {
        hint: advice`${option({ at: blank("file:line"), watch: blank("expression") })}, or ${option({ function: blank("name") })}, and the command line: ${option({ args: blank("command") })}`,
      });
    const stdin = await stdinOf(context, args);
    const request =
      args.pid === undefined ? runRequest(context, args, program) : attachRequest(context, args.pid, args);
    const title =
      args.pid === undefined ? titleOf(args, plan.points[0]?.key.replace(/:\d+$/, "")) : `pid ${args.pid}`;
    return context.once(request, async (launch, signal) => {
      for (const { key } of plan.points) parseLocation(key, context.cwd, undefined, sourcesOf(launch));
      let met: Met = { called: new Set(), declared: new Set() };
      const record = await traced({
        title,
        plan,
        launch,
        stdin,
        collector: args.collector,
        bounds: args.pid === undefined ? boundsOf(args) : { ...boundsOf(args), ...endless(args.maxSeconds) },
        signal,
        met: (functions) => {
          met = functions;
        },
        ...(args.follow ? { progress: progressTo(context) } : {}),
      });
      const printed = printedIn(context, launch, record.seen === 0 ? undefined : args);
      const saved = context.traces.save(record, printedBy(launch));
      refuseUnbound(saved.record);
      const outputFile = context.traces.outputPath(saved.record.id);
      const next =
        args.pid === undefined && !args.feedback
          ? await nextTrace(saved.record, met, {
              running: args,
              program: plan.points[0]?.path,
              cwd: context.cwd,
            })
          : undefined;
      return answer(saved.record, saved.file, {
        ...printed,
        outputFile,
        next,
        feedback: args.feedback ?? false,
      });
    });
  },
  text: traceText,
});

/** As far as it was kept. */
export function printedBy({ output }: Launch): string {
  const { events } = output.read(0, new Set(["stdout", "stderr"]));
  return events.map(({ text }) => text).join("");
}

function attachRequest({ cwd }: Context, pid: number, { adapter, map }: Running): RunRequest {
  const named = adapter === undefined ? {} : { adapter };
  return { request: "attach", plan: { pid, extra: {}, ...named, ...parseMap(map, cwd) } };
}

/** A process that is only visited may be quiet for as long as the caller likes. */
function endless(maxSeconds: number | undefined): { total: number; first: number; quiet: number } {
  const total = maxSeconds ?? 10;
  return { total, first: total, quiet: total };
}

const SAY_EVERY_MS = 1000;

function progressTo(context: Context): (seen: number) => void {
  let next = 0;
  return (seen) => {
    const now = performance.now();
    if (now < next) return;
    next = now + SAY_EVERY_MS;
    context.chunk(`… ${plural(seen, "hit")}\n`);
  };
}

function answer(
  record: TraceRecord,
  file: string,
  how: {
    output?: TraceResult["output"];
    runnerLines?: number;
    outputFile?: string;
    next?: Call | undefined;
    feedback?: boolean;
    all?: boolean;
    outOf?: number;
  },
): TraceResult {
  const { hits, ...head } = record;
  const feedback = how.feedback ? toFeedback(record) : undefined;
  const bytes = feedback === undefined ? 0 : Buffer.byteLength(JSON.stringify(feedback));
  if (bytes > ANSWER_CEILING - 1024)
    throw new SondeError(
      "BAD_ARGUMENT",
      `the answer would be ${bytes} bytes, which is more than one answer may be`,
      {
        hint: advice`${call("trace show", { id: head.id, feedback: true, to: blank("file") })} writes it to a file`,
      },
    );
  return {
    trace: head,
    file,
    hits,
    ...(how.output === undefined ? {} : { output: how.output }),
    ...(how.runnerLines === undefined ? {} : { runnerLines: how.runnerLines }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(how.outputFile === undefined ? {} : { outputFile: how.outputFile }),
    ...(how.next === undefined ? {} : { next: how.next }),
    ...(how.all ? { all: true } : {}),
    ...(how.outOf === undefined ? {} : { outOf: how.outOf }),
  } as TraceResult;
}

export const traceList = command({
  name: "trace list",
  summary: "list the saved traces, newest first",
  group: "runs",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({
    traces: z.array(z.object({ head: headShape, file: z.string(), bytes: z.number() })),
    damaged: z
      .array(z.object({ id: z.string(), file: z.string(), bytes: z.number(), why: z.string() }))
      .describe("their files were cut short or changed, or are of a newer version"),
  }),
  mcp: { tool: "trace", action: "list", brief: "those kept." },
  run: async (context) => {
    const all = await context.traces.list();
    return {
      traces: all.flatMap((one) =>
        "head" in one
          ? [{ head: one.head as z.infer<typeof headShape>, file: one.file, bytes: one.bytes }]
          : [],
      ),
      damaged: all.flatMap((one) =>
        "damage" in one ? [{ id: one.id, file: one.file, bytes: one.bytes, why: one.damage.why }] : [],
      ),
    };
  },
  text: ({ traces, damaged }, { say }) =>
    lines(
      traces.length + damaged.length === 0 && "no traces",
      traces.map(({ head, bytes }) => {
        const what =
          head.plan.lines?.functions.map((name) => `${name}()`) ?? head.plan.points.map(({ key }) => key);
        const state = head.partial === undefined ? endText(head.end) : "partial";
        return oneLine(
          `${head.id}  ${head.began.slice(0, 19).replace("T", " ")}  ${plural(head.seen, "hit")}  ${state}  ${what.join(", ")}  ${head.title}  (${Math.ceil(bytes / 1024)} KiB)`,
        );
      }),
      damaged.map(({ id, why }) => oneLine(say(advice`${id}  ${why}: ${call("trace rm", { id })}`))),
    ),
});

export const traceShow = command({
  name: "trace show",
  summary: "show a saved trace or a part of it, or write it to a file for other tools",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "reads",
  args: z.object({
    id: z.string().optional().describe("which trace (default: the newest)"),
    at: z.array(z.string()).optional().describe("only this place"),
    watch: z.array(z.string()).optional().describe("only this expression").meta({ mcp: "expressions" }),
    hits: z
      .string()
      .optional()
      .describe("only these hits of a place, or calls of a function: 7, 3..9, 100..")
      .meta({ mcp: "range", brief: "3..9" }),
    where: z
      .string()
      .optional()
      .describe("only hits where this holds: 'sum < 0 && i > 3', 'name =~ ^a'")
      .meta({ brief: "sum < 0" }),
    changes: z.boolean().optional().describe("only hits where a value differs from the hit before"),
    first: z.number().int().nonnegative().optional().describe("only the first N"),
    last: z.number().int().nonnegative().optional().describe("only the last N"),
    all: z.boolean().optional().describe("every row, as far as one answer can hold"),
    feedback: z.boolean().optional().describe('as {"watchpoints": …, "breakpoints": …}'),
    format: z.enum(FORMATS).optional().describe("a format for other tools; needs --to"),
    to: z.string().optional().describe("write it to this file"),
  }),
  result: traceResult,
  cli: { positionals: ["id"] },
  mcp: {
    tool: "trace",
    action: "show",
    spelled: [ONE_TRACE],
    takes: ["at", "watch", "where", "hits", "changes", "first", "last", "all"],
    brief: "part of a kept trace.",
  },
  examples: [
    "sonde trace show t3 --where 'sum < 0' --first 5",
    "sonde trace show --changes --watch total",
    "sonde trace show t3 --format csv --to hits.csv",
  ],
  run: async (context, args) => {
    const whole = await context.traces.read(args.id);
    const file = context.traces.path(whole.id);
    const record = asked(whole, queryOf(args));
    if (args.format !== undefined || (args.feedback && args.to !== undefined))
      return written(context, record, file, args);
    if (args.to !== undefined)
      throw new SondeError(
        "BAD_ARGUMENT",
        advice`${named("to")} needs ${option({ format: blank("json|jsonl|csv") })}, or ${option({ feedback: true })}`,
      );
    const filtered = [args.hits, args.where, args.changes, args.first, args.last].some(
      (one) => one !== undefined,
    );
    return answer(record, file, {
      feedback: args.feedback ?? false,
      all: (args.all ?? false) || filtered,
      ...(filtered ? { outOf: sizeOf(whole) } : {}),
    });
  },
  text: traceText,
});

/** How long a pattern of the caller's (`name =~ …`) may search: some would for ever. */
const SEARCH_MS = 2000;

function asked(whole: TraceRecord, what: Query): TraceRecord {
  if (!what.where?.includes("=~")) return query(whole, what);
  const found = withinTime(SEARCH_MS, () => query(whole, what));
  if (found) return found.value;
  throw new SondeError(
    "BAD_ARGUMENT",
    advice`${named("where")}: this pattern takes over ${SEARCH_MS / 1000} s`,
    {
      hint: advice`a simpler pattern behind =~, or fewer hits: ${call("trace show", { hits: blank("from..to") })}`,
    },
  );
}

interface Asked {
  at?: string[] | undefined;
  watch?: string[] | undefined;
  hits?: string | undefined;
  where?: string | undefined;
  changes?: boolean | undefined;
  first?: number | undefined;
  last?: number | undefined;
}

function queryOf({ at, watch, hits, where, changes, first, last }: Asked): Query {
  return {
    ...(at === undefined ? {} : { at }),
    ...(watch === undefined ? {} : { expressions: watch }),
    ...(hits === undefined ? {} : { hits }),
    ...(where === undefined ? {} : { where }),
    ...(changes === undefined ? {} : { changes }),
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
  };
}

function written(
  context: Context,
  record: TraceRecord,
  file: string,
  { format, to }: { format?: Format | undefined; to?: string | undefined },
): TraceResult {
  if (to === undefined)
    throw new SondeError("BAD_ARGUMENT", advice`${named("format")} needs ${option({ to: blank("file") })}`, {
      hint: advice`${WHOLE} gives the answer itself as JSON`,
    });
  const text = format === undefined ? `${JSON.stringify(toFeedback(record))}\n` : exported(record, format);
  const target = resolve(context.cwd, to);
  writeFileSync(target, text);
  const result = answer({ ...record, hits: [] }, file, {});
  return {
    ...result,
    written: { file: target, bytes: Buffer.byteLength(text), format: format ?? "feedback" },
  };
}

export const traceRemove = command({
  name: "trace rm",
  summary: "remove a saved trace",
  group: "runs",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    id: z.string().optional().describe("which trace"),
    all: z.boolean().optional().describe("all of them"),
  }),
  result: z.object({ removed: z.number() }),
  cli: { positionals: ["id"] },
  run: async (context, { id, all }) => {
    if (all) return { removed: context.traces.removeAll() };
    if (id === undefined)
      throw new SondeError(
        "BAD_ARGUMENT",
        advice`which trace? give ${named("id")} or ${option({ all: true })}`,
        {
          hint: advice`${call("trace list")} shows them`,
        },
      );
    context.traces.remove(id);
    return { removed: 1 };
  },
  text: ({ removed }) => `removed ${plural(removed, "trace")}\n`,
});
