/** When the hits of a saved trace came: how many in each part of its time. One pass over its file, whatever its size. */
import type { TraceRecord } from "../record.ts";
import { linesAt } from "./index-file.ts";

export interface HitTimes {
  head: Omit<TraceRecord, "hits">;
  /** Milliseconds since the program was started: of the first hit that was kept, and the last. */
  from: number;
  to: number;
  /** By part of that time, all of the same length. */
  counts: number[];
}

/** Undefined if it has no hits. */
export async function hitTimes(
  { head, file, bytes }: { head: HitTimes["head"]; file: string; bytes: number },
  parts: number,
): Promise<HitTimes | undefined> {
  const times: number[] = [];
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isHead = true;
  for await (const { text } of linesAt(file, 0, bytes)) {
    const ms = isHead ? undefined : msIn(text);
    isHead = false;
    if (ms === undefined) continue;
    times.push(ms);
    if (ms < from) from = ms;
    if (ms > to) to = ms;
  }
  if (times.length === 0) return undefined;
  const counts = new Array<number>(parts).fill(0);
  const scale = parts / (to - from || 1);
  for (const ms of times) {
    const part = Math.min(parts - 1, Math.floor((ms - from) * scale));
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return { head, from, to, counts };
}

/** Of a line that was cut short there is none. */
function msIn(line: string): number | undefined {
  try {
    const { ms } = JSON.parse(line) as { ms?: unknown };
    return typeof ms === "number" && Number.isFinite(ms) ? ms : undefined;
  } catch {
    return undefined;
  }
}
