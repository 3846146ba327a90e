/** A tool's input after an edit, as JSON text: what was not changed stays as it was written, big numbers included. */
import { isDeepStrictEqual } from "node:util";
import { isFields, parse } from "./fields.ts";
import { elementsOf, entriesOf, lastEntry, type Span } from "./json-slices.ts";

export interface EditedInput {
  input: unknown;
  /** As JSON text, where the value does not hold all of it. */
  exact?: string | undefined;
}

export function editedInput({ input, exact }: EditedInput, original: string): string {
  return exact ?? written(input, parse(original), original) ?? "{}";
}

/** The same as the text that OpenAI's wires carry: an input that is no JSON is text itself. */
export function editedText(edited: EditedInput, original: string): string {
  return typeof edited.input === "string" ? edited.input : editedInput(edited, original);
}

/** `before` is what `original` says. */
function written(value: unknown, before: unknown, original: string): string | undefined {
  if (before !== undefined && isDeepStrictEqual(value, before)) return original;
  const slice = ({ start, end }: Span) => original.slice(start, end);
  if (isFields(value) && isFields(before)) {
    const entries = entriesOf(original);
    const parts = Object.entries(value).flatMap(([key, inner]) => {
      if (inner === undefined) return [];
      const entry = Object.hasOwn(before, key) ? lastEntry(entries, key) : undefined;
      const json = entry ? written(inner, before[key], slice(entry.value)) : JSON.stringify(inner);
      return [`${JSON.stringify(key)}:${json}`];
    });
    return `{${parts.join(",")}}`;
  }
  if (!Array.isArray(value) || !Array.isArray(before)) return JSON.stringify(value);
  const elements = elementsOf(original) ?? [];
  const parts = value.map((inner: unknown, at) => {
    const element = elements[at];
    const json = element ? written(inner, before[at], slice(element)) : JSON.stringify(inner);
    return json ?? "null";
  });
  return `[${parts.join(",")}]`;
}
