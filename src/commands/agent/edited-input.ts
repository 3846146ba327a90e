/** A tool's input with some of its fields changed. Pure. */
import { advice, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";

export interface Changes {
  /** Values as text; what they become depends on what they replace. */
  fields: Readonly<Record<string, string>>;
  /** Fields that are not there yet are welcome. */
  add: boolean;
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
    hint: advice`${near === undefined ? `it has: ${known.join(", ") || "none"}` : `did you mean ${near}?`}; ${named("add")} puts in a new one`,
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
