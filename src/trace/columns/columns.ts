/**
 * Hits of one place as columns: for plots and long tables, where a million rows would be too much to send or to draw. A bucket stands for
 * some hits that follow each other: the smallest and largest number of each expression in it, and its text if they all have the same. Pure.
 */
import { numberIn } from "../numbers.ts";
import type { PointHit } from "../record.ts";

/** A bucket in which an expression has several texts. */
export const SEVERAL = -1;
/** One whose text is not in the table: there are too many. */
export const ANOTHER = -2;
const MOST_TEXTS = 1000;

export interface Column {
  /** By bucket; null where no value is a number. */
  min: (number | null)[];
  max: (number | null)[];
  /** By bucket: index into `texts`; SEVERAL, ANOTHER; null where every value is a number. */
  text: (number | null)[];
  texts: string[];
}

export interface Buckets {
  /** The number of the first and the last hit in each. */
  from: number[];
  to: number[];
  /** By the place's expressions. */
  columns: Column[];
}

export class BucketBuilder {
  readonly buckets: Buckets;
  readonly #step: number;
  readonly #known: { value: string; number: number | undefined; text: number }[];
  readonly #ids: Map<string, number>[];
  #count = 0;

  constructor(step: number, expressions: number) {
    this.#step = step;
    const each = <T>(make: () => T) => Array.from({ length: expressions }, make);
    this.buckets = {
      from: [],
      to: [],
      columns: each(() => ({ min: [], max: [], text: [], texts: [] })),
    };
    this.#known = each(() => ({ value: "", number: undefined, text: ANOTHER }));
    this.#ids = each(() => new Map());
  }

  /** Whether it began a bucket. */
  add({ hit, values }: Pick<PointHit, "hit" | "values">): boolean {
    const { from, to, columns } = this.buckets;
    const isNew = this.#count++ % this.#step === 0;
    if (isNew) from.push(hit);
    const bucket = from.length - 1;
    to[bucket] = hit;
    for (const [at, column] of columns.entries()) {
      if (isNew) {
        column.min.push(null);
        column.max.push(null);
        column.text.push(null);
      }
      this.#addValue(column, at, bucket, values[at] ?? "");
    }
    return isNew;
  }

  #addValue(column: Column, at: number, bucket: number, value: string): void {
    const known = this.#known[at];
    if (known === undefined) return;
    if (known.value !== value || this.#count === 1) {
      known.value = value;
      known.number = numberOf(value);
      known.text = known.number === undefined ? this.#textId(column, at, value) : ANOTHER;
    }
    const { number, text } = known;
    if (number === undefined) {
      const before = column.text[bucket] ?? null;
      column.text[bucket] = before === null || before === text ? text : SEVERAL;
      return;
    }
    const [min, max] = [column.min[bucket] ?? null, column.max[bucket] ?? null];
    if (min === null || number < min) column.min[bucket] = number;
    if (max === null || number > max) column.max[bucket] = number;
  }

  #textId(column: Column, at: number, value: string): number {
    const ids = this.#ids[at];
    const known = ids?.get(value);
    if (known !== undefined) return known;
    if (column.texts.length >= MOST_TEXTS) return ANOTHER;
    ids?.set(value, column.texts.length);
    return column.texts.push(value) - 1;
  }
}

/** Most numbers are plain. What JSON cannot write is none. */
function numberOf(value: string): number | undefined {
  const number = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : numberIn(value);
  return number === undefined || Number.isFinite(number) ? number : undefined;
}

/** Every `size` buckets as one. */
export function merged({ from, to, columns }: Buckets, first: number, last: number, size: number): Buckets {
  const starts: number[] = [];
  for (let at = first; at < last; at += size) starts.push(at);
  const end = (start: number) => Math.min(start + size, last);
  return {
    from: starts.map((start) => from[start] ?? 0),
    to: starts.map((start) => to[end(start) - 1] ?? 0),
    columns: columns.map(({ min, max, text, texts }) => ({
      min: starts.map((start) => extreme(min.slice(start, end(start)), Math.min)),
      max: starts.map((start) => extreme(max.slice(start, end(start)), Math.max)),
      text: starts.map((start) => sameText(text.slice(start, end(start)))),
      texts,
    })),
  };
}

function extreme(all: readonly (number | null)[], pick: (a: number, b: number) => number): number | null {
  return all.reduce((a, b) => (a === null ? b : b === null ? a : pick(a, b)), null);
}

function sameText(all: readonly (number | null)[]): number | null {
  return all.reduce((a, b) => (a === null ? b : b === null || a === b ? a : SEVERAL), null);
}
