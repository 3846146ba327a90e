/** A trace as a reader wants it first: how often, from where, the first and the last hits, what changed and the extremes. Pure. */
import { compactBacktrace } from "./backtrace.ts";
import { UNAVAILABLE } from "./plan.ts";
import type { Binding, PointHit, TraceRecord } from "./record.ts";
import { type Statistics, Tally } from "./statistics.ts";

export interface Column extends Statistics {
  expression: string;
  /** Among the hits that are kept. */
  distinct: number;
}

export interface Row {
  hit: number;
  thread: string;
  values: string[];
  /** Hits left out between the row before and this one, and those of them that were not kept. */
  skipped: number;
  lost: number;
}

export interface PointTable {
  key: string;
  binding: Binding;
  /** Also those that were not kept. */
  count: number;
  kept: number;
  columns: Column[];
  rows: Row[];
  /** Hits after the last row. */
  after: number;
  /** Of the hits that are kept and have no row: the first and the last. */
  hidden?: { first: number; last: number };
  /** Where it was reached from, most often first. */
  from: { stack: string; count: number }[];
  threads: number;
}

export interface CondenseOptions {
  /** So many hits of a point are all shown. */
  whole: number;
  /** Of more, so many are chosen. */
  rows: number;
  /** Between those, up to so many are shown too: a mark that they are left out takes a line as well. */
  gap: number;
}

export function condense(
  record: Pick<TraceRecord, "plan" | "hits" | "bindings" | "counts" | "statistics">,
  options: CondenseOptions,
): PointTable[] {
  const byPoint = record.plan.points.map((): PointHit[] => []);
  for (const hit of record.hits) if (hit.kind === "point") byPoint[hit.point]?.push(hit);
  return record.plan.points.map((point, at) => {
    const hits = byPoint[at] ?? [];
    const columns = point.expressions.map((expression, index) =>
      columnOf(expression, hits, index, record.statistics?.[at]?.[index]),
    );
    const chosen = chosenRows(hits, columns, options);
    const rows = rowsOf(chosen, hits);
    const count = record.counts[at] ?? hits.length;
    return {
      key: point.key,
      binding: record.bindings[at] ?? { state: "unknown" },
      count,
      kept: hits.length,
      columns,
      rows,
      after: count - (rows.at(-1)?.hit ?? 0),
      ...hiddenOf(chosen, hits),
      from: stacksOf(hits, point.key),
      threads: new Set(hits.map(({ thread }) => thread)).size,
    };
  });
}

/** @param all Over all hits, where that is known: of those that are kept otherwise. */
function columnOf(
  expression: string,
  hits: readonly PointHit[],
  index: number,
  all: Statistics | undefined,
): Column {
  const values = hits.map((hit) => hit.values[index] ?? UNAVAILABLE);
  return { expression, distinct: new Set(values).size, ...(all ?? statisticsOf(hits, values)) };
}

function statisticsOf(hits: readonly PointHit[], values: readonly string[]): Statistics {
  const tally = new Tally();
  for (const [at, value] of values.entries()) {
    if (value === UNAVAILABLE) tally.missed();
    tally.add(value, hits[at]?.hit ?? 0);
  }
  return tally.statistics;
}

/** Columns that change this seldom are followed change by change. */
const SELDOM = 6;

/** The first, the last, the extremes, and where a value that seldom changes did. */
function chosenRows(
  hits: readonly PointHit[],
  columns: readonly Column[],
  { whole, rows: most, gap }: CondenseOptions,
): Set<PointHit> {
  if (hits.length <= whole) return new Set(hits);
  const ends = Math.max(1, Math.floor(most / 4));
  const chosen = new Set([...hits.slice(0, ends), ...hits.slice(-ends)]);
  const add = (hit: PointHit | undefined) => {
    if (hit !== undefined && chosen.size < most) chosen.add(hit);
  };
  for (const { min, max } of columns)
    for (const one of [min, max]) if (one !== undefined) add(hits.find(({ hit }) => hit === one.hit));
  for (const [index, { changes }] of columns.entries()) {
    if (changes === 0 || changes > SELDOM) continue;
    for (let at = 1; at < hits.length; at++)
      if (hits[at]?.values[index] !== hits[at - 1]?.values[index]) {
        add(hits[at - 1]);
        add(hits[at]);
      }
  }
  return withGaps(chosen, hits, gap);
}

function withGaps(chosen: ReadonlySet<PointHit>, hits: readonly PointHit[], most: number): Set<PointHit> {
  const shown = new Set(chosen);
  let gap: PointHit[] = [];
  for (const hit of hits) {
    if (!chosen.has(hit)) gap.push(hit);
    else {
      if (gap.length <= most) for (const one of gap) shown.add(one);
      gap = [];
    }
  }
  return shown;
}

function hiddenOf(chosen: ReadonlySet<PointHit>, hits: readonly PointHit[]): Pick<PointTable, "hidden"> {
  const left = hits.filter((hit) => !chosen.has(hit));
  const [first, last] = [left[0], left.at(-1)];
  return first && last ? { hidden: { first: first.hit, last: last.hit } } : {};
}

function rowsOf(chosen: ReadonlySet<PointHit>, hits: readonly PointHit[]): Row[] {
  let last = 0;
  let kept = 0;
  return hits.flatMap((one) => {
    if (!chosen.has(one)) {
      kept++;
      return [];
    }
    const { hit, thread, values } = one;
    const skipped = hit - last - 1;
    const lost = skipped - kept;
    last = hit;
    kept = 0;
    return [{ hit, thread, values, skipped, lost }];
  });
}

function stacksOf(hits: readonly PointHit[], key: string): PointTable["from"] {
  const counts = new Map<string, number>();
  for (const { frames } of hits) {
    if (frames.length === 0) continue;
    const stack = compactBacktrace(frames, key);
    counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  return [...counts].map(([stack, count]) => ({ stack, count })).sort((a, b) => b.count - a.count);
}
