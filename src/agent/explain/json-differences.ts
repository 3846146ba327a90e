/** Where two JSON values differ, value by value, in the order in which they are read. */
import { isRecord } from "./fields.ts";

export type JsonPath = readonly (string | number)[];

export interface JsonDifference {
  path: JsonPath;
  /** Undefined where there is none. */
  before: unknown;
  after: unknown;
}

export interface Comparison {
  /** Differences below a key that is not looked into come as one: the whole value. */
  whole?(path: JsonPath): boolean;
  /** Lists that may be longer than before. */
  grows?(path: JsonPath): boolean;
}

/** No request is deeper; what a stranger nests further is compared as one value. */
const DEEPEST = 200;

/**
 * Clients write a single text as plain text or as a list of one block, and change between the two from call to call: both are the same here.
 */
export function* jsonDifferences(
  before: unknown,
  after: unknown,
  comparison: Comparison = {},
  path: JsonPath = [],
): Generator<JsonDifference> {
  if (Object.is(before, after)) return;
  if (path.length > DEEPEST || comparison.whole?.(path)) {
    if (!sameText(before, after)) yield { path, before, after };
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    yield* listDifferences(before, after, comparison, path);
  } else if (isRecord(before) && isRecord(after)) {
    for (const key of keysOf(before, after)) {
      yield* jsonDifferences(before[key], after[key], comparison, [...path, key]);
    }
  } else if (Array.isArray(before) && typeof after === "string") {
    yield* jsonDifferences(before, [{ type: textTypeOf(before), text: after }], comparison, path);
  } else if (typeof before === "string" && Array.isArray(after)) {
    yield* jsonDifferences([{ type: textTypeOf(after), text: before }], after, comparison, path);
  } else {
    yield { path, before, after };
  }
}

function sameText(before: unknown, after: unknown): boolean {
  try {
    return JSON.stringify(before) === JSON.stringify(after);
  } catch {
    return false; // too deep to be written
  }
}

function* listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
  comparison: Comparison,
  path: JsonPath,
): Generator<JsonDifference> {
  const both = Math.min(before.length, after.length);
  for (let at = 0; at < both; at++) {
    yield* jsonDifferences(before[at], after[at], comparison, [...path, at]);
  }
  if (after.length > both && !comparison.grows?.(path)) {
    yield { path: [...path, both], before: undefined, after: after[both] };
  } else if (before.length > both) {
    yield { path: [...path, both], before: before[both], after: undefined };
  }
}

function* keysOf(before: object, after: object): Generator<string> {
  yield* Object.keys(before);
  for (const key of Object.keys(after)) if (!Object.hasOwn(before, key)) yield key;
}

/** The wires call a block of text by different names. */
function textTypeOf(blocks: readonly unknown[]): unknown {
  const only = blocks[0];
  return isRecord(only) && typeof only.text === "string" ? only.type : "text";
}

/** `messages[7].content[0].text` */
export function pathText(path: JsonPath): string {
  let out = "";
  for (const step of path) {
    if (typeof step === "number") out += `[${step}]`;
    else out += out === "" ? step : `.${step}`;
  }
  return out;
}

/** What is different, cut out of both with a few characters around it. */
export function around(before: unknown, after: unknown, room = 48): { before: string; after: string } {
  const [a, b] = [shown(before), shown(after)];
  const same = commonStart(a, b);
  const start = Math.max(0, same - 12);
  const piece = (text: string) => {
    const cut = text.slice(start, start + room);
    return `${start > 0 ? "…" : ""}${cut}${start + room < text.length ? "…" : ""}`;
  };
  return { before: piece(a), after: piece(b) };
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How many characters are the same from the beginning. */
export function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  // Whole stretches first: most of two requests is the same, and they may be megabytes.
  for (let step = 4096; at + step <= most; at += step)
    if (a.slice(at, at + step) !== b.slice(at, at + step)) break;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** How many characters are the same at the end, at most `most`. */
export function commonEnd(a: string, b: string, most: number): number {
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
}
