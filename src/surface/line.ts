/** A `sonde …` command line, as advice names it, read back into the command and its arguments. */
import { SondeError } from "../errors.ts";
import { splitWords } from "../util/shell-words.ts";
import { COMMANDS, GLOBALS } from "./commands.generated.ts";
import { type ArgumentShape, readWords, type SurfaceCommand } from "./words.ts";

export interface Line {
  command: string;
  args: Record<string, unknown>;
  session?: string;
}

const byName = new Map(COMMANDS.flatMap((one) => [one.name, ...one.aliases].map((name) => [name, one])));

export function shapeOf(command: string): SurfaceCommand | undefined {
  return byName.get(command);
}

/** The option of this command, or of all of them. */
export function optionOf(command: string | undefined, flag: string): ArgumentShape | undefined {
  const shape = command === undefined ? undefined : byName.get(command);
  const own = [...(shape?.flags ?? []), ...(shape?.positionals ?? []), ...GLOBALS];
  return own.find((one) => one.flag === flag || one.short === flag);
}

/** The command a line begins with: its longest name. */
export function commandIn(words: readonly string[]): { shape: SurfaceCommand; used: number } | undefined {
  for (const used of [2, 1]) {
    const shape = words.length < used ? undefined : byName.get(words.slice(0, used).join(" "));
    if (shape) return { shape, used };
  }
  return undefined;
}

/** What stands after `sonde`. Undefined for what is no command of the engine's, or not to be read. */
export function readLine(text: string): Line | undefined {
  const words = lineWords(text);
  const found = commandIn(words);
  if (!found) return undefined;
  const values: Record<string, unknown> = {};
  try {
    const args = readWords(found.shape, words.slice(found.used), {
      globals: { flags: GLOBALS, values },
      placeholders: true,
      usage: () => "",
    });
    const { session } = values;
    return { command: found.shape.name, args, ...(typeof session === "string" ? { session } : {}) };
  } catch (thrown) {
    if (thrown instanceof SondeError) return undefined; // a sentence that only begins like a command
    throw thrown;
  }
}

/** As a shell would split it; but `<command line>` is one word, and what may be left out is left out. */
function lineWords(text: string): string[] {
  const plain = text.replace(/ \[--? [^\]]*\]/g, "").replace(/<[^<>]*>/g, (one) => one.replaceAll(" ", "\0"));
  return splitWords(plain).map((word) => word.replaceAll("\0", " "));
}

/** Of a line that advice names. */
const MOST_WORDS = 30;

/**
 * A line that stands in a sentence without quotes: the longest beginning that is one. Words that a command would join to an
 * expression may be the sentence's, so there only one is taken, directly after the name, or what is in quotes.
 */
export function readBareLine(text: string): { line: Line; length: number } | undefined {
  const found = [...text.matchAll(/(?:'[^']*'|<[^<>]*>|[^\s])+/g)].slice(0, MOST_WORDS);
  const ends = found.map((one) => one.index + one[0].length);
  for (const length of ends.reverse()) {
    const part = text.slice(0, length);
    const line = readLine(part);
    if (line && !tooLong(line, part)) return { line, length };
  }
  return undefined;
}

function tooLong({ command, args }: Line, part: string): boolean {
  const shape = shapeOf(command);
  const joined = shape?.join ? args[shape.positionals.at(-1)?.key ?? ""] : undefined;
  if (typeof joined !== "string" || part.includes(`'${joined}'`) || /^<[^<>]*>$/.test(joined)) return false;
  return joined.includes(" ") || / -/.test(part.slice(0, part.lastIndexOf(joined)));
}
