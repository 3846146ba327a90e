/** Sets of characters, for looking at text one character at a time: each look costs the same whatever the text is. */

export type CharacterSet = Uint8Array;

/** Ranges as in `A-Za-z0-9_-`; a `-` at the end means itself. Only ASCII. */
export function characterSet(ranges: string): CharacterSet {
  const set = new Uint8Array(128);
  for (let at = 0; at < ranges.length; at++) {
    const first = ranges.charCodeAt(at);
    const isRange = ranges[at + 1] === "-" && at + 2 < ranges.length;
    const last = isRange ? ranges.charCodeAt(at + 2) : first;
    set.fill(1, first, last + 1);
    if (isRange) at += 2;
  }
  return set;
}

/** Pairs of characters, in words of two. */
export class CharacterPairs {
  readonly #table = new Uint8Array(128 * 128);

  constructor(pairs: string) {
    for (const pair of pairs.split(" ")) this.#table[pair.charCodeAt(0) * 128 + pair.charCodeAt(1)] = 1;
  }

  has(first: number, second: number): boolean {
    return first < 128 && second < 128 && this.#table[first * 128 + second] === 1;
  }
}

export function isIn(set: CharacterSet, code: number): boolean {
  return code < 128 && set[code] === 1;
}

/** Where the characters of the set end, from `at` on; never looks further than `limit`. */
export function runEnd(text: string, at: number, set: CharacterSet, limit: number = text.length): number {
  let end = at;
  const last = Math.min(limit, text.length);
  while (end < last && isIn(set, text.charCodeAt(end))) end += 1;
  return end;
}

/** The same for characters that are not in the set. */
export function runUntil(text: string, at: number, set: CharacterSet, limit: number = text.length): number {
  let end = at;
  const last = Math.min(limit, text.length);
  while (end < last && !isIn(set, text.charCodeAt(end))) end += 1;
  return end;
}

export const WORD = characterSet("A-Za-z0-9_-");

/** Not in the middle of a word. A line break that is written as an escape (`\n`) is no part of one. */
export function isWordStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (at === 0 || !(isIn(WORD, before) || before === 43)) return true;
  return text.charCodeAt(at - 2) === 92 && /[nrtbf]/.test(text[at - 1] ?? "");
}
