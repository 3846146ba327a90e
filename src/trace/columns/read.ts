/** A part of a saved trace as columns, by way of its index. */
import { SondeError } from "../../errors.ts";
import { query } from "../query.ts";
import type { PointHit, TraceRecord } from "../record.ts";
import type { TraceStore } from "../store.ts";
import { BucketBuilder, type Buckets, merged } from "./columns.ts";
import { hitsBetween, STEP } from "./index-file.ts";

export interface Part {
  /** A place's key, as the plan has it; the first if none is given. */
  at?: string;
  /** By their order among the hits that were kept, from 0; `to` is left out. */
  from?: number;
  to?: number;
  /** At most so many buckets over that part, and so many of its hits. */
  buckets: number;
  rows: number;
  /** Only hits where this holds: of those as many as `rows`. */
  where?: string;
}

export interface Columns {
  head: Omit<TraceRecord, "hits">;
  /** By place. */
  kept: number[];
  point: number;
  from: number;
  to: number;
  buckets?: Buckets;
  rows?: PointHit[];
  /** With `where`: how many there are. */
  found?: number;
}

export async function columnsOf(store: TraceStore, id: string | undefined, part: Part): Promise<Columns> {
  const { head, file, index } = await store.index(id);
  const point = pointAt(head, part.at);
  const kept = index.points.map((one) => one.kept);
  const from = Math.max(0, part.from ?? 0);
  const to = Math.min(part.to ?? Number.POSITIVE_INFINITY, kept[point] ?? 0);
  const common = { head, kept, point, from, to };
  if (part.where !== undefined) {
    const hits = pointHits(query(await store.read(head.id), { where: part.where }), point);
    return { ...common, found: hits.length, rows: hits.slice(from, from + part.rows) };
  }
  const rows =
    part.rows > 0 ? await hitsBetween(file, index, point, from, Math.min(to, from + part.rows)) : undefined;
  const length = Math.max(0, to - from);
  let buckets: Buckets | undefined;
  if (part.buckets > 0 && length / part.buckets >= STEP) {
    const [first, last] = [Math.floor(from / STEP), Math.ceil(to / STEP)];
    const whole = index.points[point]?.buckets ?? { from: [], to: [], columns: [] };
    buckets = merged(whole, first, last, Math.ceil((last - first) / part.buckets));
  } else if (part.buckets > 0) {
    const builder = new BucketBuilder(
      Math.max(1, Math.ceil(length / part.buckets)),
      head.plan.points[point]?.expressions.length ?? 0,
    );
    for (const hit of await hitsBetween(file, index, point, from, to)) builder.add(hit);
    buckets = builder.buckets;
  }
  return { ...common, ...(buckets ? { buckets } : {}), ...(rows ? { rows } : {}) };
}

function pointAt({ plan }: Columns["head"], key: string | undefined): number {
  const at = key === undefined ? 0 : plan.points.findIndex((point) => point.key === key);
  if (at >= 0) return at;
  throw new SondeError("BAD_ARGUMENT", `this trace has no place ${key}`, {
    hint: `it has: ${plan.points.map((point) => point.key).join(", ")}`,
  });
}

function pointHits({ hits }: TraceRecord, point: number): PointHit[] {
  return hits.filter((hit): hit is PointHit => hit.kind === "point" && hit.point === point);
}
