/** A tool's input after an edit, as JSON text: fields that were not changed stay as they were written, big numbers included. */
import { isDeepStrictEqual } from "node:util";
import { fields, isFields, parse } from "./fields.ts";
import { entriesOf, lastEntry } from "./json-slices.ts";

export function editedInput(input: unknown, original: string): string {
  const entries = isFields(input) ? entriesOf(original) : undefined;
  if (!isFields(input) || !entries) return JSON.stringify(input) ?? "{}";
  const before = fields(parse(original));
  const written = Object.entries(input).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const entry = isDeepStrictEqual(before[key], value) ? lastEntry(entries, key) : undefined;
    const json = entry ? original.slice(entry.value.start, entry.value.end) : JSON.stringify(value);
    return [`${JSON.stringify(key)}:${json}`];
  });
  return `{${written.join(",")}}`;
}

/** The same as the text that OpenAI's wires carry: an input that is no JSON is text itself. */
export function editedText(input: unknown, original: string): string {
  return typeof input === "string" ? input : editedInput(input, original);
}
