/** Moments with numbers in place of texts: alignment compares each pair many times. Pure. */
import type { Moment } from "./moments.ts";
import { type Noise, nameKey } from "./noise.ts";
import { comparable, type Roots } from "./same-text.ts";

export interface Token {
  moment: Moment;
  /** In the words of run B; -1 where B has no such place. */
  place: number;
  /** Anywhere: a moment that tells no line. */
  anywhere: boolean;
  alone: boolean;
  names: number;
  values: number;
  /** What is compared: without noise, with the other version's folder in place of its own. */
  shown: ReadonlyMap<string, string>;
}

export class Numbers {
  readonly #known = new Map<string, number>();
  readonly #plain = new Map<string, string>();
  readonly #roots: Roots;
  readonly #noise: Noise;

  constructor(roots: Roots, noise: Noise) {
    this.#roots = roots;
    this.#noise = noise;
  }

  of(text: string): number {
    const known = this.#known.get(text) ?? this.#known.size + 1;
    this.#known.set(text, known);
    return known;
  }

  /** Of all values, and of their names. */
  values(moment: Moment, side: "a" | "b"): Pick<Token, "names" | "values" | "shown"> {
    const shown = this.#shown(moment, side === "a" ? this.#roots : []);
    let names = "";
    let values = "";
    for (const [name, value] of shown) {
      names += `${name}\0`;
      values += `${name}\0${this.#comparable(value)}\0`;
    }
    return { names: this.of(names), values: this.of(values), shown };
  }

  #shown(moment: Moment, roots: Roots): ReadonlyMap<string, string> {
    const { names } = this.#noise;
    if (names.size === 0 && roots.length === 0) return moment.values;
    const shown = new Map<string, string>();
    for (const [name, value] of moment.values)
      if (!names.has(nameKey(moment, name))) shown.set(name, rooted(value, roots));
    return shown;
  }

  #comparable(value: string): string {
    const known = this.#plain.get(value);
    if (known !== undefined) return known;
    const plain = comparable(value);
    this.#plain.set(value, plain);
    return plain;
  }
}

function rooted(value: string, roots: Roots): string {
  let text = value;
  for (const [from, to] of roots) if (text.includes(from)) text = text.replaceAll(from, to);
  return text;
}
