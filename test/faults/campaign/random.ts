/** Chance that can be repeated: the same seed and the same words give the same numbers, whatever else was run. */
export interface Chance {
  /** From 0 up to, but not including, 1. */
  next(): number;
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

export function chance(...words: (string | number)[]): Chance {
  let state = 2_166_136_261;
  for (const char of words.join("\0")) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (from) => {
      const one = from[below(from.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
  };
}
