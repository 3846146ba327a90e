/** Changes to a request's body that leave every other character of it as it is. */
import type { Injection, Wire } from "../core/model.ts";
import {
  elementsOf,
  entriesOf,
  insertElement,
  lastEntry,
  type Replacement,
  replaceAll,
  setEntry,
} from "./json-slices.ts";
import { conversationKey } from "./routes.ts";

export interface Insertion {
  /** It goes before the message with this index of the original; at the end if there is none. */
  before: number;
  injection: Injection;
}

export interface RequestEdits {
  insert?: readonly Insertion[];
  /** Values at the top; undefined removes nothing, it is left out. */
  set?: Readonly<Record<string, unknown>>;
}

/** The body with the edits; the very same text if there are none, or if it is no JSON object. */
export function editRequest(wire: Wire, body: string, { insert = [], set = {} }: RequestEdits): string {
  const replacements = [...insertions(wire, body, insert), ...settings(body, set)];
  return replacements.length === 0 ? body : replaceAll(body, replacements);
}

function insertions(wire: Wire, body: string, insert: readonly Insertion[]): Replacement[] {
  if (insert.length === 0) return [];
  const key = conversationKey(wire);
  const conversation = lastEntry(entriesOf(body), key);
  const written = (one: Insertion) => messageText(wire, one.injection);
  if (!conversation) {
    const created = setEntry(body, key, `[${insert.map(written).join(",")}]`);
    return created ? [created] : [];
  }
  const { value } = conversation;
  const elements = elementsOf(body, value.start);
  if (!elements) return wholeInput(body, value, insert.map(written));
  if (elements.length === 0) {
    const place = { start: value.start + 1, end: value.start + 1 };
    return [{ span: place, by: insert.map(written).join(",") }];
  }
  return insert.flatMap((one) => insertElement(body, value, one.before, written(one)) ?? []);
}

/** Responses take a plain text as input: it becomes the first item. */
function wholeInput(body: string, value: { start: number; end: number }, written: string[]): Replacement[] {
  const input = body.slice(value.start, value.end);
  if (!input.startsWith('"')) return [];
  return [{ span: value, by: `[${[`{"role":"user","content":${input}}`, ...written].join(",")}]` }];
}

function settings(body: string, set: Readonly<Record<string, unknown>>): Replacement[] {
  const changes = Object.entries(set).filter(([, value]) => value !== undefined);
  if (changes.length === 0) return [];
  const entries = entriesOf(body);
  if (!entries) return [];
  return changes.flatMap(([key, value]) => {
    const replacement = setEntry(body, key, JSON.stringify(value));
    // Several new entries in an empty object: all but the first need a comma.
    if (replacement && entries.length === 0 && key !== changes[0]?.[0]) replacement.by = `,${replacement.by}`;
    return replacement ?? [];
  });
}

/** One message, as its wire writes it. */
export function messageText(wire: Wire, { role, content }: Injection): string {
  if (wire !== "openai-responses") return JSON.stringify({ role, content });
  const type = role === "assistant" ? "output_text" : "input_text";
  return JSON.stringify({ type: "message", role, content: [{ type, text: content }] });
}
