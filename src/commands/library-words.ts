/** The library's calls: their options as a command's arguments, and calls as one would write them in a program. */
import { advice, Blank, type Call, type Doing, type Name, type Words } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import { splitWords } from "../util/shell-words.ts";
import { type ArgumentSpec, specOf } from "./command-line.ts";
import type { Command, Method } from "./define.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** What a call's options are for its command. Nothing is accepted and ignored. */
export function readOptions(command: Command, options: Arguments): Record<string, unknown> {
  const keys = new Map(Object.entries(methodOf(command).names ?? {}).map(([key, name]) => [name, key]));
  const specs = new Map(allOf(command).map((one) => [one.key, one]));
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const key = keys.get(name) ?? name;
    const spec = specs.get(key);
    if (!spec) throw superfluous(command, name);
    args[key] = asGiven(command, name, spec, value);
  }
  return args;
}

function superfluous(command: Command, name: string): SondeError {
  const known = optionsOf(command);
  const near = closest(name, known);
  const method: Name = { do: "name", command: command.name };
  return new SondeError("BAD_ARGUMENT", advice`${method} takes no option \`${name}\``, {
    hint: advice`${near === undefined ? "" : `did you mean \`${near}\`? `}${method} takes ${known.join(", ")}`,
  });
}

/** Of a command line one knows how to split it; of arguments nobody knows whether it is one or several. */
function asGiven(
  command: Command,
  name: string,
  { type, repeat, key }: ArgumentSpec,
  value: unknown,
): unknown {
  if (type === "string" && !repeat && typeof value === "number") return String(value);
  const isList = repeat || type === "words" || key === command.cli.rest;
  if (!isList || typeof value !== "string") return value;
  if (type === "words" || name === "command") return splitWords(value);
  if (key !== command.cli.rest) return [value];
  throw new SondeError(
    "BAD_ARGUMENT",
    advice`${{ do: "name", command: command.name }}: \`${name}\` is a list`,
    {
      hint: `${name}: ${JSON.stringify(splitWords(value))}`,
    },
  );
}

/** What the call takes in its options, by name. */
export function optionsOf(command: Command): string[] {
  const { given = [], names = {}, also = [] } = methodOf(command);
  const own = allOf(command).filter(({ key }) => !given.includes(key));
  return [...new Set([...own.map(({ key }) => names[key] ?? key), ...also])];
}

function allOf(command: Command): ArgumentSpec[] {
  const { positionals, flags, rest } = specOf(command);
  return [...positionals, ...flags, ...(rest ? [rest] : [])];
}

/** By its method, or by the `call` that reaches all of them. */
export function methodOf(command: Command): Method {
  return command.library ?? { name: callOf(command), given: [], names: {} };
}

function callOf(command: Command): string {
  return `${command.needs === "nothing" ? "sonde" : "session"}.call`;
}

export function methodWords(find: (name: string) => Command | undefined, asked?: Command): Words {
  const known = (name: string) => {
    const command = find(name);
    if (!command) throw new Error(`advice names the command ${name}, which does not exist`);
    return command;
  };
  const line = (call: Call) => callText(known(call.command), call);
  return {
    line,
    part: (doing: Doing) => {
      switch (doing.do) {
        case "call":
          return `\`${line(doing)}\``;
        case "option": {
          const command = doing.command === undefined ? asked : known(doing.command);
          return optionText(command, doing.args);
        }
        case "shell":
          return `\`${doing.line}\``;
        case "name":
          return nameOf(known(doing.command));
        case "usage":
          return `usage: ${usageOf(known(doing.command))}`;
        case "whole":
          return "the answer";
      }
    },
  };
}

function nameOf(command: Command): string {
  return command.library?.name ?? command.name;
}

function usageOf(command: Command): string {
  const { name, given = [] } = methodOf(command);
  const named = optionsOf(command);
  const first = command.library ? given : [JSON.stringify(command.name)];
  return `\`${name}(${[...first, ...(named.length === 0 ? [] : [`{ ${named.join(", ")} }`])].join(", ")})\``;
}

function optionText(command: Command | undefined, args: Arguments): string {
  return Object.entries(args)
    .map(([key, value]) => {
      const name = (command && methodOf(command).names?.[key]) ?? key;
      return value === undefined || value === true
        ? `\`${name}\``
        : `\`${name}: ${literal(oneOf(value), false)}\``;
    })
    .join(", ");
}

function callText(command: Command, { args: said, session }: Call): string {
  const { name, given = [], names = {}, bare } = methodOf(command);
  const args = Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined && value !== false),
  );
  const numbers = new Set(
    allOf(command)
      .filter(({ type }) => type === "number")
      .map(({ key }) => key),
  );
  const shown = (key: string, value: unknown) => literal(value, !numbers.has(key));
  if (!command.library || (bare && Object.keys(args).length > 0)) {
    const options = Object.entries(args).map(([key, value]) => `${property(key)}: ${shown(key, value)}`);
    const text = options.length === 0 ? "{}" : `{ ${options.join(", ")} }`;
    return `${ofSession(callOf(command), session)}(${JSON.stringify(command.name)}, ${text})`;
  }
  const { places, rest } = placed(command, args, given);
  const options = Object.entries(rest).map(
    ([key, value]) => `${property(nameIn(key, names, args))}: ${shown(key, value)}`,
  );
  return `${ofSession(name, session)}(${[...places, ...(options.length > 0 ? [`{ ${options.join(", ")} }`] : [])].join(", ")})`;
}

/** The method of that session. */
function ofSession(method: string, session: string | undefined): string {
  if (session === undefined || !method.startsWith("session.")) return method;
  return `sonde.session(${JSON.stringify(session)})${method.slice("session".length)}`;
}

/** Of a program with arguments these keep their name; without, they are the command line. */
function nameIn(key: string, names: Readonly<Record<string, string>>, args: Arguments): string {
  return key === "args" && args.program !== undefined ? key : (names[key] ?? key);
}

/** What stands by place, and what is left for the options. "all" stands in the place of the numbers. */
function placed(
  command: Command,
  args: Arguments,
  given: readonly string[],
): { places: string[]; rest: Arguments } {
  const needed = specOf(command)
    .positionals.filter((one) => one.required)
    .map(({ key }) => key);
  const places: string[] = [];
  const rest: Record<string, unknown> = { ...args };
  for (const key of given) {
    const value =
      key === "ids" && args.all === true
        ? "all"
        : (args[key] ?? (needed.includes(key) ? new Blank(key) : undefined));
    delete rest[key];
    if (key === "ids") delete rest.all;
    // A place may be left out where more is said in words: `breakpoints.add({ function: "main" })`.
    if (value === undefined) break;
    places.push(literal(oneOf(value), key !== "ids" && key !== "id" && key !== "number"));
  }
  return { places, rest };
}

function oneOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function property(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}

/** As one would write it: `{ program: "app.js", timeout: 5 }`. A placeholder for a number has no quotes. */
function literal(value: unknown, isText: boolean): string {
  if (value instanceof Blank) return isText ? JSON.stringify(String(value)) : String(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, isText)).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${property(key)}: ${literal(one, true)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}
