/** Every argument a tool takes: its type here, and in the table how it is described and checked. */
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import { own } from "../util/own.ts";

export interface Arguments {
  program?: string;
  args?: string[];
  adapter?: string;
  cwd?: string;
  env?: Record<string, unknown>;
  stdin?: string;
  stdin_b?: string;
  build?: boolean;
  stop_on_entry?: boolean;
  breakpoints?: string[];
  expressions?: string[];
  filters?: string[];
  pid?: number;
  port?: number;
  host?: string;
  file?: string;
  line?: number;
  column?: number;
  function?: string[];
  condition?: string;
  hit_condition?: string;
  log?: string;
  name?: string;
  value?: string;
  expression?: string;
  context?: string;
  frame_id?: number;
  thread_id?: number;
  scope_id?: number | string;
  variable_ref?: number | string;
  start?: number;
  count?: number;
  levels?: number;
  lines?: number;
  names?: string[];
  since?: number;
  memory_reference?: string;
  instruction_reference?: string;
  instruction_count?: number;
  instruction_offset?: number;
  offset?: number;
  resolve_symbols?: boolean;
  data?: string;
  allow_partial?: boolean;
  data_id?: string;
  access_type?: string;
  command?: string;
  command_b?: string;
  arguments?: Record<string, unknown>;
  start_module?: number;
  module_count?: number;
  no_wait?: boolean;
  session?: string;
  timeout?: number;
  locations?: string[];
  exception?: boolean;
  hits?: number;
  after?: number;
  core?: string;
  at?: string[];
  depth?: number;
  runs?: number;
  traces?: string[];
  where?: string;
  range?: string;
  changes?: boolean;
  first?: number;
  last?: number;
  all?: boolean;
}

export type Name = keyof Arguments;

type Kind = "string" | "number" | "integer" | "boolean" | "strings" | "names" | "object" | "handle";

export interface Property {
  kind: Kind;
  says?: string;
  /** The only values, of a string. */
  values?: readonly string[];
  /** The least, of a number. */
  least?: number;
  most?: number;
  /** Understood, and not worth its place in every conversation. */
  unsaid?: boolean;
}

const text = (says?: string): Property => ({ kind: "string", ...(says ? { says } : {}) });
const whole = (least: number, says?: string): Property => ({
  kind: "integer",
  least,
  ...(says ? { says } : {}),
});
const flag = (says?: string): Property => ({ kind: "boolean", ...(says ? { says } : {}) });
const list = (says?: string): Property => ({ kind: "strings", ...(says ? { says } : {}) });

export const CONTEXTS = ["repl", "watch", "hover", "variables", "clipboard", "raw"] as const;

export const PROPERTIES: Record<Name, Property> = {
  program: text("file, or a command such as npm"),
  args: list(),
  adapter: text("debugger or language"),
  cwd: text("kept for later calls"),
  env: { kind: "object" },
  stdin: text("its text"),
  stdin_b: text(),
  build: flag("compile first"),
  stop_on_entry: flag(),
  breakpoints: list("file:line[ if expr]"),
  expressions: list(),
  filters: list("uncaught, all, none…"),
  pid: whole(1),
  port: whole(1),
  host: text(),
  file: text(),
  line: whole(1),
  column: { kind: "integer", least: 1, unsaid: true },
  function: { kind: "names" },
  condition: text(),
  hit_condition: text("5, >=5, %3"),
  log: text("print with {expr}, no stop"),
  name: text(),
  value: text(),
  expression: text(),
  context: { kind: "string", values: CONTEXTS, says: "raw: debugger command" },
  frame_id: whole(0, "stack index"),
  thread_id: whole(1),
  scope_id: { kind: "handle" },
  variable_ref: { kind: "handle", says: "7 or @v7" },
  start: whole(0),
  count: whole(1),
  levels: whole(1),
  lines: whole(0, "around"),
  names: list(),
  since: whole(0, "cursor"),
  memory_reference: text("or &variable"),
  instruction_reference: text("or function"),
  instruction_count: whole(1),
  instruction_offset: { kind: "integer" },
  offset: { kind: "integer", says: "bytes" },
  resolve_symbols: flag(),
  data: text("base64"),
  allow_partial: flag(),
  data_id: text(),
  access_type: { kind: "string", values: ["read", "write", "readWrite"] },
  command: text(),
  command_b: text(),
  arguments: { kind: "object" },
  start_module: whole(0),
  module_count: whole(1),
  no_wait: flag(),
  session: text("default: last used"),
  timeout: { kind: "number", says: "seconds 5-300, default 30" },
  locations: list("file:line[ if expr]"),
  exception: flag("uncaught"),
  hits: whole(1, "Nth hit"),
  after: { kind: "number", least: 0, says: "seconds" },
  core: text("file"),
  at: list("file:line[=expr,expr][ if expr]"),
  depth: whole(0, "nested calls"),
  runs: { kind: "integer", least: 2, most: 100 },
  traces: list("ids"),
  where: text("sum < 0"),
  range: text("3..9"),
  changes: flag(),
  first: whole(1),
  last: whole(1),
  all: flag(),
};

