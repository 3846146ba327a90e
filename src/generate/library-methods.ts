/** src/library/session-methods.generated.ts: a method of a session for every command whose declaration names one. */
import * as z from "zod";
import type { Command } from "../commands/define.ts";
import { REGISTERED } from "../commands/index.ts";
import { methodOf } from "../commands/library-words.ts";
import { property, type Schema, typeOf } from "./library-types.ts";

/** Groups of methods, and what they are about; a group that is not named here has no comment. */
const GROUPS: Record<string, string> = {
  breakpoints: "Breakpoints of a session; they stay when it is restarted.",
  catches: "Stops at exceptions.",
  watches: "Stops when a value changes or is read, where the debugger can.",
  memory: "Bytes of the program, where the debugger can.",
};

interface Made {
  name: string;
  doc: string;
  /** `location: string, options?: Options<"until", "location">` */
  takes: string;
  answers: string;
  /** `"until", { location, ...options }` */
  asks: string;
  /** `location, options` */
  passed: string;
}

export function libraryMethods(): string {
  const own: Made[] = [];
  const groups = new Map<string, Made[]>();
  for (const command of REGISTERED) {
    const [of, ...rest] = command.library?.name.split(".") ?? [];
    if (of !== "session") continue;
    const [group, name] = rest.length === 2 ? rest : [undefined, rest[0]];
    if (name === undefined) throw new Error(`${command.name}: session.what?`);
    const list = group === undefined ? own : (groups.get(group) ?? []);
    if (group !== undefined) groups.set(group, list);
    list.push(made(command, name));
  }
  const used = [...own, ...[...groups.values()].flat()].map(({ asks }) => asks).join();
  const placing = ["chosen", "placed"].filter((one) => used.includes(`...${one}(`));
  return [
    "/** Generated from the command declarations (`npm run generate`): the methods of a session. */",
    "// biome-ignore-all format: generated",
    'import type { CommandArguments } from "../advice/commands.generated.ts";',
    'import type { CommandResults } from "./commands.generated.ts";',
    'import type { CallOptions, Options } from "./options.ts";',
    `import { ${placing.join(", ")} } from "./placed.ts";`,
    "",
    ...[...groups].map(([group, methods]) => groupType(group, methods)),
    "type Ask = <C extends keyof CommandArguments>(command: C, args: Record<string, unknown> & CallOptions) => Promise<CommandResults[C]>;",
    "",
    "export abstract class SessionMethods {",
    ...[...groups.keys()].map((group) => `  readonly ${group}: ${groupName(group)};`),
    "  readonly #ask: Ask;",
    "",
    "  protected constructor(ask: Ask) {",
    "    this.#ask = ask;",
    ...[...groups].flatMap(([group, methods]) => [
      `    this.${group} = {`,
      ...methods.map(({ name, passed, asks }) => `      ${property(name)}: (${passed}) => ask(${asks}),`),
      "    };",
    ]),
    "  }",
    ...own.flatMap(({ name, doc, takes, answers, asks }) => [
      "",
      `  /** ${doc} */`,
      `  ${name}(${takes}): ${answers} {`,
      `    return this.#ask(${asks});`,
      "  }",
    ]),
    "}",
    "",
  ].join("\n");
}

function groupType(group: string, methods: readonly Made[]): string {
  const about = GROUPS[group];
  return [
    ...(about === undefined ? [] : [`/** ${about} */`]),
    `export interface ${groupName(group)} {`,
    ...methods.flatMap(({ name, doc, takes, answers }) => [
      `  /** ${doc} */`,
      `  ${name}(${takes}): ${answers};`,
    ]),
    "}",
    "",
  ].join("\n");
}

function groupName(group: string): string {
  return `Session${capital(group)}`;
}

function made(command: Command, name: string): Made {
  const { given = [], bare = false, says = `${capital(command.summary)}.` } = methodOf(command);
  const schema = z.toJSONSchema(command.args, { io: "input", unrepresentable: "any" }) as Schema;
  const keys = Object.keys(schema.properties ?? {});
  const byPlace = given.flatMap((key) => (isChoice(key, keys) ? [key, "all"] : [key]));
  const hasMore = !bare && keys.some((key) => !byPlace.includes(key));
  const without = byPlace.length === 0 ? "" : `, ${byPlace.map(quoted).join(" | ")}`;
  const options = hasMore ? `Options<${quoted(command.name)}${without}>` : "CallOptions";
  const places = given.map((key, at) => {
    const value = schema.properties?.[key] ?? {};
    const isOptional = !(schema.required ?? []).includes(key);
    // What may be left out for a choice of options stands in their place: `breakpoints.add({ function: "main" })`.
    const either = at === 0 && isOptional && hasMore;
    const choice = isChoice(key, keys);
    const type = choice ? 'number | readonly number[] | "all"' : readOnly(typeOf(value, "", " | undefined"));
    const whole = choice ? options : `Options<${quoted(command.name)}>`;
    const variable = RESERVED.has(key) ? "args" : key;
    const isOpen = isOptional && !either && !choice;
    return {
      variable,
      takes: `${variable}${isOpen ? "?" : ""}: ${type}${either ? ` | ${whole}` : ""}`,
      asks: choice
        ? `...chosen(${variable})`
        : either
          ? `...placed(${quoted(key)}, ${variable})`
          : variable === key
            ? key
            : `${key}: ${variable}`,
    };
  });
  return {
    name,
    doc: says,
    takes: [...places.map(({ takes }) => takes), `options?: ${options}`].join(", "),
    answers: `Promise<CommandResults[${quoted(command.name)}]>`,
    asks: `${quoted(command.name)}, { ${[...places.map(({ asks }) => asks), "...options"].join(", ")} }`,
    passed: [...places.map(({ variable }) => variable), "options"].join(", "),
  };
}

/** Words that no variable may be called. */
const RESERVED: ReadonlySet<string> = new Set(["arguments", "function", "delete", "new", "default"]);

/** Numbers, in whose place "all" may stand. */
function isChoice(key: string, keys: readonly string[]): boolean {
  return key === "ids" && keys.includes("all");
}

function readOnly(type: string): string {
  return type.startsWith("Record<") ? `Readonly<${type}>` : type;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
