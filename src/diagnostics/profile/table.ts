/** Where the time went, by function. Pure. */
import { busySamples, type Frame, type Profile, totalsOf } from "./profile.ts";

export interface Row {
  frame: Frame;
  /** In the function itself. */
  self: number;
  /** In it and in what it called; a function that calls itself is counted once. */
  total: number;
  /** How often it was seen at the top of a stack, and anywhere in one. */
  selfSamples: number;
  totalSamples: number;
}

/** By time in the function itself, the most first; those with next to none of their own by what they called. */
export function rowsOf(profile: Profile): Row[] {
  const rows = profile.frames.map(
    (frame): Row => ({ frame, self: 0, total: 0, selfSamples: 0, totalSamples: 0 }),
  );
  for (const { stack, weight, count } of busySamples(profile)) {
    const top = rows[stack.at(-1) ?? -1];
    if (top) {
      top.self += weight;
      top.selfSamples += count;
    }
    for (const at of new Set(stack)) {
      const row = rows[at];
      if (!row) continue;
      row.total += weight;
      row.totalSamples += count;
    }
  }
  const all = Math.max(1, totalsOf(profile).busy);
  const permille = (self: number) => Math.round((self / all) * 1000);
  return rows
    .filter(({ frame, total }) => frame.kind !== "group" && total > 0)
    .sort(
      (a, b) =>
        permille(b.self) - permille(a.self) || b.total - a.total || compare(a.frame.name, b.frame.name),
    );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
