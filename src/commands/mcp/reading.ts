/** A tool call as a command and its arguments. Nothing is accepted and ignored. */
import * as z from "zod";
import { type Advice, advice, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import type { Command } from "../define.ts";
import { issueText } from "../issue-text.ts";
import { kindOf, metaOf, type Values } from "./offer.ts";
import { type Action, adviceOn, type Property, runnable, type Way } from "./tools.ts";

/** Of every call. The folder is the connection's affair, and is not read here. */
export const SESSION = z.string().optional().meta({ brief: "default: last used" });
export const CWD = z.string().optional().meta({ brief: "kept for later calls" });
export const TIMEOUT = z.number().optional().meta({ brief: "seconds 5-300, default 30" });

const SECONDS = { least: 5, most: 300, usual: 30 };

export interface ReadCall {
  command: Command;
  action: Action;
  args: Record<string, unknown>;
  session: string | undefined;
  /** How long it may take; undefined if the command keeps the time itself. */
  seconds: number | undefined;
}

/** `watched`: the caller wants to be told of progress. */
export function readCall(action: Action, given: Values, watched: boolean): ReadCall {
  const way = chosenWay(action, given);
  const { offer, command } = way;
  const values = named(action, way, given);
  needed(action, way, values);
  const args: Record<string, unknown> = { ...offer.always };
  for (const [name, value] of Object.entries(values)) {
    const key = way.properties.get(name)?.key;
    if (key !== undefined) args[key] = value;
  }
  for (const spelling of offer.spelled ?? []) {
    const parts = Object.entries(values).filter(([name]) => name in spelling.properties);
    if (parts.length > 0) Object.assign(args, spelling.read(Object.fromEntries(parts)));
  }
  const isKept = way.properties.has("timeout");
  const seconds = clamped(isKept ? undefined : values.timeout);
  return {
    command,
    action,
    args: {
      ...offer.usual?.(args),
      ...args,
      ...(watched && offer.watched !== undefined ? { [offer.watched]: true } : {}),
    },
    session:
      typeof values.session === "string" && !way.properties.has("session") ? values.session : undefined,
    seconds: isKept ? undefined : seconds,
  };
}

function clamped(seconds: unknown): number {
  if (typeof seconds !== "number") return SECONDS.usual;
  return Math.min(SECONDS.most, Math.max(SECONDS.least, seconds));
}

function chosenWay(action: Action, given: Values): Way {
  const ways = runnable(action);
  const [first] = ways;
  const name = first?.offer.when?.name;
  if (first === undefined) throw new Error(`nothing runs ${action.name}`);
  if (name === undefined) return first;
  const said = given[name];
  const found = ways.find(({ offer: { when } }) =>
    said === undefined ? when?.usual : typeof said === "string" && when?.values.includes(said),
  );
  if (found) return found;
  const values = ways.flatMap(({ offer }) => offer.when?.values ?? []);
  throw wrong(action, name, `${JSON.stringify(said)} is not one of ${values.join(", ")}`);
}

/** Each argument is known to this action, and of its kind as far as it can be made so. */
function named(action: Action, way: Way, given: Values): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(understood(way, given))) {
    if (name === way.offer.when?.name || value === undefined || value === null) continue;
    const property = way.properties.get(name) ?? common(way, name);
    if (!property) throw superfluous(action, way, name);
    const read = coerced(property.schema, value);
    values[name] = name === "timeout" && typeof read === "number" ? clamped(read) : read;
    // What is an argument of the command, its own schema will check.
    if (property.key === undefined) checked(action, name, property, values[name]);
  }
  return values;
}

function understood({ offer }: Way, given: Values): Values {
  return (offer.spelled ?? []).reduce<Values>((all, spelling) => spelling.understood?.(all) ?? all, given);
}

function common({ command, offer }: Way, name: string): Property | undefined {
  if (name === "timeout") return { schema: TIMEOUT, required: false };
  return name === "session" && isOfSession({ command, offer })
    ? { schema: SESSION, required: false }
    : undefined;
}

