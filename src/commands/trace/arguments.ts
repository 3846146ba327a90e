/** From what is typed to a plan: places with their expressions, functions, bounds. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { advice, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { isSource } from "../../trace/callees.ts";
import { COLLECTORS } from "../../trace/collectors/index.ts";
import type { Plan, Point } from "../../trace/plan.ts";
import type { Bounds } from "../../trace/trace.ts";
import { type BreakText, parseBreak, parseLocation, type Sources } from "../breakpoints/location.ts";
import type { Context } from "../context.ts";
import { typedMap } from "../sessions/start-arguments.ts";

const place = z.object({
  location: z.string().describe("file:line"),
  watch: z.array(z.string()).exactOptional(),
  condition: z.string().exactOptional(),
});

export const planning = {
  at: z
    .array(z.union([z.string(), place]))
    .optional()
    .describe("record each time this line is about to run: file:line[=expr,expr][ if cond]")
    .meta({ brief: "file:line[=expr,expr][ if expr]" }),
  watch: z
    .array(z.string())
    .optional()
    .describe(
      "an expression to record at the preceding --at; if it comes before the first --at, at all of them",
    )
    .meta({ mcp: "expressions" }),
  condition: z
    .array(z.string())
    .optional()
    .describe("at the preceding --at, record only hits where this is true (not with --function)"),
  function: z
    .array(z.string())
    .optional()
    .describe(
      "record whole calls of this function (Cart.total, #private): arguments, each line with what it changed, result; not with --at",
    )
    .meta({ list: "either" }),
  depth: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("with --function: also record the calls it makes, this many levels deep (default 0)")
    .meta({ brief: "nested calls" }),
  package: z
    .array(z.string())
    .optional()
    .describe("with --function: also record the code of this installed package (node_modules, site-packages)")
    .meta({ list: "either", brief: "installed packages to record too" }),
  frames: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("stack frames to record at each hit (default 3)"),
  maxHits: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("keep at most this many hits, half of them the first and half the last (default 20000)"),
  maxSeconds: z
    .number()
    .positive()
    .optional()
    .describe("end the run after this many seconds (default 300)")
    .meta({ mcp: "timeout" }),
  firstSeconds: z
    .number()
    .positive()
    .optional()
    .describe("give up if nothing is hit within this many seconds (default 30)"),
  exitSeconds: z
    .number()
    .positive()
    .optional()
    .describe("end the run if nothing more is hit for this many seconds (default 30)"),
  collector: z
    .string()
    .optional()
    .describe(
      `how to record (default: the fastest way that works; docs/traces.md describes each): ${COLLECTORS.join(", ")}`,
    ),
};

/** Of them, what a tool call can give. */
export const PLANS = ["at", "watch", "function", "depth", "package", "maxSeconds"] as const;

export type Planning = z.infer<z.ZodObject<typeof planning>>;

const DEFAULTS = { frames: 3, maxHits: 20_000, total: 300, first: 30, quiet: 30 };

