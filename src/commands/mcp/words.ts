/** Calls as calls of tools. What no tool can do stays a command line, which can still be typed in a shell. */
import { Blank, type Call, type Doing, type Option, type Words } from "../../advice/advice.ts";
import { cliWords } from "../cli-words.ts";
import type { Command } from "../define.ts";
import { kindOf, nameOf, type Values } from "./offer.ts";
import { toldIn } from "./reading.ts";
import type { Action, Tool, Way } from "./tools.ts";

interface Meant {
  tool: Tool;
  action: Action;
  way: Way;
  given: Values;
}

export function toolWords(
  tools: readonly Tool[],
  find: (name: string) => Command | undefined,
  asked?: Command,
): Words {
  const typed = cliWords(find, asked);
  const inShell = (line: string) => `\`${line}\` (in a shell)`;
  return {
    line: (call) => callOf(tools, call) ?? typed.line(call),
    part: (doing: Doing) => {
      switch (doing.do) {
        case "call": {
          const text = callOf(tools, doing);
          return text === undefined ? inShell(typed.line(doing)) : `\`${text}\``;
        }
        case "option":
          return optionText(tools, doing, asked) ?? typed.part(doing);
        case "shell":
          return inShell(doing.line);
        case "name":
          return waysOf(tools, doing.command)[0]?.action.name ?? doing.command;
        case "usage": {
          const [one] = waysOf(tools, doing.command);
          if (!one) return typed.part(doing);
          return `usage: \`${callText({ ...one, given: {} })}\`, which takes ${toldIn(one.way).join(", ")}`;
        }
        case "whole":
          return "structured content";
      }
    },
  };
}

function waysOf(tools: readonly Tool[], command: string): { tool: Tool; action: Action; way: Way }[] {
  return tools.flatMap((tool) =>
    tool.actions.flatMap((action) =>
      action.ways.filter((way) => way.command.name === command).map((way) => ({ tool, action, way })),
    ),
  );
}

function callOf(tools: readonly Tool[], { command, args, session }: Call): string | undefined {
  for (const { tool, action, way } of waysOf(tools, command)) {
    const given = written(way, args);
    if (given && isOneWay(way, given))
      return callText({ tool, action, way, given: { ...given, ...(session ? { session } : {}) } });
  }
  return undefined;
}

/** What the action takes for these arguments of its command; undefined if one of them cannot be said. */
function written({ offer, command, properties }: Way, args: Values): Values | undefined {
  const given: Record<string, unknown> = {};
  const left = new Map(Object.entries(args).filter(([, value]) => value !== undefined && value !== false));
  for (const [key, value] of Object.entries(offer.always ?? {})) {
    if (left.has(key) && left.get(key) !== value) return undefined;
    left.delete(key);
  }
  for (const spelling of offer.spelled ?? []) {
    const own = [...left].filter(([key]) => spelling.keys.includes(key));
    if (own.length === 0) continue;
    const piece = spelling.write(Object.fromEntries(own));
    if (piece === undefined) return undefined;
    Object.assign(given, piece);
    for (const [key] of own) left.delete(key);
  }
  for (const [key, value] of left) {
    const name = key === "cwd" ? key : nameIn(key, { offer, command, properties });
    if (name === undefined) return undefined;
    given[name] = value;
  }
  const { when } = offer;
  if (Object.entries(offer.goesWith ?? {}).some(([name, other]) => name in given && !(other in given)))
    return undefined;
  return { ...offer.says, ...given, ...(when && !when.usual ? { [when.name]: when.values[0] } : {}) };
}

function nameIn(key: string, { offer, command, properties }: Way): string | undefined {
  const schema = command.args.shape[key];
  const name = schema && nameOf(key, schema);
  return name !== undefined && offer.takes?.includes(key) && properties.has(name) ? name : undefined;
}

/** Two ways to say where are one too many. */
function isOneWay({ offer: { oneOf = [] } }: Way, given: Values): boolean {
  return oneOf.filter((set) => set.some((name) => given[name] !== undefined)).length <= 1;
}

/** `debug {"action":"until","line":12}`; what the action cannot do without is there, if only as a placeholder. */
export function callText({ tool, action, way, given }: Meant): string {
  const ways = way.offer.oneOf ?? [];
  const isBegun = ways.flat().some((name) => given[name] !== undefined);
  const required = [...way.properties].filter(([, one]) => one.required).map(([name]) => name);
  const names = [...required, ...((isBegun ? undefined : ways[0]) ?? [])];
  const all = { ...Object.fromEntries(names.map((name) => [name, new Blank(name)])), ...given };
  const parts = Object.entries(all).map(
    ([name, value]) => `${JSON.stringify(name)}:${valueText(value, isText(way, name))}`,
  );
  return `${tool.name} {${[`"${tool.by}":"${action.name}"`, ...parts].join(",")}}`;
}

function isText({ properties }: Way, name: string): boolean {
  const schema = properties.get(name)?.schema;
  if (!schema) return true;
  const { kind } = kindOf(schema);
  return kind === "string" || kind === "either" || kind === "strings";
}

/** A placeholder stands where its value will: in quotes only if that is a text. */
function valueText(value: unknown, isText: boolean): string {
  if (value instanceof Blank) return isText ? JSON.stringify(String(value)) : String(value);
  if (Array.isArray(value)) return `[${value.map((one) => valueText(one, true)).join(",")}]`;
  return JSON.stringify(value);
}

/** `timeout: <seconds>` */
function optionText(tools: readonly Tool[], { command, args }: Option, asked?: Command): string | undefined {
  const name = command ?? asked?.name;
  if (name === undefined) return undefined;
  for (const { way } of waysOf(tools, name)) {
    const texts = Object.entries(args).map(([key, value]) => oneOption(way, key, value));
    if (texts.every((text) => text !== undefined)) return texts.join(", ");
  }
  return undefined;
}

function oneOption(way: Way, key: string, value: unknown): string | undefined {
  if (key === "session" && value === undefined) return "`session`";
  if (key === "session") return `\`session: ${value instanceof Blank ? value : JSON.stringify(value)}\``;
  if (value === undefined) {
    const spelling = way.offer.spelled?.find((one) => one.keys.includes(key));
    const own = nameIn(key, way) ?? spelling?.names?.[key];
    return own === undefined
      ? undefined
      : own
          .split(" ")
          .map((one) => `\`${one}\``)
          .join(" and ");
  }
  const given = written(way, { [key]: value });
  const always = way.offer.when === undefined ? [] : [way.offer.when.name];
  const entries = Object.entries(given ?? {}).filter(([name]) => !always.includes(name));
  if (entries.length === 0) return undefined;
  return entries
    .map(([name, one]) => (one === true ? `\`${name}\`` : `\`${name}: ${shownValue(one)}\``))
    .join(", ");
}

function shownValue(value: unknown): string {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return one instanceof Blank ? String(one) : JSON.stringify(one);
}
