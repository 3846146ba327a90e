/** Of docs/library.md: every call with its options, from the declarations that the compiler checks callers against. */
import type { Command } from "../commands/define.ts";
import { REGISTERED } from "../commands/index.ts";
import { methodOf } from "../commands/library-words.ts";
import { argumentsName } from "./library-types.ts";

interface Option {
  name: string;
  type: string;
  says: string;
}

type Declared = ReadonlyMap<string, string>;

/** Calls whose options are declared by hand, because they are more than a command's arguments. */
const OWN: Record<string, string> = {
  start: "LaunchOptions",
  attach: "AttachOptions",
  probe: "ProbeOptions",
  trace: "TraceOptions",
  diff: "DiffOptions",
  crash: "CrashOptions",
  hang: "HangOptions",
  test: "TestOptions",
};

/** In so many calls that they are told once. */
const COMMON = 4;

export function libraryCalls(declared: Declared): string {
  const calls = REGISTERED.map((command) => ({ command, options: optionsOf(command, declared) }));
  const named = calls.filter(({ command }) => command.library !== undefined);
  const seen = new Map<string, { option: Option; count: number }>();
  for (const option of named.flatMap(({ options }) => options)) {
    const key = JSON.stringify(option);
    seen.set(key, { option, count: (seen.get(key)?.count ?? 0) + 1 });
  }
  const isCommon = (option: Option) => (seen.get(JSON.stringify(option))?.count ?? 0) >= COMMON;
  const common = [...seen.values()].filter(({ count }) => count >= COMMON).map(({ option }) => option);
  const rest = calls.filter(({ command }) => command.library === undefined);
  return [
    "## Options, call by call\n",
    "All of them may be left out unless a call makes no sense without. Every call also takes `signal` and `onText`.\n",
    "### In many calls\n",
    ...table(common),
    ...named.flatMap(({ command, options }) => section(command, options, isCommon)),
    "### By `call`\n",
    "`session.call(command, args)` and `sonde.call(command, args)` reach all of the above as well, by the names of",
    "[commands.md](commands.md), and these:\n",
    ...rest.map(({ command, options }) => callLine(command, options)),
    "",
  ].join("\n");
}

function section(command: Command, options: Option[], isCommon: (option: Option) => boolean): string[] {
  const { name, given = [], says = `${capital(command.summary)}.` } = methodOf(command);
  const places = [...given, ...(options.length > 0 ? ["options"] : [])].join(", ");
  const also = options.filter(isCommon).map((one) => `\`${one.name}\``);
  return [
    `### ${name}(${places})\n`,
    `${says}${also.length > 0 ? ` Takes ${also.join(", ")}${options.length > also.length ? " and:" : "."}` : ""}\n`,
    ...table(options.filter((one) => !isCommon(one))),
  ];
}

function callLine({ name, summary }: Command, options: Option[]): string {
  const args = options.length === 0 ? "{}" : `{ ${options.map((one) => one.name).join(", ")} }`;
  return `- \`"${name}", ${args}\`: ${summary}`;
}

function table(options: readonly Option[]): string[] {
  if (options.length === 0) return [];
  const cell = (text: string) => text.replaceAll("|", "\\|");
  return [
    "| option | type | |\n| --- | --- | --- |",
    ...options.map(({ name, type, says }) => `| \`${name}\` | \`${cell(type)}\` | ${cell(says)} |`),
    "",
  ];
}

/** As the compiler sees them: what the command takes, without what the method takes by place or calls otherwise. */
function optionsOf(command: Command, declared: Declared): Option[] {
  const { given = [], bare } = methodOf(command);
  if (bare) return [];
  const members = membersOf(declared.get(argumentsName(command)) ?? "");
  const own = declared.get(OWN[command.name] ?? "");
  if (own === undefined) return members.filter(({ name }) => !given.includes(name) && !isAll(name, given));
  const left = new Set(omittedBy(own, `CommandArguments["${command.name}"]`, declared));
  const running = /\bRunOptions\b/.test(own) ? membersOf(declared.get("RunOptions") ?? "") : [];
  const without = new Set(omittedBy(own, "RunOptions", declared));
  const all = [
    ...members.filter(({ name }) => !left.has(name)),
    ...membersOf(own),
    ...running.filter(({ name }) => !without.has(name)),
  ];
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

/** `"all"` stands in the place of the numbers. */
function isAll(name: string, given: readonly string[]): boolean {
  return name === "all" && given.includes("ids");
}

/** Of `Omit<RunOptions, "stdin">`, `Omit<CommandArguments["trace"], Plain | "feedback">`. */
function omittedBy(text: string, type: string, declared: Declared): string[] {
  const at = text.indexOf(`Omit<${type}, `);
  if (at < 0) return [];
  const list = text.slice(at + `Omit<${type}, `.length).split(">")[0] ?? "";
  return list.split("|").flatMap((one) => {
    const quoted = /"(\w+)"/.exec(one)?.[1];
    if (quoted !== undefined) return [quoted];
    const alias = declared.get(one.trim()) ?? "";
    return [...alias.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
  });
}

/** Each member of an interface with its comment; members of members are part of its type. */
function membersOf(text: string): Option[] {
  const body = text.slice(text.indexOf("{\n") + 1);
  const form =
    /^ {2}(?:\/\*\* (.*?) \*\/\n {2})?(?:readonly )?(\w+)\??: ([\s\S]*?);$(?=\n(?: {2}[/\w]|\}))/gm;
  return [...body.matchAll(form)].map(([, says = "", name = "", type = ""]) => ({
    name,
    type: type
      .replace(/\/\*\*.*?\*\/\s*/g, "")
      .replace(/ \| undefined/g, "")
      .replace(/;\s*\}/g, " }")
      .replace(/\s+/g, " "),
    says,
  }));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
