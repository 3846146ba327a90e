/** Conditions and loops that kept lines from running which would have changed a name: what such a line decides shows only in what is missing. Pure. */
import type { Activation } from "./activations.ts";
import { CONDITIONAL, indentOf } from "./conditions.ts";
import { FAR_BACK, keyOf } from "./moments.ts";
import { changesName } from "./reading.ts";

const LONGEST_BLOCK = 60;

export class KeptBack {
  readonly #source: (path: string) => readonly string[];
  readonly #changing = new Map<string, readonly number[]>();

  constructor(source: (path: string) => readonly string[]) {
    this.#source = source;
  }

  /** Where they last ran, among the lines of a call from one to before another: those of which no line ran that changes the name. */
  of(name: string, { path, lines }: Activation, from: number, before: number): number[] {
    const ran = new Map<number, number>();
    for (let at = Math.max(from, before - FAR_BACK); at < before; at++) ran.set(lines[at]?.line ?? 0, at);
    return [...ran].flatMap(([head, at]) => {
      const changing = this.#changingIn(name, path, head);
      return changing.length > 0 && !changing.some((line) => ran.has(line)) ? [at] : [];
    });
  }

  /** Lines in the block of a condition or a loop that change a name, by the text. */
  #changingIn(name: string, path: string, head: number): readonly number[] {
    const key = `${name}\0${keyOf(path, head)}`;
    const known = this.#changing.get(key) ?? changingBelow(name, this.#source(path), head);
    this.#changing.set(key, known);
    return known;
  }
}

function changingBelow(name: string, source: readonly string[], head: number): number[] {
  const [first = "", ...below] = source.slice(head - 1, head + LONGEST_BLOCK);
  if (!CONDITIONAL.test(first)) return [];
  const end = below.findIndex((text) => text.trim() !== "" && indentOf(text) <= indentOf(first));
  const block = end < 0 ? below : below.slice(0, end);
  return block.flatMap((text, at) => (changesName(name, text) ? [head + 1 + at] : []));
}
