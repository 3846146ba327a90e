/** Calls as one would type them. */
import { Blank, type Call, type Doing, type Words } from "../advice/advice.ts";
import { shellWord } from "../util/shell-words.ts";
import { type ArgumentSpec, type CommandSpec, GLOBAL_FLAGS, specOf, usageOf } from "./command-line.ts";
import type { Command } from "./define.ts";

/** `asked`: the command that the answer is to, of which an option that stands alone is one. */
export function cliWords(find: (name: string) => Command | undefined, asked?: Command): Words {
  const line = (call: Call): string =>
    commandLine(call, known(find, call.command)) + (call.following ? `; ${line(call.following)}` : "");
  return {
    line,
    part: (doing: Doing) => {
      switch (doing.do) {
        case "call":
          return `\`${line(doing)}\``;
        case "option":
          return optionText(doing.args, doing.command === undefined ? asked : known(find, doing.command));
        case "shell":
          return `\`${doing.line}\``;
        case "name":
          return doing.command;
        case "usage":
          return `usage: ${usageOf(known(find, doing.command))}`;
        case "whole":
          return "--json";
      }
    },
  };
}

function known(find: (name: string) => Command | undefined, name: string): Command {
  const command = find(name);
  if (!command) throw new Error(`advice names the command ${name}, which does not exist`);
  return command;
}

function commandLine({ args, session }: Call, command: Command): string {
  const spec = specOf(command);
  const places = placesOf(spec, args);
  const flags = spec.flags.flatMap((one) => flagWords(one, args[one.key]));
  // After a place that takes all remaining words, an option would be one of them.
  const both = spec.join ? [...flags, ...places] : [...places, ...flags];
  const rest = spec.rest && args[spec.rest.key] !== undefined ? ["--", ...listOf(args[spec.rest.key])] : [];
  const of = session === undefined ? [] : ["-s", session];
  return ["sonde", command.cli.typed ?? command.name, ...[...of, ...both, ...rest].map(word)].join(" ");
}

/** A place that is left out ends them: what comes after it is given by name. */
function placesOf({ positionals }: CommandSpec, args: Readonly<Record<string, unknown>>): unknown[] {
  const words: unknown[] = [];
  for (const [index, one] of positionals.entries()) {
    const value = args[one.key];
    if (value === undefined) {
      const later = positionals.slice(index + 1).flatMap((next) => flagWords(next, args[next.key]));
      return [...words, ...(one.required ? [new Blank(one.key)] : []), ...later];
    }
    if (one.type === "pairs" && !(value instanceof Blank)) words.push(...pairWords(value));
    else words.push(...(one.repeat ? listOf(value) : [asText(one, value)]));
  }
  return words;
}

function flagWords(one: ArgumentSpec, value: unknown): unknown[] {
  if (value === undefined || value === false) return [];
  if (one.type === "boolean") return [one.flag];
  if (one.type === "pairs" && !(value instanceof Blank))
    return pairWords(value).flatMap((pair) => [one.flag, pair]);
  const all = one.repeat ? listOf(value) : [value];
  return all.flatMap((item) => [one.flag, asText(one, item)]);
}

function pairWords(value: unknown): string[] {
  return Object.entries(value as object).map(([key, text]) => `${key}=${String(text)}`);
}

function asText({ type, flag }: ArgumentSpec, value: unknown): unknown {
  if (value instanceof Blank || typeof value === "string") return value;
  if (type === "words" && Array.isArray(value)) return value.map(word).join(" ");
  if (typeof value === "object" && value !== null) {
    if (type === "file" && "file" in value) return value.file;
    if ("location" in value) return placeText(value as Place);
    return JSON.stringify(value);
  }
  if (value === undefined) throw new Error(`advice gives ${flag} no value`);
  return String(value);
}

interface Place {
  location: string;
  watch?: readonly string[];
  condition?: string;
}

/** `app.py:12=total,n if n > 3` */
export function placeText({ location, watch = [], condition }: Place): string {
  const shown = watch.length === 0 ? "" : `=${watch.join(",")}`;
  return `${location}${shown}${condition === undefined ? "" : ` if ${condition}`}`;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function word(value: unknown): string {
  return value instanceof Blank ? String(value) : shellWord(String(value));
}

/** `-s` is what everybody types. */
const GLOBALS = GLOBAL_FLAGS.map((one) => ({ ...one, flag: one.short ?? one.flag }));

/** `--timeout <seconds>`; a place goes by its name alone. */
function optionText(args: Readonly<Record<string, unknown>>, command: Command | undefined): string {
  const spec = command && specOf(command);
  return Object.entries(args)
    .map(([key, value]) => {
      const flag = [...(spec?.flags ?? []), ...GLOBALS].find((one) => one.key === key);
      const place = spec?.positionals.find((one) => one.key === key);
      if (place && value === undefined) return `<${key}>`;
      if (spec?.rest?.key === key)
        return value === undefined ? "what comes after `--`" : ["--", ...listOf(value).map(word)].join(" ");
      const name = (flag ?? place)?.flag ?? `--${key}`;
      if (value === undefined || flag === undefined) return name;
      return flagWords(flag, value).map(word).join(" ");
    })
    .join(" ");
}
