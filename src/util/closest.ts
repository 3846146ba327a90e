/** Did-you-mean: the candidate nearest to what was typed, if it is near enough to be worth saying. */

/** Edits from one word to the other; two neighbours swapped are one edit, the commonest slip of all. */
function distance(a: string, b: string): number {
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (above[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substitute, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    above = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** No name of ours is longer; what is, is no slip of the finger, and comparing costs the product of both lengths. */
const LONGEST = 64;

export function closest(typed: string, candidates: Iterable<string>): string | undefined {
  if (typed.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  const word = typed.toLowerCase();
  for (const candidate of candidates) {
    if (candidate.length > 2 * LONGEST) continue;
    const other = candidate.toLowerCase();
    const score = other.startsWith(word) && word.length > 1 ? 0.5 : distance(word, other);
    if (score < bestScore) [best, bestScore] = [candidate, score];
  }
  return bestScore <= Math.max(1, Math.floor(typed.length / 4)) ? best : undefined;
}