/** `has`: that a file which is not on this machine may be one of the program's. */
export function planOf(
  context: Context,
  args: Planning & { map?: string[] | undefined; args?: string[] | undefined; cwd?: string | undefined },
  has?: Sources["has"],
): Plan {
  const { cwd, limits } = context;
  const map = typedMap(context, args.map);
  const sources: Sources = { map, ...(has === undefined ? {} : { has }) };
  const points = (args.at ?? []).map((one) => pointOf(one, args.watch ?? [], cwd, sources));
  const functions = args.function ?? [];
  if (points.length > 0 && functions.length > 0)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`give either ${named("at")} or ${named("function")}: a trace records places or whole calls, not both`,
    );
  if (args.condition && args.condition.length > 0)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("condition")} must come after the ${named("at")} that it belongs to`,
      {
        hint: advice`${option({ at: ["app.py:12"], condition: ["n > 3"] })}`,
      },
    );
  return {
    points,
    ...(functions.length === 0
      ? {}
      : { lines: { functions, under: foldersOf(cwd, args), depth: args.depth ?? 0, ...packagesOf(args) } }),
    frames: args.frames ?? DEFAULTS.frames,
    valueChars: limits.valueChars,
    maxHits: args.maxHits ?? DEFAULTS.maxHits,
    ...(map.length === 0 ? {} : { pathMap: map }),
  };
}

function packagesOf({ package: names }: Planning): { packages?: string[] } {
  return names === undefined ? {} : { packages: names };
}

/** The user's folder, that in which the program runs, and that of its file, where they lie elsewhere. */
export function foldersOf(
  from: string,
  { args = [], cwd = "." }: { args?: string[] | undefined; cwd?: string | undefined },
): string[] {
  const runsIn = resolve(from, cwd);
  const file = args.find((word) => !word.startsWith("-") && isSource(word));
  const path = resolve(runsIn, file ?? ".");
  const isOwn = existsSync(path) && !/\/(node_modules|site-packages|dist-packages)\//.test(path);
  const folders = [from, runsIn, ...(file !== undefined && isOwn ? [dirname(path)] : [])];
  const isBelow = (one: string, other: string) =>
    one === other || one.startsWith(`${other.replace(/\/$/, "")}/`);
  return folders.filter((one, at) => !folders.slice(0, at).some((other) => isBelow(one, other)));
}

export function boundsOf(args: Planning): Bounds {
  return {
    total: args.maxSeconds ?? DEFAULTS.total,
    first: args.firstSeconds ?? DEFAULTS.first,
    quiet: args.exitSeconds ?? DEFAULTS.quiet,
  };
}

/** As they were given: a program that does not end by itself needs them again. */
export function boundArgs({ maxSeconds, firstSeconds, exitSeconds }: Planning): Planning {
  return { maxSeconds, firstSeconds, exitSeconds };
}

function pointOf(
  one: string | z.infer<typeof place>,
  everywhere: readonly string[],
  cwd: string,
  sources: Sources,
): Point {
  const given: z.infer<typeof place> = typeof one === "string" ? { location: one } : one;
  const { location, expressions: own, condition } = splitPlace(given.location);
  const { path, line } = parseLocation(location, cwd, undefined, sources);
  const expressions = [...new Set([...everywhere, ...own, ...(given.watch ?? [])])];
  const when = given.condition ?? condition;
  return {
    key: location,
    path: resolve(path),
    line,
    expressions,
    ...(when === undefined ? {} : { condition: when }),
  };
}

interface PlaceText extends BreakText {
  expressions: string[];
}

/** `file:12=a,f(b, c) if n > 3`: commas and an `if` inside brackets and quotes belong to an expression. */
export function splitPlace(text: string): PlaceText {
  const end = LISTED.exec(text);
  const condition = text.search(/\sif\s/);
  const list = end === null ? "" : text.slice(end.index + end[0].length);
  if (end === null || list === "" || (condition >= 0 && condition < end.index))
    return { ...parseBreak(text), expressions: [] };
  const location = text.slice(0, end.index) + (end[1] ?? "");
  return { location, ...listOf(list) };
}

/** Where a place ends and its list begins. */
const LISTED = /(?<=.)(:\d+(?::\d+)?)\s*=(?!=)/s;

function listOf(list: string): Omit<PlaceText, "location"> {
  const marks = [...topLevel(list)];
  const when = conditionIn(marks, list);
  const end = when?.at ?? list.length;
  const commas = marks.filter(({ word, at }) => word === "," && at < end).map(({ at }) => at);
  const expressions = [...commas, end]
    .map((to, index) => list.slice(index === 0 ? 0 : (commas[index - 1] ?? 0) + 1, to).trim())
    .filter((one) => one !== "");
  return { expressions, ...(when === undefined ? {} : { condition: when.text }) };
}

interface Mark {
  word: string;
  at: number;
}

/** Commas, `if` and `else` that stand in no brackets and no quotes. */
function* topLevel(text: string): Generator<Mark> {
  let depth = 0;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== undefined) {
      if (char === "\\") at++;
      else if (char === quote) quote = undefined;
    } else if (/["'`]/.test(char)) quote = char;
    else if (/[([{]/.test(char)) depth++;
    else if (/[)\]}]/.test(char)) depth--;
    else if (depth === 0) {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0];
      if (word !== undefined) yield { word, at };
    }
  }
}

const WORD = /,|(?<![\w.$])(?:if|else)(?![\w$])/y;

/** The first `if` that has no `else`: one that has is a conditional expression (`a if b else c`). */
function conditionIn(marks: readonly Mark[], text: string): { at: number; text: string } | undefined {
  const open: number[] = [];
  for (const { word, at } of marks) {
    if (word === "if") open.push(at);
    else if (word === "else") open.pop();
  }
  const [at] = open;
  const condition = at === undefined ? "" : text.slice(at + "if".length).trim();
  return at === undefined || condition === "" ? undefined : { at, text: condition };
}
