/** Numbers drawn by a seed: the same for the same seed, wherever it runs. */

export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (count) => Math.floor(next() * count),
    shuffled: (list) =>
      list
        .map((one) => ({ one, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one),
  };
}

/** A seed of its own for each language, so that `--only` draws the same pairs. */
export function seedFor(seed, name) {
  let hash = 2166136261 ^ seed;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  return Math.imul(hash ^ (hash >>> 13), 0x5bd1e995) >>> 0;
}
