/**
 * Two sequences side by side, with what only one of them has. Equal runs are walked through; where they part, the best way
 * together again is looked for in a window. Pure.
 */

export type Pair<T> = { a: T; b: T } | { a: T; b?: undefined } | { a?: undefined; b: T };

export interface Comparison<T> {
  /** At the same place. */
  together(a: T, b: T): boolean;
  /** …with the same values. */
  equal(a: T, b: T): boolean;
  /** Has no place in the other run, and so is never missing there. */
  alone?(one: T, side: "a" | "b"): boolean;
}

/** Far enough to step over a loop that ran longer, small enough for a table. */
const WINDOW = 400;

const COST = { differ: 2, missing: 3 };

export function align<T>(a: readonly T[], b: readonly T[], comparison: Comparison<T>): Pair<T>[] {
  const { together, equal, alone = () => false } = comparison;
  const pairs: Pair<T>[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] as T, b[j] as T];
    if (alone(x, "a")) pairs.push({ a: a[i++] as T });
    else if (alone(y, "b")) pairs.push({ b: b[j++] as T });
    else if (together(x, y) && equal(x, y)) {
      pairs.push({ a: x, b: y });
      i++;
      j++;
    } else {
      const window = bestWay(a.slice(i, i + WINDOW), b.slice(j, j + WINDOW), { together, equal, alone });
      pairs.push(...window.pairs);
      i += window.a;
      j += window.b;
    }
  }
  for (; i < a.length; i++) pairs.push({ a: a[i] as T });
  for (; j < b.length; j++) pairs.push({ b: b[j] as T });
  return pairs;
}

/** The cheapest way through the window, up to where it is certain: half of it, unless the sequences end there. */
function bestWay<T>(
  a: readonly T[],
  b: readonly T[],
  { together, equal, alone }: Required<Comparison<T>>,
): { pairs: Pair<T>[]; a: number; b: number } {
  const [n, m] = [a.length, b.length];
  const width = m + 1;
  const cost = new Uint32Array((n + 1) * width);
  const missing = (one: T, side: "a" | "b") => (alone(one, side) ? 0 : COST.missing);
  for (let i = n; i >= 0; i--)
    for (let j = m; j >= 0; j--) {
      if (i === n && j === m) continue;
      let best = Number.MAX_SAFE_INTEGER;
      if (i < n) best = (cost[(i + 1) * width + j] ?? 0) + missing(a[i] as T, "a");
      if (j < m) best = Math.min(best, (cost[i * width + j + 1] ?? 0) + missing(b[j] as T, "b"));
      if (i < n && j < m && together(a[i] as T, b[j] as T)) {
        const here = equal(a[i] as T, b[j] as T) ? 0 : COST.differ;
        best = Math.min(best, (cost[(i + 1) * width + j + 1] ?? 0) + here);
      }
      cost[i * width + j] = best;
    }
  const pairs: Pair<T>[] = [];
  const stopAt = n < WINDOW && m < WINDOW ? n + m : Math.floor((n + m) / 2);
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (i + j >= stopAt && pairs.length > 0) break;
    const here = cost[i * width + j] ?? 0;
    const [x, y] = [a[i] as T, b[j] as T];
    const both = i < n && j < m && together(x, y) ? (equal(x, y) ? 0 : COST.differ) : undefined;
    if (both !== undefined && here === (cost[(i + 1) * width + j + 1] ?? 0) + both) {
      pairs.push({ a: x, b: y });
      i++;
      j++;
    } else if (i < n && here === (cost[(i + 1) * width + j] ?? 0) + missing(x, "a")) {
      pairs.push({ a: x });
      i++;
    } else {
      pairs.push({ b: y });
      j++;
    }
  }
  return { pairs, a: i, b: j };
}
