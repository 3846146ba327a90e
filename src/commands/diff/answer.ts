/** Two runs compared, with the sources a reader needs and where to go from there. */
import { statSync } from "node:fs";
import type { Call } from "../../advice/advice.ts";
import { fileLines } from "../../session/stack/source.ts";
import { compare, type Difference, type Divergence, type Side } from "../../trace/diff/compare.ts";
import type { Plan } from "../../trace/plan.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { moreLines } from "../../trace/whole-statement.ts";
import type { Context } from "../context.ts";
import { traceCall } from "../runs/one-run.ts";
import type { Running } from "../runs/running.ts";
import type { Planning } from "../trace/arguments.ts";
import { isNamed } from "../trace/next.ts";
import { endDifferently, leftOut } from "./left-out.ts";
import type { DifferingPackage } from "./packages.ts";
import type { Ran } from "./recorded.ts";
import type { DiffResult } from "./shapes.ts";

export interface Compared {
  a: Ran;
  b: Ran;
  /** A once more: what differs between the two says nothing about B. */
  again?: Ran | undefined;
  /** Installed code that differs between the two, and was recorded in both. */
  packages?: DifferingPackage[];
}

export async function answer(
  _context: Context,
  asked: Planning & Running,
  { a, b, again, packages = [] }: Compared,
): Promise<DiffResult> {
  const notes: string[] = [];
  const sources = (record: TraceRecord) => (path: string) => {
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed > Date.parse(record.began) + record.seconds * 1000)
      notes.push(`${path} changed after the run: its lines may be off`);
    return fileLines(path);
  };
  const difference = compare(
    a.record,
    b.record,
    { a: sources(a.record), b: sources(b.record) },
    again?.record,
  );
  const { first, split } = difference;
  const unlike = unlikePlans(a.record.plan, b.record.plan);
  const next = deeper(asked, b, difference, packages);
  const unrecorded = first === undefined ? await leftOut(a, b) : undefined;
  return {
    a: runOf(a),
    b: runOf(b),
    ...(unlike === undefined ? {} : { unlike }),
    ...difference,
    ...(split === undefined ? {} : { split: { ...split, ...withTexts(split) } }),
    source: { a: sourceOf(first?.a), b: sourceOf(first?.b) },
    ...(packages.length === 0 ? {} : { packages }),
    ...(first === undefined && endDifferently(a, b) ? { endsDiffer: true } : {}),
    ...(unrecorded === undefined ? {} : { unrecorded }),
    ...(next === undefined ? {} : { next }),
    notes: [...new Set([...notes, ...a.record.notes, ...b.record.notes])],
  } as DiffResult;
}

function withTexts({ a, b }: Pick<Divergence, "a" | "b">) {
  const withText = (side: Side) => ({ ...side, text: (fileLines(side.path)?.[side.line - 1] ?? "").trim() });
  return { ...(a === undefined ? {} : { a: withText(a) }), ...(b === undefined ? {} : { b: withText(b) }) };
}

/** Around the line that made the difference, and the line it goes on to. */
function sourceOf(side: Side | undefined): { number: number; text: string }[] {
  if (side === undefined) return [];
  const { path, line } = side.site;
  const more = moreLines(path, fileLines(path) ?? [], line);
  const rest = Array.from({ length: more }, (_, at) => line + 1 + at);
  const wanted = new Set([line - 1, line, line + 1, ...rest, ...(side.path === path ? [side.line] : [])]);
  const all = (fileLines(path) ?? []).map((text, at) => ({ number: at + 1, text }));
  return all.filter(({ number }) => wanted.has(number));
}

/** The function in which they part, line by line, in the run that is asked about. */
function deeper(
  asked: Planning & Running,
  { side }: Ran,
  { first }: Difference,
  packages: readonly DifferingPackage[],
): Call | undefined {
  const site = first?.b?.site ?? first?.a?.site;
  const name = site?.function;
  if (side === undefined || name === undefined || !isNamed(name)) return undefined;
  const { words, stdin } = side;
  const holds = (folder: string) => site?.path === folder || site?.path.startsWith(`${folder}/`);
  const within = packages.filter(({ a, b }) => holds(a.folder) || holds(b.folder)).map((one) => one.name);
  const named = [...(asked.package ?? []), ...within];
  return traceCall(
    { ...asked, args: words, stdin },
    {
      function: [name.replace(/^(?:async |new )+/, "")],
      ...(named.length === 0 ? {} : { package: named }),
    },
  );
}

/** Two kept traces may have recorded different things: then what only one has is no difference between the runs. */
function unlikePlans(a: Plan, b: Plan): string | undefined {
  const [x, y] = [recordedBy(a), recordedBy(b)];
  if (x === y) return undefined;
  return `the traces recorded different things: A ${x}, B ${y}; what only one of them recorded does not count as a difference`;
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
