/** Two runs compared: where they first part, and then a short list of what else differs. Pure. */
import { basename } from "node:path";
import type { TraceRecord } from "../record.ts";
import { align, type Pair } from "./align.ts";
import { type LineMap, mapLines, SAME } from "./lines.ts";
import { type Moment, momentsOf } from "./moments.ts";

export interface Sources {
  /** The lines of a file as they were when the run was made. */
  a(path: string): readonly string[] | undefined;
  b(path: string): readonly string[] | undefined;
}

export interface Side {
  path: string;
  line: number;
  function: string;
  kind: string;
  /** The line that ran before, in the same call. */
  ran?: number;
  seq: number;
}

export interface Divergence {
  /** `values`: same place, other values. `path`: they went on to different places. */
  kind: "values" | "path";
  a?: Side;
  b?: Side;
  /** What differs, and then what is equal there. */
  differing: { name: string; a?: string; b?: string }[];
  equal: { name: string; value: string }[];
}

export interface Difference {
  /** Moments that are the same in both, before the first divergence and in all. */
  before: number;
  matching: number;
  first?: Divergence;
  /** The rest, by place and name, most telling first. */
  more: { place: string; what: string; count: number; a?: string; b?: string }[];
}

/** By the file of A: the file of B that it is compared with. */
type Files = ReadonlyMap<string, { path: string; map: LineMap }>;

export function compare(a: TraceRecord, b: TraceRecord, sources: Sources): Difference {
  const files = filePairs(a, b, sources);
  const place = (path: string, line: number) => {
    const other = files.get(path);
    const to = other?.map.toB(line);
    return other === undefined || to === undefined ? undefined : `${other.path}:${to}`;
  };
  const together = (x: Moment, y: Moment) =>
    x.kind === y.kind &&
    (x.key !== undefined
      ? x.key === y.key
      : x.line === 0 || y.line === 0 || place(x.path, x.line) === `${y.path}:${y.line}`);
  const alone = (one: Moment, side: "a" | "b") =>
    one.key === undefined &&
    one.kind === "line" &&
    (side === "a" ? place(one.path, one.line) === undefined : !reaches(files, one));
  const threads = threadPairs(momentsOf(a), momentsOf(b));
  const pairs = threads.flatMap(([x, y]) => align(x, y, { together, equal: sameValues, alone }));
  return summed(pairs, alone);
}

function reaches(files: Files, { path, line }: Moment): boolean {
  return [...files.values()].some((one) => one.path === path && one.map.reaches(line));
}

/** The main thread first; a thread of one run goes with the thread that came at the same turn in the other. */
function threadPairs(a: readonly Moment[], b: readonly Moment[]): [Moment[], Moment[]][] {
  const [x, y] = [byThread(a), byThread(b)];
  return Array.from({ length: Math.max(x.length, y.length) }, (_, at) => [x[at] ?? [], y[at] ?? []]);
}

function byThread(moments: readonly Moment[]): Moment[][] {
  const all = new Map<string, Moment[]>();
  for (const one of moments) {
    const list = all.get(one.thread) ?? [];
    all.set(one.thread, list);
    list.push(one);
  }
  return [...all.values()];
}

/** The same path, or the program's own file under another name, or one of the same name. */
function filePairs(a: TraceRecord, b: TraceRecord, sources: Sources): Files {
  const inA = [...new Set(momentsOf(a).map(({ path }) => path))];
  const inB = [...new Set(momentsOf(b).map(({ path }) => path))];
  const known = new Map<string, { path: string; map: LineMap }>();
  const free = new Set(inB);
  const take = (from: string, to: string | undefined) => {
    if (to === undefined || known.has(from)) return;
    free.delete(to);
    const [x, y] = [sources.a(from), sources.b(to)];
    known.set(from, { path: to, map: x && y ? mapLines(x, y) : SAME });
  };
  for (const path of inA) take(path, free.has(path) ? path : undefined);
  for (const path of inA)
    take(
      path,
      [...free].find((one) => basename(one) === basename(path)),
    );
  for (const path of inA) take(path, [...free][0]);
  return known;
}

/** Addresses differ from run to run and mean nothing. */
export function comparable(value: string): string {
  return value.replace(/0x[0-9a-fA-F]{6,}/g, "0x…");
}

/** By the names both have: a variable that only one version has is no difference in itself. */
function sameValues(x: Moment, y: Moment): boolean {
  for (const [name, value] of x.values) {
    const other = y.values.get(name);
    if (other !== undefined && comparable(other) !== comparable(value)) return false;
  }
  return true;
}

function summed(
  pairs: readonly Pair<Moment>[],
  alone: (one: Moment, side: "a" | "b") => boolean,
): Difference {
  const more = new Map<string, Difference["more"][number]>();
  let first: Divergence | undefined;
  let before = 0;
  let matching = 0;
  for (const [at, pair] of pairs.entries()) {
    const { a, b } = pair;
    if (a && b && sameValues(a, b)) {
      matching++;
      if (first === undefined) before++;
      continue;
    }
    const only = a && b ? undefined : (a ?? b);
    if (only && alone(only, a ? "a" : "b")) continue;
    if (first === undefined) first = divergence(pairs, at);
    else note(more, pair);
  }
  return {
    before,
    matching,
    ...(first === undefined ? {} : { first }),
    more: [...more.values()].sort((x, y) => y.count - x.count),
  };
}

function divergence(pairs: readonly Pair<Moment>[], at: number): Divergence {
  const { a, b } = pairs[at] ?? {};
  if (a && b) {
    const names = [...a.values.keys()].filter((name) => b.values.has(name));
    const differs = (name: string) =>
      comparable(a.values.get(name) ?? "") !== comparable(b.values.get(name) ?? "");
    return {
      kind: "values",
      a: sideOf(a),
      b: sideOf(b),
      differing: names
        .filter(differs)
        .map((name) => ({ name, a: a.values.get(name) ?? "", b: b.values.get(name) ?? "" })),
      equal: names
        .filter((name) => !differs(name))
        .map((name) => ({ name, value: a.values.get(name) ?? "" })),
    };
  }
  // Each side's own next step: one of them is further on.
  const nextA = a ?? pairs.slice(at).find((pair) => pair.a)?.a;
  const nextB = b ?? pairs.slice(at).find((pair) => pair.b)?.b;
  const values = [...(nextA?.values ?? nextB?.values ?? [])].map(([name, value]) => ({ name, value }));
  return {
    kind: "path",
    ...(nextA === undefined ? {} : { a: sideOf(nextA) }),
    ...(nextB === undefined ? {} : { b: sideOf(nextB) }),
    differing: [],
    equal: values,
  };
}

function sideOf({ path, line, function: name, kind, ran, seq }: Moment): Side {
  return { path, line, function: name, kind, seq, ...(ran === undefined ? {} : { ran }) };
}

function note(more: Map<string, Difference["more"][number]>, { a, b }: Pair<Moment>): void {
  const one = a ?? b;
  if (one === undefined) return;
  const place = one.key ?? `${one.path}:${one.line}`;
  const add = (what: string, values: { a?: string; b?: string }) => {
    const key = `${place} ${what}`;
    const known = more.get(key);
    if (known) known.count++;
    else more.set(key, { place, what, count: 1, ...values });
  };
  if (!a || !b) {
    add(a ? "only in A" : "only in B", {});
    return;
  }
  for (const [name, value] of a.values) {
    const other = b.values.get(name);
    if (other !== undefined && comparable(other) !== comparable(value)) add(name, { a: value, b: other });
  }
}
