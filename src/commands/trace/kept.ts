/** trace list, trace show, trace rm. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { advice, blank, call, named, option, WHOLE } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { exported, FORMATS, type Format } from "../../trace/export.ts";
import { toFeedback } from "../../trace/feedback.ts";
import { type Query, query, sizeOf } from "../../trace/query.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { oneLine, plural } from "../../util/text.ts";
import { withinTime } from "../../util/within-time.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { ONE_TRACE } from "../mcp/spellings.ts";
import { answer } from "./answer.ts";
import { headShape, type TraceResult, traceResult } from "./shapes.ts";
import { endText, traceText } from "./text.ts";

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
          head.plan.lines?.functions.map((name) => `${name}()`) ??
          (head.calls === undefined ? head.plan.points.map(({ key }) => key) : ["calls"]);
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
  watchable: ({ to }) => to === undefined,
  args: z.object({
    id: z.string().optional().describe("which trace (default: the newest)"),
    at: z.array(z.string()).optional().describe("only this location"),
    watch: z.array(z.string()).optional().describe("only this expression").meta({ mcp: "expressions" }),
    hits: z
      .string()
      .optional()
      .describe("only these hits of a location, or calls of a function: 7, 3..9, 100..")
      .meta({ mcp: "range", brief: "3..9" }),
    where: z
      .string()
      .optional()
      .describe("only hits where this is true: 'sum < 0 && i > 3', 'name =~ ^a'")
      .meta({ brief: "sum < 0" }),
    changes: z.boolean().optional().describe("only hits where a value differs from the hit before"),
    first: z.number().int().nonnegative().optional().describe("only the first N"),
    last: z.number().int().nonnegative().optional().describe("only the last N"),
    timeline: z
      .boolean()
      .optional()
      .describe(
        "show the hits of all locations, threads and processes in one list, in the order they happened",
      )
      .meta({ brief: "by the clock" }),
    all: z.boolean().optional().describe("every row that fits into one answer"),
    feedback: z
      .boolean()
      .optional()
      .describe('only the values and stacks, as JSON for other tools: {"watchpoints": …, "breakpoints": …}'),
    format: z.enum(FORMATS).optional().describe("a format for other tools; needs --to"),
    to: z.string().optional().describe("write it to this file").meta({ placeholder: "file" }),
  }),
  result: traceResult,
  cli: { positionals: ["id"] },
  mcp: {
    tool: "trace",
    action: "show",
    spelled: [ONE_TRACE],
    takes: ["at", "watch", "where", "hits", "changes", "first", "last", "timeline", "all"],
    brief: "part of a kept trace.",
  },
  examples: [
    "sonde trace show t3 --where 'sum < 0' --first 5",
    "sonde trace show --changes --watch total",
    "sonde trace show --timeline",
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
      timeline: args.timeline ?? false,
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
    advice`${named("where")}: this pattern needs more than ${SEARCH_MS / 1000} s`,
    {
      hint: advice`use a simpler pattern after =~, or fewer hits: ${call("trace show", { hits: blank("from..to") })}`,
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
    all: z.boolean().optional().describe("all of them; without --yes, only list them"),
    yes: z.boolean().optional().describe("with --all: remove them"),
  }),
  result: z.object({ removed: z.number(), would: z.number().exactOptional(), next: z.array(told()) }),
  cli: { positionals: ["id"] },
  run: async (context, { id, all, yes }) => {
    if (all && yes) return { removed: context.traces.removeAll(), next: [] };
    if (all) {
      const would = (await context.traces.list()).length;
      const next = would === 0 ? [] : [advice`${call("trace rm", { all, yes: true })} removes them`];
      return { removed: 0, would, next };
    }
    if (id === undefined)
      throw new SondeError(
        "BAD_ARGUMENT",
        advice`which trace? give ${named("id")} or ${option({ all: true })}`,
        {
          hint: advice`${call("trace list")} shows them`,
        },
      );
    context.traces.remove(id);
    return { removed: 1, next: [] };
  },
  text: ({ removed, would, next }, { say }) =>
    lines(
      would === undefined ? `removed ${plural(removed, "trace")}` : `would remove ${plural(would, "trace")}`,
      next.map(say),
    ),
});
