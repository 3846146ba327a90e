/** Parts of a trace: by place, expression, hit range, condition, changes, ends. Pure. */
import { advice, blank, call, joined, named, option } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";
import type { Hit, PointHit, TraceRecord } from "./record.ts";
import { parseWhere } from "./where.ts";

export interface Query {
  /** Places, as the plan's keys write them or any end of such a key. */
  at?: readonly string[];
  expressions?: readonly string[];
  /** Hits of a place: `7`, `3..9`, `100..`. */
  hits?: string;
  where?: string;
  /** Only hits where a value differs from the hit before at that place. */
  changes?: boolean;
  first?: number;
  last?: number;
}

/** The same record with fewer hits, points and expressions. Counts stay those of the run. */
export function query(whole: TraceRecord, asked: Query): TraceRecord {
  if (whole.plan.lines !== undefined) return callQuery(whole, asked);
  const every = [...new Set(whole.plan.points.flatMap(({ expressions }) => expressions))];
  const [place, ...others] = whole.plan.points.map(({ key }) => key);
  const holds =
    asked.where === undefined
      ? undefined
      : parseWhere(asked.where, every, others.length === 0 ? place : undefined);
  const bySeq = new Map(holds === undefined ? [] : whole.hits.map((hit) => [hit.seq, hit]));
  const record = narrowed(whole, asked.expressions);
  const points = record.plan.points
    .map(({ key }, at) => ({ key, at }))
    .filter(({ key }) => matches(key, asked.at));
  if (asked.at !== undefined && points.length === 0)
    throw new SondeError("BAD_ARGUMENT", `this trace has no place ${asked.at.join(", ")}`, {
      hint: `it has: ${record.plan.points.map(({ key }) => key).join(", ")}`,
    });
  const wanted = new Set(points.map(({ at }) => at));
  const range = asked.hits === undefined ? undefined : parseRange(asked.hits);
  const previous = new Map<number, string[]>();
  let hits = record.hits.filter((hit) => {
    if (hit.kind !== "point") return asked.at === undefined && holds === undefined;
    if (!wanted.has(hit.point)) return false;
    const before = previous.get(hit.point);
    previous.set(hit.point, hit.values);
    if (range && (hit.hit < range.from || hit.hit > range.to)) return false;
    if (asked.changes && before !== undefined && String(before) === String(hit.values)) return false;
    const full = bySeq.get(hit.seq);
    return (
      holds === undefined || full?.kind !== "point" || holds((expression) => valueIn(whole, full, expression))
    );
  });
  if (asked.first !== undefined && asked.last !== undefined && hits.length > asked.first + asked.last)
    hits = [...hits.slice(0, asked.first), ...ends(hits, asked.last)];
  else if (asked.first !== undefined && asked.last === undefined) hits = hits.slice(0, asked.first);
  else if (asked.last !== undefined && asked.first === undefined) hits = ends(hits, asked.last);
  // Statistics are those of the whole run.
  const { statistics: _all, ...rest } = record;
  return { ...rest, hits };
}

function ends(hits: readonly Hit[], count: number): Hit[] {
  return count === 0 ? [] : hits.slice(-count);
}

function matches(key: string, asked: readonly string[] | undefined): boolean {
  return (
    asked === undefined ||
    asked.some((one) => key === one || key.endsWith(`/${one}`) || key.endsWith(`:${one}`))
  );
}

function valueIn({ plan }: TraceRecord, hit: PointHit, expression: string): string | undefined {
  const at = plan.points[hit.point]?.expressions.indexOf(expression) ?? -1;
  return at < 0 ? undefined : hit.values[at];
}

function parseRange(text: string): { from: number; to: number } {
  const [, from, dots, to] = /^(\d+)?(\.\.|-)?(\d+)?$/.exec(text) ?? [];
  if (from === undefined && to === undefined)
    throw new SondeError("BAD_ARGUMENT", advice`${named("hits")}: \`${text}\` is not a number or a range`, {
      hint: joined(
        ["7", "3..9", "100.."].map((hits) => option({ hits })),
        ", ",
      ),
    });
  const start = Number(from ?? 1);
  return { from: start, to: dots === undefined ? start : Number(to ?? Number.POSITIVE_INFINITY) };
}

function narrowed(record: TraceRecord, expressions: readonly string[] | undefined): TraceRecord {
  if (expressions === undefined) return record;
  const known = new Set(record.plan.points.flatMap((point) => point.expressions));
  const strange = expressions.find((one) => !known.has(one));
  if (strange !== undefined)
    throw new SondeError("BAD_ARGUMENT", `this trace has no expression ${strange}`, {
      hint: `it has: ${[...known].join(", ")}`,
    });
  const indexes = record.plan.points.map((point) =>
    point.expressions.flatMap((one, at) => (expressions.includes(one) ? [at] : [])),
  );
  const pick = <T>(point: number, all: readonly T[]) =>
    (indexes[point] ?? []).flatMap((at) => all.slice(at, at + 1));
  return {
    ...record,
    plan: {
      ...record.plan,
      points: record.plan.points.map((point, at) => ({ ...point, expressions: pick(at, point.expressions) })),
    },
    hits: record.hits.map((hit) =>
      hit.kind === "point" ? { ...hit, values: pick(hit.point, hit.values) } : hit,
    ),
  };
}

/** Of recorded calls: the outermost ones are what is counted. */
function callQuery(
  record: TraceRecord,
  { at, expressions, hits, where, changes, first, last }: Query,
): TraceRecord {
  const stray = { at, watch: expressions, where, changes };
  const [name] = Object.entries(stray).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (name !== undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named(name)} works only on traces of lines; this one has calls`,
      {
        hint: advice`${option({ hits: "3..5" })} shows calls by number, ${named("first")} and ${named("last")} the outer ones; ${call("trace", { at: [blank("file:line")], watch: [blank("expr")], condition: [blank("cond")] })} records single hits`,
      },
    );
  const roots = rootsOf(record.hits);
  const order = [...new Set(roots.values())];
  const range = hits === undefined ? { from: 1, to: order.length } : parseRange(hits);
  const inRange = order.slice(range.from - 1, range.to);
  const ends = new Set([
    ...(first === undefined && last === undefined ? inRange : []),
    ...(first === undefined ? [] : inRange.slice(0, first)),
    ...(last === undefined || last === 0 ? [] : inRange.slice(-last)),
  ]);
  return {
    ...record,
    hits: record.hits.filter((hit) => hit.kind !== "point" && ends.has(roots.get(hit.call) ?? 0)),
  };
}

/** What a query counts: hits, or the outermost calls. */
export function sizeOf({ plan, hits }: TraceRecord): number {
  return plan.lines === undefined ? hits.length : new Set(rootsOf(hits).values()).size;
}

/** By the number of a call: that of the outermost recorded call it was made in. */
function rootsOf(hits: readonly Hit[]): Map<number, number> {
  const roots = new Map<number, number>();
  for (const hit of hits)
    if (hit.kind !== "point" && !roots.has(hit.call))
      roots.set(hit.call, hit.parent === undefined ? hit.call : (roots.get(hit.parent) ?? hit.parent));
  return roots;
}
