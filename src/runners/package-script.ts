/** `npm test` and its like: the script of package.json that they run, when it is one plain command. */
import { splitWords } from "../util/shell-words.ts";
import { base } from "./command-line.ts";

const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
/** Anything a shell would have to interpret. */
const SHELL_SYNTAX = /[;&|<>$`(){}\n~#!]/;

/** The script's name and the words for it. */
export function scriptOf(words: readonly string[]): { script: string; args: string[] } | undefined {
  const [first = "", ...rest] = words;
  if (!MANAGERS.has(base(first))) return undefined;
  const run = rest[0] === "run" || rest[0] === "run-script" ? rest.slice(1) : rest;
  const [name = "", ...args] = run;
  const script = name === "t" && base(first) === "npm" ? "test" : name;
  if (!/^test\b|^t$/.test(name) && run === rest) return undefined;
  return { script, args: args[0] === "--" ? args.slice(1) : args };
}

/** The command that a script stands for; nothing if it takes a shell to run it. */
export function scriptWords(packageJson: string, script: string): string[] | undefined {
  let scripts: unknown;
  try {
    ({ scripts } = JSON.parse(packageJson) as { scripts?: unknown });
  } catch {
    return undefined; // npm will say what is wrong with it
  }
  const text = (scripts as Record<string, unknown> | undefined)?.[script];
  if (typeof text !== "string" || SHELL_SYNTAX.test(text)) return undefined;
  const words = splitWords(text);
  return words.length > 0 ? words : undefined;
}
