/** How far a record can be compared. Pure. */
import type { TraceRecord } from "../record.ts";

/** What was pushed out of a record leaves a hole: what comes after it stands for nothing that comes before. */
export function upToHole(record: TraceRecord): TraceRecord {
  if (record.dropped === 0) return record;
  const end = record.hits.findIndex((hit, at) => hit.seq !== at + 1);
  return end < 0 ? record : { ...record, hits: record.hits.slice(0, end) };
}

/** With a hole, or ended by us while it ran on: what it did after its last moment nobody knows. One that stood still had not gone on. */
export function isCut({ dropped, partial, end, hits, seconds }: TraceRecord): boolean {
  if (dropped > 0) return true;
  return partial !== undefined && end.how === "stopped" && (hits.at(-1)?.ms ?? 0) > seconds * STILL_MS;
}

/** Half of its time. */
const STILL_MS = 500;
