/** What else differs after the first difference, by place and name. Pure. */
import type { Pair } from "./align.ts";
import type { Moment } from "./moments.ts";
import { sameText } from "./same-text.ts";
import type { Token } from "./tokens.ts";

export interface Further {
  place: string;
  /** A variable, or `TIMES_RUN`. */
  what: string;
  count: number;
  a?: string;
  b?: string;
}

/** Among the names: how often the place ran in each, where that differs. No variable has a blank in its name. */
export const TIMES_RUN = "times run";

/** By place: how often it ran in each. A call or a return is no run of the line it stands on: that line has its own moment. */
export function timesRun(pairs: readonly Pair<Token>[]): Map<number, { a: number; b: number }> {
  const runs = new Map<number, { a: number; b: number }>();
  for (const pair of pairs)
    for (const side of ["a", "b"] as const) {
      const token = pair[side];
      if (token === undefined || !isRun(token.moment)) continue;
      const known = runs.get(token.place) ?? { a: 0, b: 0 };
      known[side]++;
      runs.set(token.place, known);
    }
  return runs;
}

export function isRun({ kind }: Moment): boolean {
  return kind === "line" || kind === "point";
}

export function note(
  more: Map<string, Further>,
  pair: Pair<Token>,
  runs: ReadonlyMap<number, { a: number; b: number }>,
): void {
  const { a, b } = pair;
  const one = (a ?? b)?.moment;
  if (one === undefined) return;
  const place = one.key ?? `${one.path}:${one.line}`;
  if (!a || !b) {
    const times = isRun(one) ? runs.get((pair.a ?? pair.b)?.place ?? -1) : undefined;
    // As often in both, only at another time: that tells nothing.
    if (times === undefined || times.a === times.b) return;
    const count = Math.abs(times.a - times.b);
    more.set(`${place} ${TIMES_RUN}`, {
      place,
      what: TIMES_RUN,
      count,
      a: String(times.a),
      b: String(times.b),
    });
    return;
  }
  for (const [name, value] of a.shown) {
    const other = b.shown.get(name);
    if (other === undefined || sameText(other, value)) continue;
    const key = `${place} ${name}`;
    const known = more.get(key);
    if (known) known.count++;
    else more.set(key, { place, what: name, count: 1, a: value, b: other });
  }
}
