/** What an event says, made fit to be written: plain JSON, without secrets, long texts kept elsewhere. */
import type { Masker } from "../../util/secrets/mask.ts";
import { secretName } from "../../util/secrets/names.ts";
import type { Stored } from "../events.ts";

export interface Cleaner {
  masker: Masker;
  /** Of a text that has been masked. */
  keep(text: string): Stored;
}

const DEEPEST = 60;
/** Text shorter than this is never kept elsewhere, however many bytes its characters take. */
const SURELY_SHORT = 1024;

/** A new object; the one that was given is not changed. */
export function cleanData(
  data: Readonly<Record<string, unknown>>,
  cleaner: Cleaner,
): Record<string, unknown> {
  return cleanObject(data, cleaner, 0);
}

function cleanObject(value: object, cleaner: Cleaner, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const entries = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(entries)) {
    const field = entries[key];
    // A list of headers names each in a field of its own: {name, value}.
    const name = key === "value" ? (entries.name ?? entries.key) : key;
    const kind = typeof name === "string" ? secretName(name) : undefined;
    if (kind !== undefined && typeof field === "string" && field !== "")
      define(result, key, cleaner.masker.maskOf(field, kind));
    else define(result, key, cleanValue(field, cleaner, depth + 1));
  }
  return result;
}

/** `__proto__` is a key like any other. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function cleanValue(value: unknown, cleaner: Cleaner, depth: number): unknown {
  switch (typeof value) {
    case "string":
      return cleanText(value, cleaner);
    case "bigint":
      return String(value);
    case "object":
      break;
    case "function":
    case "symbol":
      return undefined;
    default:
      return value;
  }
  if (value === null) return null;
  if (depth > DEEPEST) return "[too deep]";
  if (Array.isArray(value)) return value.map((one, at) => cleanElement(one, value[at - 1], cleaner, depth));
  if (value instanceof Error) return { name: value.name, message: cleanText(value.message, cleaner) };
  const own = (value as { toJSON?: unknown }).toJSON;
  if (typeof own === "function") return cleanValue(own.call(value), cleaner, depth + 1);
  return cleanObject(value, cleaner, depth);
}

/** In a command line a secret stands after the option that names it. */
function cleanElement(value: unknown, before: unknown, cleaner: Cleaner, depth: number): unknown {
  if (typeof value === "string" && typeof before === "string" && /^--?[A-Za-z][\w-]*$/.test(before)) {
    const kind = secretName(before);
    if (kind !== undefined && !value.startsWith("-")) return cleaner.masker.maskOf(value, kind);
  }
  return cleanValue(value, cleaner, depth + 1);
}

function cleanText(text: string, cleaner: Cleaner): Stored {
  const masked = cleaner.masker.mask(text).text;
  return masked.length < SURELY_SHORT ? masked : cleaner.keep(masked);
}
