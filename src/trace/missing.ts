/** Where a record has a gap: it keeps the first half of what it may hold, then the newest. Pure. */
import type { TraceRecord } from "./record.ts";

export interface Missing {
  /** Events that were seen there and not kept. */
  count: number;
  /** Everything later than this in the order of the run (`seq`) comes after the gap. */
  after: number;
  /** Calls from before it that told lines in it, or their end; left out if that is not known. */
  calls?: ReadonlySet<number>;
}

/** Events that are kept as they come. */
export function firstHalf(maxHits: number): number {
  return Math.max(1, Math.ceil(maxHits / 2));
}

export function missingIn({
  seen,
  plan: { maxHits },
}: Pick<TraceRecord, "seen" | "plan">): Missing | undefined {
  return seen > maxHits ? { count: seen - maxHits, after: firstHalf(maxHits) } : undefined;
}

/** Calls `crossed` once, before the first event behind the gap. */
export function gapWatch(
  missing: Missing | undefined,
  crossed: (count: number) => void,
): (event: { seq: number }) => boolean {
  let isPast = false;
  return ({ seq }) => {
    if (!isPast && missing !== undefined && seq > missing.after) {
      isPast = true;
      crossed(missing.count);
    }
    return isPast;
  };
}
