/** Moments with numbers in place of texts: alignment compares each pair many times. Pure. */
import type { Moment } from "./moments.ts";
import { comparable } from "./same-text.ts";

export interface Token {
  moment: Moment;
  /** In the words of run B; -1 where B has no such place. */
  place: number;
  /** Anywhere: a moment that tells no line. */
  anywhere: boolean;
  alone: boolean;
  names: number;
  values: number;
}

/** Characters of a cut value that are compared: where the cut falls depends on how long the addresses in it are. */
const SURE = 80;

export class Numbers {
  readonly #known = new Map<string, number>();
  readonly #plain = new Map<string, string>();

  of(text: string): number {
    const known = this.#known.get(text) ?? this.#known.size + 1;
    this.#known.set(text, known);
    return known;
  }

  /** Of all values, and of their names. */
  values(moment: Moment): { names: number; values: number } {
    let names = "";
    let values = "";
    for (const [name, value] of moment.values) {
      names += `${name}\0`;
      values += `${name}\0${this.#comparable(value)}\0`;
    }
    return { names: this.of(names), values: this.of(values) };
  }

  #comparable(value: string): string {
    const known = this.#plain.get(value);
    if (known !== undefined) return known;
    const plain = comparable(value);
    const text = value.endsWith("…") ? plain.slice(0, SURE) : plain;
    this.#plain.set(value, text);
    return text;
  }
}