export function isOfSession({ command, offer }: Pick<Way, "command" | "offer">): boolean {
  return offer.ofSession ?? command.needs !== "nothing";
}

function checked(action: Action, name: string, { schema }: Property, value: unknown): void {
  const parsed = schema.safeParse(value);
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw wrong(action, name, issueText(issue, value));
}

function wrong(action: Action, name: string, what: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `${action.name} \`${name}\`: ${what}`);
}

/** Numbers and lists are taken from text too: models slip there. */
export function coerced(schema: z.ZodType, given: unknown): unknown {
  const { kind } = kindOf(schema);
  if (kind === "number" || kind === "integer")
    return typeof given === "string" && given.trim() !== "" && !Number.isNaN(Number(given))
      ? Number(given)
      : given;
  if (kind !== "strings" && kind !== "object") return given;
  const value = unpacked(given);
  if (kind === "strings") return typeof value === "string" && !metaOf(schema).words ? [value] : value;
  return isTexts(schema) && isRecord(value) ? texts(value) : value;
}

/** A list or object that came as the text of one. */
function unpacked(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value; // a text that only begins like one
  }
}

function isTexts(schema: z.ZodType): boolean {
  const def = schema.def as unknown as { innerType?: z.ZodType; type: string; valueType?: z.ZodType };
  if (def.innerType) return isTexts(def.innerType);
  return def.type === "record" && (def.valueType?.def as { type?: string } | undefined)?.type === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An environment has texts only; models give numbers too. */
function texts(record: Values): Record<string, unknown> {
  const plain = (value: unknown) => (typeof value === "object" ? value : String(value));
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, plain(value)]));
}

function needed(action: Action, way: Way, values: Values): void {
  for (const [name, { required }] of way.properties)
    if (required && values[name] === undefined) throw missing(action, way, [name]);
  const { oneOf, goesWith = {} } = way.offer;
  for (const [name, other] of Object.entries(goesWith))
    if (values[name] !== undefined && values[other] === undefined)
      throw new SondeError("BAD_ARGUMENT", `\`${name}\` goes with \`${other}\``);
  if (!oneOf) return;
  const begun = oneOf.filter((set) => set.some((name) => values[name] !== undefined));
  if (begun.length > 1)
    throw new SondeError("BAD_ARGUMENT", `${action.name} takes ${begun.map(both).join(" or ")}, not both`);
  const [set] = begun;
  if (!set) throw missing(action, way, oneOf.flat(), oneOf.map(both).join(" or "));
  const absent = set.filter((name) => values[name] === undefined);
  if (absent.length > 0) throw missing(action, way, absent);
}

function both(set: readonly string[]): string {
  return set.map((name) => `\`${name}\``).join(" and ");
}

function missing(action: Action, way: Way, names: readonly string[], what = both(names)): SondeError {
  const why = names.map((name) => adviceOn(way, name)).find((one) => one !== undefined);
  return new SondeError("BAD_ARGUMENT", `${action.name} needs ${what}`, {
    hint: withTakes(action, way, why),
  });
}

function superfluous(action: Action, way: Way, name: string): SondeError {
  const why = adviceOn(way, name);
  const near = why === undefined ? closest(name, toldIn(way)) : undefined;
  return new SondeError("BAD_ARGUMENT", `${action.name} takes no \`${name}\``, {
    hint: withTakes(action, way, near === undefined ? why : `did you mean \`${near}\`?`),
  });
}

function withTakes(action: Action, way: Way, before: Told | undefined): Advice {
  const takes = `${action.name} takes ${toldIn(way).join(", ") || "no arguments"}`;
  return before === undefined ? advice`${takes}` : advice`${before}; ${takes}`;
}

/** Names of what it takes, as far as they are worth to be said. */
export function toldIn(way: Way): string[] {
  const own = [...way.properties].filter(([, { schema }]) => !metaOf(schema).unsaid).map(([name]) => name);
  const when = way.offer.when === undefined ? [] : [way.offer.when.name];
  const session = isOfSession(way) ? ["session"] : [];
  return [...new Set([...own, ...when, ...session, "cwd", "timeout"])];
}
