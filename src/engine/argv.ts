/** Words to a command and its arguments, by the declarations. Pure. */

import { advice, joined, shell } from "../advice/advice.ts";
import { GLOBAL_FLAGS, specOf, usageOf } from "../commands/command-line.ts";
import type { Command } from "../commands/define.ts";
import { foreign } from "../commands/foreign.ts";
import { readValue, readWords, splitInline } from "../commands/read-words.ts";
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import { splitWords, unquote } from "../util/shell-words.ts";
import { cut } from "../util/text.ts";

export interface Parsed {
  command: Command;
  /** Not yet validated by the command's schema. */
  args: Record<string, unknown>;
  session?: string;
  json: boolean;
}

/** Of a word that is no command. */
const LONGEST_SHOWN = 100;
/** Of a family of commands: more than these are not named in a hint. */
const MOST_NAMED = 8;

export class Registry {
  readonly commands: readonly Command[];
  #byWords = new Map<string, Command>();

  constructor(commands: readonly Command[]) {
    this.commands = commands;
    for (const command of commands) {
      for (const name of [command.name, ...command.aliases]) {
        if (this.#byWords.has(name)) throw new Error(`two commands are called ${name}`);
        this.#byWords.set(name, command);
      }
    }
  }

  get(name: string): Command | undefined {
    return this.#byWords.get(name);
  }

  names(): string[] {
    return [...this.#byWords.keys()];
  }

  /** The longest name that the words begin with. */
  find(words: readonly string[]): { command: Command; used: number } {
    for (const used of [3, 2, 1]) {
      const command = words.length >= used ? this.#byWords.get(words.slice(0, used).join(" ")) : undefined;
      if (command) return { command, used };
    }
    const [first = "", second] = words.slice(0, 2).map((word) => cut(word, LONGEST_SHOWN));
    const below = this.names().filter((name) => name.startsWith(`${first} `));
    if (below.length > 0) {
      const near = second === undefined ? undefined : closest(`${first} ${second}`, below);
      throw new SondeError(
        "UNKNOWN_COMMAND",
        second === undefined ? `${first} needs one more word` : `no command \`${first} ${second}\``,
        {
          hint: near
            ? advice`did you mean ${shell(`sonde ${near}`)}?`
            : below.length > MOST_NAMED
              ? advice`${shell(`sonde help ${first}`)} lists them`
              : advice`one of: ${joined(
                  below.map((name) => shell(`sonde ${name}`)),
                  ", ",
                )}`,
        },
      );
    }
    const meant = foreign(words.slice(0, 2).join(" ")) ?? foreign(first);
    if (meant) {
      throw new SondeError("UNKNOWN_COMMAND", `no command \`${first}\``, {
        hint: advice`use ${meant}`,
      });
    }
    const near = closest(first, new Set(this.names().flatMap((name) => [name, name.split(" ")[0] ?? name])));
    throw new SondeError("UNKNOWN_COMMAND", first === "" ? "no command" : `no command \`${first}\``, {
      hint: near
        ? advice`did you mean ${shell(`sonde ${near}`)}?`
        : advice`${shell("sonde help")} lists them`,
    });
  }
}

export function parseArgv(registry: Registry, argv: readonly string[]): Parsed {
  const globals: Record<string, unknown> = {};
  const words = takeLeadingGlobals(argv, globals);
  const { command, used } = registry.find(words);
  const args = { ...parseArguments(command, words.slice(used), globals) };
  return {
    command,
    args,
    json: globals.json === true,
    ...(typeof globals.session === "string" ? { session: globals.session } : {}),
  };
}

/**
 * One line of `do` as words. An expression is taken as it stands, because its quotes belong to the program's language; flags come
 * before it.
 */
export function lineWords(registry: Registry, line: string): string[] {
  const words = splitWords(line);
  const name = [words.slice(0, 2).join(" "), words[0] ?? ""].find((one) => registry.get(one)?.cli.expression);
  const command = name === undefined ? undefined : registry.get(name);
  if (name === undefined || !command) return words;
  let rest = line.slice(name.length).trim();
  const flags: string[] = [];
  for (let match = FLAG.exec(rest); match; match = FLAG.exec(rest)) {
    const spec = specOf(command).flags.find((one) => one.flag === match?.[1]);
    if (!spec) break;
    const [whole, flag = "", , value] = match;
    const takes = spec.type !== "boolean" && value !== undefined;
    flags.push(flag, ...(takes ? [unquote(value)] : []));
    rest = rest.slice(takes ? whole.length : flag.length).trim();
  }
  return [name, ...flags, "--", unquote(rest)];
}

const FLAG = /^(--[a-z-]+)(\s+([^\s]+))?/;

/** Global flags anywhere among words none of which is a flag of its own: the commands of a `do`. */
export function takeGlobals(argv: readonly string[]): { words: string[]; globals: Record<string, unknown> } {
  const globals: Record<string, unknown> = {};
  const words: string[] = [];
  let rest = [...argv];
  while (rest.length > 0) {
    rest = takeLeadingGlobals(rest, globals);
    words.push(...rest.splice(0, 1));
  }
  return { words, globals };
}

/** `sonde -s web next` means the same as `sonde next -s web`. */
export function takeLeadingGlobals(argv: readonly string[], globals: Record<string, unknown>): string[] {
  const words = [...argv];
  while (words[0]?.startsWith("-") && words[0] !== "--") {
    const word = words.shift() ?? "";
    const [name, inline] = splitInline(word);
    const spec = GLOBAL_FLAGS.find((flag) => flag.flag === name || flag.short === name);
    if (!spec)
      throw new SondeError("BAD_ARGUMENT", `unknown option ${name} before the command`, {
        hint: advice`${shell("sonde help")}`,
      });
    globals[spec.key] = spec.type === "boolean" ? true : readValue(spec, inline ?? words.shift());
  }
  return words;
}

function parseArguments(
  command: Command,
  words: string[],
  globals: Record<string, unknown>,
): Record<string, unknown> {
  const shape = { name: command.name, belongs: command.cli.belongs, ...specOf(command) };
  return readWords(shape, words, {
    globals: { flags: GLOBAL_FLAGS, values: globals },
    usage: () => usageOf(command),
  });
}
