/** What a provider's cache goes by: the beginning of a request. Finds the first thing in it that is not as it was in the request before. */
import { valueAt } from "../wire/json-slices.ts";
import { isRecord, line } from "./fields.ts";
import {
  around,
  commonEnd,
  commonStart,
  type JsonDifference,
  type JsonPath,
  jsonDifferences,
  pathText,
} from "./json-differences.ts";

export interface PrefixChange {
  /** `tools[3].description`, `system[1]`, `messages[7].content[0]`. */
  holder: string;
  /** Of the later request's body: what is new, from the first byte that differs to the last. */
  bytes: { from: number; to: number; of: number };
  before: string;
  after: string;
}

/** Providers put tools first, then instructions, then the conversation, whatever the order in the body. */
const PARTS = ["tools", "functions", "system", "instructions", "messages", "input"];
/** May differ without the cache minding. */
const FREE = new Set([
  "stream",
  "stream_options",
  "max_tokens",
  "max_output_tokens",
  "max_completion_tokens",
  "metadata",
  "user",
  "store",
  "model",
  "client_metadata",
  "safety_identifier",
  "service_tier",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "stop",
  "seed",
]);

const comparison = {
  // Which block carries the mark changes with each call, and the text before the old mark is still found.
  whole: (path: JsonPath) => path.at(-1) === "cache_control",
  // More messages, or more blocks in the last of them, leave what stands before them as it was.
  grows: (path: JsonPath) => path[0] === "messages" || path[0] === "input",
};

/** Undefined if all that was in the request before is still there. Both are JSON text. */
export function prefixChange(beforeText: string, afterText: string): PrefixChange | undefined {
  const before = parsed(beforeText);
  const after = parsed(afterText);
  if (before === undefined || after === undefined) return undefined;
  for (const part of PARTS) {
    if (before[part] === undefined && after[part] === undefined) continue;
    for (const difference of jsonDifferences(before[part], after[part], comparison, [part])) {
      if (difference.path.at(-1) !== "cache_control") return described(difference, beforeText, afterText);
    }
  }
  return undefined;
}

/** Names of the values beside the prefix that a cache is kept apart by: thinking, tool_choice and the like. */
export function changedParams(beforeText: string, afterText: string): string[] {
  const before = parsed(beforeText) ?? {};
  const after = parsed(afterText) ?? {};
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter(
    (name) =>
      !FREE.has(name) &&
      !PARTS.includes(name) &&
      JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** What a request asks of the cache. */
export function cacheMarks(text: string): { marked: boolean; hour: boolean } {
  return { marked: text.includes('"cache_control"'), hour: /"ttl"\s*:\s*"1h"/.test(text) };
}

function described(
  { path, before, after }: JsonDifference,
  beforeText: string,
  afterText: string,
): PrefixChange {
  const there = spanOf(afterText, path);
  const was = spanOf(beforeText, path);
  const [newer, older] = [afterText.slice(there.start, there.end), beforeText.slice(was.start, was.end)];
  const same = commonStart(older, newer);
  const tail = commonEnd(older, newer, Math.min(older.length, newer.length) - same);
  const from = Buffer.byteLength(afterText.slice(0, there.start + same));
  const sides = around(before, after);
  return {
    holder: pathText(path.at(-1) === "text" ? path.slice(0, -1) : path),
    bytes: {
      from,
      to: from + Buffer.byteLength(newer.slice(same, newer.length - tail)),
      of: Buffer.byteLength(afterText),
    },
    before: line(sides.before, 60),
    after: line(sides.after, 60),
  };
}

/** The value at a path, or, of one that is not there, the end of what would hold it. */
function spanOf(text: string, path: JsonPath): { start: number; end: number } {
  for (let length = path.length; length >= 0; length--) {
    const span = valueAt(text, path.slice(0, length));
    if (span === undefined) continue;
    return length === path.length ? span : missing(text, path.slice(0, length), path[length], span);
  }
  return { start: text.length, end: text.length };
}

/** A text that stands where the path has a block is that block. */
function missing(
  text: string,
  holder: JsonPath,
  step: string | number | undefined,
  span: { start: number; end: number },
) {
  if (text[span.start] === '"') return span;
  const before = typeof step === "number" && step > 0 ? valueAt(text, [...holder, step - 1]) : undefined;
  const place = before?.end ?? Math.max(span.start, span.end - 1);
  return { start: place, end: place };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // a body that is no JSON has no parts to name
  }
}
