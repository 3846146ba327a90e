/** profile diff: what got slower from one profile to another. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import type { Change, Measure } from "../../../diagnostics/profile/diff.ts";
import { totalsOf, type Unit } from "../../../diagnostics/profile/profile.ts";
import type { StoredProfile } from "../../../diagnostics/profile/store.ts";
import { amountText } from "../../../diagnostics/profile/words.ts";
import { SondeError } from "../../../errors.ts";
import { cut, oneLine, plural } from "../../../util/text.ts";
import { lines, shortPath, type TextOptions } from "../../answers/text.ts";
import type { Context } from "../../context.ts";
import { command } from "../../define.ts";

const TOP = 15;

const measure = z.object({
  self: z.number().describe("in the function itself, a run or a second: ns, or bytes"),
  selfShare: z.number(),
  total: z.number(),
  totalShare: z.number(),
  samples: z.number(),
});

const change = z.object({
  name: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  a: measure.optional().describe("left out: it is new"),
  b: measure.optional().describe("left out: it is gone"),
  delta: z.number(),
  deltaShare: z.number(),
  error: z.number().describe("twice the standard error of delta, by the number of samples"),
});

const side = z.object({ title: z.string(), busy: z.number(), samples: z.number() });

const result = z.object({
  per: z.enum(["run", "second"]),
  unit: z.enum(["ns", "bytes", "samples"]),
  a: side,
  b: side,
  slower: z.array(change).describe("what takes more in b, the most first"),
  faster: z.array(change).describe("what takes less in b"),
  moreSlower: z.number(),
  moreFaster: z.number(),
  unsure: z.number().describe("functions that differ by less than sampling can tell"),
});
type DiffResult = z.infer<typeof result>;

export const profileDiff = command({
  name: "profile diff",
  summary: "compare two profiles: which functions got slower, and which faster",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    a: z.string().describe("the first: an id (p1), or a file (.cpuprofile, speedscope, folded, pprof)"),
    b: z.string().describe("the second"),
    per: z
      .enum(["run", "second"])
      .optional()
      .describe("compare whole runs, or a second of each (default: runs if both ran to their end)"),
  }),
  result,
  cli: { positionals: ["a", "b"] },
  mcp: {
    tool: "diagnose",
    action: "profile_diff",
    takes: ["a", "b", "per"],
    brief: "ids or files; what got slower.",
  },
  examples: ["sonde profile diff p1 p2", "sonde profile diff before.cpuprofile after.cpuprofile"],
  run: async (context, { a, b, per }): Promise<DiffResult> => {
    const { compare } = await import("../../../diagnostics/profile/diff.ts");
    const [one, two] = await Promise.all([sideOf(context, a), sideOf(context, b)]);
    if (one.profile.unit !== two.profile.unit)
      throw new SondeError(
        "BAD_ARGUMENT",
        `${a} is of ${unitText(one.profile.unit)}, ${b} of ${unitText(two.profile.unit)}`,
      );
    const found = compare(one, two, per ?? (one.isWhole && two.isWhole ? "run" : "second"));
    return {
      per: found.per,
      unit: one.profile.unit,
      a: { title: one.title, ...found.a },
      b: { title: two.title, ...found.b },
      slower: found.slower.slice(0, TOP).map(told),
      faster: found.faster.slice(0, TOP).map(told),
      moreSlower: Math.max(0, found.slower.length - TOP),
      moreFaster: Math.max(0, found.faster.length - TOP),
      unsure: found.unsure,
    };
  },
  text: diffText,
});

interface SideOf extends Pick<StoredProfile, "profile" | "seconds" | "title"> {
  /** Of a run to its end. */
  isWhole: boolean;
}

/** A file where there is one of that name, if only by its path. */
async function sideOf(context: Context, named: string): Promise<SideOf> {
  const path = resolve(context.cwd, named);
  if (/^p\d+$/.test(named) && !existsSync(path)) {
    const { stored } = await import("../../../diagnostics/profile/store.ts");
    const { profile, seconds, title, end } = stored(context.places.profiles, named);
    return { profile, seconds, title, isWhole: end.how === "program" || profile.unit === "bytes" };
  }
  const { readProfileFile } = await import("../../../diagnostics/profile/read-file.ts");
  const profile = await readProfileFile(path);
  const { busy, idle } = totalsOf(profile);
  return { profile, seconds: (busy + idle) / 1e9, title: named, isWhole: true };
}

