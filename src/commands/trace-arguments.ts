/** From what is typed to a plan: places with their expressions, functions, bounds. */
import { resolve } from "node:path";
import * as z from "zod";
import { SondeError } from "../errors.ts";
import type { Plan, Point } from "../trace/plan.ts";
import type { Bounds } from "../trace/trace.ts";
import type { Context } from "./context.ts";
import { parseBreak, parseLocation } from "./location.ts";

const place = z.object({
  location: z.string().describe("file:line"),
  watch: z.array(z.string()).exactOptional(),
  condition: z.string().exactOptional(),
});

export const planning = {
  at: z
    .array(z.union([z.string(), place]))
    .optional()
    .describe(
      "record here, each time the line is about to run: file:line, file:line=expr,expr, file:line if cond",
    ),
  watch: z
    .array(z.string())
    .optional()
    .describe("an expression to record: at the --at before it, or at all if it comes first"),
  condition: z
    .array(z.string())
    .optional()
    .describe("record only hits where this is true: for the --at before it"),
  function: z
    .array(z.string())
    .optional()
    .describe("record whole calls of this function: arguments, each line with what it changed, result"),
  depth: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("with --function: also calls it makes, so deep (default 0)"),
  frames: z.number().int().nonnegative().optional().describe("frames of each hit's backtrace (default 3)"),
  maxHits: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("hits to keep: the first half, then the newest (default 20000)"),
  maxSeconds: z.number().positive().optional().describe("end the run after so long (default 300)"),
  firstSeconds: z
    .number()
    .positive()
    .optional()
    .describe("…or when nothing was hit for so long (default 30)"),
  exitSeconds: z.number().positive().optional().describe("…or so long after the last hit (default 30)"),
  collector: z
    .string()
    .optional()
    .describe("force a way to record; `stops` is the plain one (default: the fastest that fits)"),
};

export type Planning = z.infer<z.ZodObject<typeof planning>>;

const DEFAULTS = { frames: 3, maxHits: 20_000, total: 300, first: 30, quiet: 30 };

export function planOf(context: Context, args: Planning): Plan {
  const { cwd, limits } = context;
  const points = (args.at ?? []).map((one) => pointOf(one, args.watch ?? [], cwd));
  const functions = args.function ?? [];
  if (points.length > 0 && functions.length > 0)
    throw new SondeError(
      "BAD_ARGUMENT",
      "either --at or --function: one trace records places, another whole calls",
    );
  if (args.condition && args.condition.length > 0)
    throw new SondeError("BAD_ARGUMENT", "--condition belongs to the --at before it", {
      hint: "--at app.py:12 --condition 'n > 3'",
    });
  return {
    points,
    ...(functions.length === 0 ? {} : { lines: { functions, under: [cwd], depth: args.depth ?? 0 } }),
    frames: args.frames ?? DEFAULTS.frames,
    valueChars: limits.valueChars,
    maxHits: args.maxHits ?? DEFAULTS.maxHits,
  };
}

export function boundsOf(args: Planning): Bounds {
  return {
    total: args.maxSeconds ?? DEFAULTS.total,
    first: args.firstSeconds ?? DEFAULTS.first,
    quiet: args.exitSeconds ?? DEFAULTS.quiet,
  };
}

function pointOf(one: string | z.infer<typeof place>, everywhere: readonly string[], cwd: string): Point {
  const given: z.infer<typeof place> = typeof one === "string" ? { location: one } : one;
  const split = splitExpressions(given.location);
  const { location, condition } = parseBreak(split.location);
  const { path, line } = parseLocation(location, cwd);
  const expressions = [...new Set([...everywhere, ...split.expressions, ...(given.watch ?? [])])];
  const when = given.condition ?? condition;
  return {
    key: location,
    path: resolve(path),
    line,
    expressions,
    ...(when === undefined ? {} : { condition: when }),
  };
}

/** `file:12=a,f(b, c)`: commas inside brackets and quotes belong to an expression. */
export function splitExpressions(text: string): { location: string; expressions: string[] } {
  const [, location, list] = /^(.+?:\d+(?::\d+)?)=(.+)$/s.exec(text) ?? [];
  if (location === undefined || list === undefined) return { location: text, expressions: [] };
  const expressions: string[] = [];
  let depth = 0;
  let quote: string | undefined;
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const char = list.charAt(at);
    if (quote !== undefined) {
      if (char === "\\") at++;
      else if (char === quote) quote = undefined;
    } else if (/["'`]/.test(char)) quote = char;
    else if (/[([{]/.test(char)) depth++;
    else if (/[)\]}]/.test(char)) depth--;
    else if (char === "," && depth === 0) {
      expressions.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return { location, expressions: [...expressions, list.slice(start).trim()].filter((one) => one !== "") };
}
