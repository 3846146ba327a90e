/**
 * Beside a large trace, `<id>.index.json`: its columns in buckets of STEP hits of a place, and where in the file each bucket begins, so that
 * a part of a million hits is found without reading them all. Made as the trace is saved, or when it is first asked for.
 */
import { createReadStream, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Hit, PointHit, TraceRecord } from "../record.ts";
import { BucketBuilder, type Buckets } from "./columns.ts";

export const STEP = 64;
/** Smaller traces are read as fast without one. */
export const WORTH_IT = 20_000;

export interface PointIndex {
  /** Hits of this place in the file. */
  kept: number;
  /** By bucket: where its first hit begins. */
  offsets: number[];
  buckets: Buckets;
}

export interface TraceIndex {
  version: 1;
  /** Of the trace's file: an index of another one is not used. */
  bytes: number;
  began: string;
  points: PointIndex[];
}

export class IndexBuilder {
  readonly #builders: { index: PointIndex; builder: BucketBuilder }[];

  constructor(plan: TraceRecord["plan"]) {
    this.#builders = plan.points.map(({ expressions }) => {
      const builder = new BucketBuilder(STEP, expressions.length);
      return { builder, index: { kept: 0, offsets: [], buckets: builder.buckets } };
    });
  }

  add(hit: Hit, offset: number): void {
    if (hit.kind !== "point") return;
    const one = this.#builders[hit.point];
    if (one === undefined) return;
    one.index.kept += 1;
    if (one.builder.add(hit)) one.index.offsets.push(offset);
  }

  build(bytes: number, began: string): TraceIndex {
    return { version: 1, bytes, began, points: this.#builders.map(({ index }) => index) };
  }
}

/** A file that cannot be written only costs time later. */
export function saveIndex(path: string, index: TraceIndex): void {
  try {
    rmSync(path, { force: true });
    writeFileSync(path, JSON.stringify(index), { mode: 0o600, flag: "wx" });
  } catch {
    rmSync(path, { force: true });
  }
}

export function readIndex(path: string, bytes: number, began: string): TraceIndex | undefined {
  try {
    const index = JSON.parse(readFileSync(path, "utf8")) as TraceIndex;
    return index.version === 1 && index.bytes === bytes && index.began === began ? index : undefined;
  } catch {
    return undefined;
  }
}

/** From the trace's file itself. A last line that was cut short is left out. */
export async function indexOf(
  file: string,
  bytes: number,
  { plan, began }: Pick<TraceRecord, "plan" | "began">,
): Promise<TraceIndex> {
  const builder = new IndexBuilder(plan);
  let isHead = true;
  for await (const { text, offset } of linesAt(file, 0, bytes)) {
    const hit = isHead ? undefined : parsed(text);
    isHead = false;
    if (hit !== undefined) builder.add(hit, offset);
  }
  return builder.build(bytes, began);
}

/** Hits of a place by their order in the file, from 0. */
export async function hitsBetween(
  file: string,
  index: TraceIndex,
  point: number,
  from: number,
  to: number,
): Promise<PointHit[]> {
  const { offsets = [], kept = 0 } = index.points[point] ?? {};
  const last = Math.min(to, kept);
  if (from >= last) return [];
  const bucket = Math.floor(from / STEP);
  const end = offsets[Math.ceil(last / STEP)] ?? index.bytes;
  const found: PointHit[] = [];
  for await (const { text } of linesAt(file, offsets[bucket] ?? 0, end)) {
    const hit = parsed(text);
    if (hit?.kind === "point" && hit.point === point) found.push(hit);
  }
  return found.slice(from - bucket * STEP, last - bucket * STEP);
}

function parsed(text: string): Hit | undefined {
  try {
    return JSON.parse(text) as Hit;
  } catch {
    return undefined;
  }
}

/** Whole parts are read at once; a long one as a stream. */
export async function* linesAt(
  file: string,
  from: number,
  to: number,
): AsyncGenerator<{ text: string; offset: number }> {
  if (to - from < 4 << 20) {
    const bytes = Buffer.alloc(to - from);
    const handle = await open(file);
    try {
      await handle.read(bytes, 0, bytes.length, from);
    } finally {
      await handle.close();
    }
    yield* linesIn(bytes, from);
    return;
  }
  let rest = Buffer.alloc(0);
  let offset = from;
  for await (const chunk of createReadStream(file, { start: from, end: to - 1, highWaterMark: 1 << 20 })) {
    const all = Buffer.concat([rest, chunk as Buffer]);
    const end = all.lastIndexOf(10) + 1;
    yield* linesIn(all.subarray(0, end), offset);
    offset += end;
    rest = all.subarray(end);
  }
  yield* linesIn(rest, offset);
}

function* linesIn(bytes: Buffer, from: number): Generator<{ text: string; offset: number }> {
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed;
    yield { text: bytes.toString("utf8", start, end), offset: from + start };
    start = end + 1;
  }
}