/** The given value as its property's kind, or why not. Numbers and lists are taken from text too: models slip there. */
function read(name: Name, given: unknown): unknown {
  const { kind, values, least, most } = PROPERTIES[name];
  const value = kind === "strings" || kind === "names" || kind === "object" ? unpacked(given) : given;
  const wrong = (wanted: string) =>
    new SondeError(
      "BAD_ARGUMENT",
      `\`${name}\` must be ${wanted}, not ${JSON.stringify(value)?.slice(0, 80)}`,
    );
  switch (kind) {
    case "string":
      if (typeof value !== "string") throw wrong("a string");
      if (values && !values.includes(value)) throw wrong(`one of ${values.join(", ")}`);
      return value;
    case "boolean":
      if (typeof value !== "boolean") throw wrong("true or false");
      return value;
    case "object":
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong("an object");
      return value;
    case "names":
    case "strings": {
      // Of a text with blanks nobody knows whether it is one word or several.
      const one = typeof value === "string" && name !== "args" ? [value] : value;
      const items: unknown[] = Array.isArray(one) ? one : [undefined];
      if (!items.every((item) => typeof item === "string"))
        throw wrong(kind === "names" ? "a name, or a list of names" : "a list of strings");
      return items;
    }
    case "handle":
      if (/^(@?v)?\d+$/.test(String(value))) return `@v${String(value).replace(/^@?v/, "")}`;
      throw wrong("a handle such as 7 or @v7");
    default: {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isFinite(number)) throw wrong("a number");
      if (kind === "integer" && !Number.isInteger(number)) throw wrong("a whole number");
      if (least !== undefined && number < least) throw wrong(`at least ${least}`);
      if (most !== undefined && number > most) throw wrong(`at most ${most}`);
      return number;
    }
  }
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

/** What an action takes. Of `oneOf` exactly one set must be given, whole. */
export interface Takes {
  required?: readonly Name[];
  oneOf?: readonly (readonly Name[])[];
  optional?: readonly Name[];
  /** Other ways to say the same, put into the words of this action before anything is checked. */
  understood?(given: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Of an argument that is missing, or that is another action's: where to get it, what to do instead. */
  advice?: Readonly<Record<string, string>>;
}

export function namesIn({ required = [], oneOf = [], optional = [] }: Takes): Name[] {
  return [...new Set([...required, ...oneOf.flat(), ...optional])];
}

/** Those that are told of. */
export function toldIn(takes: Takes): Name[] {
  return namesIn(takes).filter((name) => !PROPERTIES[name].unsaid);
}

/** Nothing is accepted and ignored: each argument is known to this action and of its kind, and none it needs is missing. */
export function checked(action: string, takes: Takes, given: Record<string, unknown>): Arguments {
  const known = namesIn(takes);
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(takes.understood?.(given) ?? given)) {
    const found = known.find((one) => one === name);
    if (found === undefined) throw superfluous(action, name, takes);
    if (value !== undefined && value !== null) values[found] = read(found, value);
  }
  for (const name of takes.required ?? [])
    if (values[name] === undefined) throw missing(action, [name], takes);
  if (takes.oneOf) checkOneOf(action, takes.oneOf, values, takes);
  return values as Arguments;
}

function checkOneOf(
  action: string,
  sets: readonly (readonly Name[])[],
  values: Record<string, unknown>,
  takes: Takes,
): void {
  const begun = sets.filter((set) => set.some((name) => values[name] !== undefined));
  if (begun.length > 1)
    throw new SondeError("BAD_ARGUMENT", `${action} takes ${begun.map(named).join(" or ")}, not both`);
  const [set] = begun;
  if (!set) throw missing(action, sets.flat(), takes, sets.map(named).join(" or "));
  const absent = set.filter((name) => values[name] === undefined);
  if (absent.length > 0) throw missing(action, absent, takes);
}

function named(set: readonly Name[]): string {
  return set.map((name) => `\`${name}\``).join(" and ");
}

function missing(action: string, names: readonly Name[], takes: Takes, what = named(names)): SondeError {
  const advice = names.flatMap((name) => own(takes.advice, name) ?? []).slice(0, 1);
  return new SondeError("BAD_ARGUMENT", `${action} needs ${what}`, {
    hint: [...advice, `${action} takes ${toldIn(takes).join(", ")}`].join("; "),
  });
}

function superfluous(action: string, name: string, takes: Takes): SondeError {
  const known = toldIn(takes);
  const advice = own(takes.advice, name);
  const near = advice === undefined ? closest(name, known) : undefined;
  return new SondeError("BAD_ARGUMENT", `${action} takes no \`${name}\``, {
    hint: [
      ...(advice === undefined ? [] : [advice]),
      `${near ? `did you mean \`${near}\`? ` : ""}${action} takes ${known.join(", ") || "no arguments"}`,
    ].join("; "),
  });
}
