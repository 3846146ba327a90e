/** Reading JSON of others, whatever shape it turns out to have. */
import { exactJson } from "../../util/exact-json.ts";

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // said by who needs it
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fields(value: unknown): Fields {
  return isFields(value) ? value : NONE;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** What a tool is called with: a JSON value if it is one, else the text itself. An empty text is an empty object. */
export function toolInput(json: string): unknown {
  if (json.trim() === "") return {};
  const value = parse(json);
  return value === undefined ? json : value;
}

/** The same as text, where the value does not hold all of it. */
export function exactOf(json: string): { exact?: string } {
  const exact = exactJson(json);
  return exact === undefined ? {} : { exact };
}

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