function unitText(unit: Unit): string {
  return unit === "ns" ? "time" : unit === "bytes" ? "memory" : "samples";
}

function told({ frame, a, b, ...rest }: Change): z.infer<typeof change> {
  return {
    name: frame.name,
    ...(frame.file === undefined ? {} : { file: frame.file }),
    ...(frame.line === undefined ? {} : { line: frame.line }),
    ...(a === undefined ? {} : { a: measured(a) }),
    ...(b === undefined ? {} : { b: measured(b) }),
    ...rest,
  };
}

function measured({ self, selfShare, total, totalShare, samples }: Measure): z.infer<typeof measure> {
  return { self, selfShare, total, totalShare, samples };
}

function diffText(result: DiffResult, options: TextOptions): string {
  const { a, b, slower, faster, unit, per, unsure } = result;
  const each = (amount: number) => `${amountText(amount, unit)}${per === "second" ? " a second" : ""}`;
  const how = `(self, ${unitText(unit)} ${per === "run" ? "a run" : "a second"}, and share)`;
  const rises = section(unit === "bytes" ? "larger" : "slower", slower, result.moreSlower);
  const falls = section(unit === "bytes" ? "smaller" : "faster", faster, result.moreFaster);
  function section(word: string, changes: DiffResult["slower"], others: number): string[] {
    if (changes.length === 0) return [];
    const rest = others > 0 ? [`  and ${others} more`] : [];
    return [`${word} in b ${how}:`, ...changes.map((one) => changeText(one, unit, options)), ...rest];
  }
  return lines(
    oneLine(`a: ${cut(a.title, 120)}, busy ${each(a.busy)} (${plural(a.samples, "sample")})`),
    oneLine(`b: ${cut(b.title, 120)}, busy ${each(b.busy)} (${plural(b.samples, "sample")})`),
    overall(result),
    // First what makes up the difference as a whole.
    b.busy < a.busy ? [...falls, ...rises] : [...rises, ...falls],
    slower.length + faster.length === 0 && "no function differs by more than sampling can tell",
    unsure > 0 &&
      `${plural(unsure, "function")} ${unsure === 1 ? "differs" : "differ"} by less than sampling can tell (two standard errors); two runs of the same program also differ`,
  );
}

/** Of a profile: fewer are chance. */
const FEWEST = 20;

function overall({ a, b, unit }: DiffResult): string | undefined {
  if (a.busy === 0) return undefined;
  const ratio = b.busy / a.busy;
  const [more, less] = [`more ${unitText(unit)}`, `less ${unitText(unit)}`];
  if (Math.min(a.samples, b.samples) < FEWEST)
    return `too few samples to say how the two compare in all (${a.samples} and ${b.samples})`;
  if (ratio > 10) return `b takes ${Math.round(ratio)} times the ${unitText(unit)} of a in all`;
  if (ratio < 0.01) return `b takes less than 1 % of the ${unitText(unit)} of a in all`;
  if (ratio > 1.01) return `b takes ${((ratio - 1) * 100).toFixed(0)} % ${more} in all`;
  if (ratio < 0.99) return `b takes ${((1 - ratio) * 100).toFixed(0)} % ${less} in all`;
  return "both take the same in all";
}

function changeText(one: z.infer<typeof change>, unit: Unit, { cwd }: TextOptions): string {
  const { name, file, line, a, b, delta, error } = one;
  const sign = delta > 0 ? "+" : "−";
  const amounts = `${a ? amountText(a.self, unit) : "0"} → ${b ? amountText(b.self, unit) : "0"}`;
  const shares = `${percent(a)} → ${percent(b)}`;
  const mark = a === undefined ? " new" : b === undefined ? " gone" : "";
  const place = file === undefined ? "" : `  ${shortPath(file, cwd)}${line === undefined ? "" : `:${line}`}`;
  return `${oneLine(`  ${sign}${amountText(Math.abs(delta), unit)} ±${amountText(error, unit)}  ${cut(name, 80)}${mark}  ${amounts}, ${shares}`)}${place}`;
}

function percent(one: { selfShare: number } | undefined): string {
  return one ? `${(one.selfShare * 100).toFixed(1)} %` : "0 %";
}
