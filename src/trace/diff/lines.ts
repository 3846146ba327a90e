/** Which lines of one text are which of another: the unchanged ones, and changed ones that stand in each other's place. Pure. */

export interface LineMap {
  /** From a line of A (from 1) to the line of B; nothing if it is only in A. */
  toB(line: number): number | undefined;
  /** Whether some line of A stands for this line of B. */
  reaches(line: number): boolean;
}

export const SAME: LineMap = { toB: (line) => line, reaches: () => true };

export function mapLines(a: readonly string[], b: readonly string[]): LineMap {
  // Also of an empty file, which has no line 1 and yet runs there.
  if (a.length === b.length && a.every((text, at) => text === b[at])) return SAME;
  const plain = (text: string) => text.trim();
  const pairs = common(a.map(plain), b.map(plain));
  const to = new Map<number, number>(pairs.map(([x, y]) => [x + 1, y + 1]));
  // Between two unchanged lines: as many as both have are versions of each other, in order.
  let last: [number, number] = [-1, -1];
  for (const next of [...pairs, [a.length, b.length] as [number, number]]) {
    const count = Math.min(next[0] - last[0], next[1] - last[1]) - 1;
    for (let at = 1; at <= count; at++) to.set(last[0] + at + 1, last[1] + at + 1);
    last = next;
  }
  const reached = new Set(to.values());
  return { toB: (line) => to.get(line), reaches: (line) => reached.has(line) };
}

/** Longest common subsequence, after what both begin and end with. Source files are small enough for the table. */
function common(a: readonly string[], b: readonly string[]): [number, number][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [n, m] = [a.length - start - end, b.length - start - end];
  const head = range(start).map((at): [number, number] => [at, at]);
  const tail = range(end).map((at): [number, number] => [a.length - end + at, b.length - end + at]);
  if (n * m > TABLE) return [...head, ...tail];
  const table = new Uint32Array((n + 1) * (m + 1));
  const cell = (i: number, j: number) => table[i * (m + 1) + j] ?? 0;
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      table[i * (m + 1) + j] =
        a[start + i] === b[start + j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1));
  const middle: [number, number][] = [];
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[start + i] === b[start + j]) middle.push([start + i++, start + j++]);
    else if (cell(i + 1, j) >= cell(i, j + 1)) i++;
    else j++;
  }
  return [...head, ...middle, ...tail];
}

const TABLE = 16_000_000;

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
