/** A command's arguments as the command line sees them, read off its zod schema. Used to parse argv and to write help and docs. */
import type * as z from "zod";
import type { ArgumentType } from "../util/argument-type.ts";
import type { Command } from "./define.ts";

export interface ArgumentSpec {
  key: string;
  /** `--remove-break` */
  flag: string;
  short?: string;
  type: ArgumentType;
  repeat: boolean;
  required: boolean;
  summary: string;
  default?: unknown;
  values?: string[];
  /** What help shows for its value, where the type does not say enough: `--at <file:line>`. */
  placeholder?: string;
}

export interface CommandSpec {
  positionals: ArgumentSpec[];
  join: boolean;
  rest: ArgumentSpec | undefined;
  flags: ArgumentSpec[];
}

/** Every command has these. */
export const GLOBAL_FLAGS: ArgumentSpec[] = [
  {
    key: "session",
    flag: "--session",
    short: "-s",
    type: "string",
    repeat: false,
    required: false,
    summary: "which session (default: the last one used in this folder)",
    placeholder: "name",
  },
  {
    key: "json",
    flag: "--json",
    type: "boolean",
    repeat: false,
    required: false,
    summary: "the answer as JSON",
  },
];

/** Of texts, by the argument's name, which means the same in all commands; `.meta({ placeholder })` where it does not. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  adapter: "name",
  agent: "id",
  at: "file:line",
  break: "file:line",
  catch: "name",
  collector: "name",
  condition: "expression",
  config: "name",
  core: "file",
  cwd: "folder",
  dir: "folder",
  eval: "expression",
  expression: "expression",
  file: "file",
  function: "name",
  functionBreak: "name",
  heapSnapshot: "file",
  hitCount: "count",
  into: "name",
  log: "message",
  map: "/old=/new",
  maxSize: "size",
  model: "name",
  name: "name",
  olderThan: "age",
  otlp: "URL",
  out: "file",
  output: "file",
  package: "name",
  port: "[host:]port",
  run: "command",
  scope: "handle",
  stop: "id",
  tool: "id",
  upstream: "URL",
  url: "URL",
  watch: "expression",
  where: "condition",
};

const cache = new WeakMap<Command, CommandSpec>();

export function specOf(command: Command): CommandSpec {
  const known = cache.get(command);
  if (known) return known;
  const { positionals = [], rest, join = false, short = {} } = command.cli;
  const all = new Map(
    Object.entries(command.args.shape).map(([key, schema]) => [
      key,
      argument(key, schema as z.ZodType, short[key]),
    ]),
  );
  const take = (key: string) => {
    const found = all.get(key);
    if (!found) throw new Error(`${command.name}: no argument ${key}`);
    all.delete(key);
    return found;
  };
  const spec: CommandSpec = {
    positionals: positionals.map(take),
    rest: rest === undefined ? undefined : take(rest),
    join,
    flags: [...all.values()],
  };
  cache.set(command, spec);
  return spec;
}

interface Def {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  entries?: Record<string, string>;
  defaultValue?: unknown;
}

function argument(key: string, schema: z.ZodType, short: string | undefined): ArgumentSpec {
  let current = schema;
  let required = true;
  let fallback: unknown;
  let repeat = false;
  let summary = schema.description ?? "";
  let typed: unknown;
  let flag: unknown;
  let placeholder: unknown;
  for (;;) {
    const def = current.def as unknown as Def;
    const meta = current.meta();
    summary ||= current.description ?? "";
    typed ??= meta?.typed;
    flag ??= meta?.flag;
    placeholder ??= meta?.placeholder;
    if ((def.type === "optional" || def.type === "default") && def.innerType) {
      required = false;
      if (def.type === "default") fallback = def.defaultValue;
      current = def.innerType;
    } else if (def.type === "array" && def.element && typed === undefined) {
      repeat = true;
      required = false;
      current = def.element;
    } else break;
  }
  const def = current.def as unknown as Def;
  const type = typeOf(def, typed);
  if (type === "string" && !def.entries) placeholder ??= PLACEHOLDERS[key];
  return {
    key,
    flag:
      typeof flag === "string" ? flag : `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ...(short === undefined ? {} : { short: `-${short}` }),
    type,
    repeat,
    required,
    summary,
    ...(fallback === undefined || Array.isArray(fallback) ? {} : { default: fallback }),
    ...(def.entries ? { values: Object.values(def.entries) } : {}),
    ...(typeof placeholder === "string" ? { placeholder } : {}),
  };
}

function typeOf({ type, valueType }: Def, typed: unknown): ArgumentType {
  if (typed === "file" || typed === "words") return typed;
  if (type === "record" && valueType)
    return (valueType.def as unknown as Def).type === "string" ? "pairs" : "json";
  return type === "boolean" || type === "number" ? type : "string";
}

/** `sonde breakpoint add <location> [--condition <string>]` */
export function usageOf(command: Command): string {
  const spec = specOf(command);
  const places = spec.positionals.map((one, index) => {
    const many = one.repeat || (spec.join && index === spec.positionals.length - 1) ? "…" : "";
    if (one.type === "pairs") return "[key=value…]";
    return one.required ? `<${one.key}>${many}` : `[${one.key}${many}]`;
  });
  const flags = spec.flags.length > 0 ? ["[options]"] : [];
  const rest = spec.rest ? [`[-- ${spec.rest.key}…]`] : [];
  return ["sonde", command.name, ...places, ...flags, ...rest].join(" ");
}
