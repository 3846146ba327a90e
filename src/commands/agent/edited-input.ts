/** A tool's input with some of its fields changed. Pure. */
import { advice, named, option } from "../../advice/advice.ts";
import { editedInput as writtenInput } from "../../agent/wire/edited-input.ts";
import { type Path, replaceAll, replaceAt, setEntry, valueAt } from "../../agent/wire/json-slices.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { exactJson } from "../../util/exact-json.ts";

export interface Changes {
  /** Values as text; what they become depends on what they replace. */
  fields: Readonly<Record<string, string>>;
  /** Fields that are not there yet are welcome. */
  add: boolean;
}

/** What a tool is called with; `exact`: as JSON text, where it has numbers that a value cannot hold. */
interface Input {
  input?: unknown;
  exact?: string | undefined;
}

/** With some fields changed, in the text too: numbers that nobody touched stay, and those that were typed are sent as they were typed. */
export function editedFields(held: Input, changes: Changes): Input {
  const input = editedInput(held.input, changes);
  let json = held.exact ?? JSON.stringify(held.input) ?? "";
  let before = held.input;
  for (const [key, text] of Object.entries(changes.fields)) {
    json = withText(json, before, key, text);
    before = editedInput(before, { fields: { [key]: text }, add: changes.add });
  }
  return { input, exact: exactJson(json) };
}

function withText(json: string, before: unknown, key: string, text: string): string {
  const path = pathOf(before, key);
  const value = path === undefined ? looseValue(text) : valueAtPath(before, path);
  const written = typeof value === "string" ? JSON.stringify(text) : text;
  if (path !== undefined) return replaceAt(json, path, written);
  const parent = parentOf(before, key);
  const entry = setEntry(json, parent.key, written, valueAt(json, parent.path)?.start);
  return entry ? replaceAll(json, [entry]) : json;
}

/** All of it, with what is the same as before as it was written. */
export function editedWhole({ exact }: Input, input: unknown): Input {
  return { input, exact: exact === undefined ? undefined : exactJson(writtenInput({ input }, exact)) };
}

/** Where the field is, found as `withField` finds it; undefined if it is not there. */
function pathOf(value: unknown, key: string): Path | undefined {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, key)) return [key];
  const [first = "", ...rest] = key.split(".");
  const inner =
    rest.length > 0 && Object.hasOwn(value, first) ? pathOf(value[first], rest.join(".")) : undefined;
  return inner === undefined ? undefined : [first, ...inner];
}

/** Where a new field goes. */
function parentOf(value: unknown, key: string): { path: Path; key: string } {
  const [first = "", ...rest] = key.split(".");
  const inner = isRecord(value) && Object.hasOwn(value, first) ? value[first] : undefined;
  if (rest.length === 0 || !isRecord(inner)) return { path: [], key };
  const deeper = parentOf(inner, rest.join("."));
  return { path: [first, ...deeper.path], key: deeper.key };
}

function valueAtPath(value: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, step) => (isRecord(inner) ? inner[String(step)] : undefined), value);
}

/** A field that does not exist is refused: a slip of the pen would leave the dangerous value where it was. */
export function editedInput(input: unknown, { fields, add }: Changes): unknown {
  let edited = input;
  for (const [key, text] of Object.entries(fields)) edited = withField(edited, input, key, text, add);
  return edited;
}

function withField(edited: unknown, original: unknown, key: string, text: string, add: boolean): unknown {
  if (!isRecord(edited)) {
    throw new SondeError("BAD_ARGUMENT", "this call's input has no fields", {
      hint: advice`give all of it: ${option({ input: { key: "value" } })}`,
    });
  }
  if (Object.hasOwn(edited, key)) return { ...edited, [key]: valueLike(edited[key], key, text) };
  const [first = "", ...rest] = key.split(".");
  const inner = edited[first];
  if (rest.length > 0 && Object.hasOwn(edited, first) && isRecord(inner))
    return { ...edited, [first]: withField(inner, inner, rest.join("."), text, add) };
  if (add) return { ...edited, [key]: looseValue(text) };
  const known = Object.keys(isRecord(original) ? original : edited);
  const near = closest(key, known);
  throw new SondeError("BAD_ARGUMENT", `this call has no field ${key}`, {
    hint: advice`${near === undefined ? `it has: ${known.join(", ") || "none"}` : `did you mean ${near}?`}; ${named("add")} adds a new one`,
  });
}

/** A text stays a text, whatever it looks like; anything else is JSON. */
function valueLike(before: unknown, key: string, text: string): unknown {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new SondeError(
      "BAD_ARGUMENT",
      `${key} is ${before === null ? "null" : Array.isArray(before) ? "a list" : `a ${typeof before}`}, and \`${text.slice(0, 100)}\` is not JSON`,
    );
  }
}

/** Of a value that nothing says the type of: `5` is a number, `ls` a text. */
export function looseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
