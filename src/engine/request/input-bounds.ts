/**
 * How much one request may say. Everything is parsed on the one thread that answers everybody, so an argument has a length and
 * a request a number of words; what is longer belongs into a file.
 */

import { advice, blank, call } from "../../advice/advice.ts";
import { specOf } from "../../commands/command-line.ts";
import type { Command } from "../../commands/define.ts";
import { SondeError } from "../../errors.ts";

/** An expression, a place, a name. */
export const LONGEST_ARGUMENT = 32 * 1024;
/** Words of the program's own command line, and bytes for it. */
export const LONGEST_TEXT = 1024 * 1024;
const MOST_WORDS = 20_000;
const DEEPEST = 64;

/** Before anything is looked up. */
export function checkWords(argv: readonly string[]): void {
  if (argv.length > MOST_WORDS)
    throw tooLong(`a command line of ${argv.length} words`, `${MOST_WORDS} words`);
  for (const word of argv) if (word.length > LONGEST_TEXT) throw longWord(word, LONGEST_TEXT);
}

/** What the words, or a program's own object, have become. */
export function checkArguments(command: Command, args: Record<string, unknown>): void {
  if (Object.keys(args).length === 0) return;
  const inputs = specOf(command).flags.filter(({ type }) => type === "file");
  const long = new Set([command.cli.rest, ...(command.cli.long ?? []), ...inputs.map(({ key }) => key)]);
  let values = 0;
  const check = (value: unknown, most: number, depth: number): void => {
    if (++values > MOST_WORDS) throw tooLong("the list of values", `${MOST_WORDS} values`);
    if (depth > DEEPEST) throw tooLong("the nesting of lists and objects", `${DEEPEST} levels`);
    if (typeof value === "string" && value.length > most) throw longWord(value, most);
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (key.length > most) throw longWord(key, most);
      check(one, most, depth + 1);
    }
  };
  for (const [key, value] of Object.entries(args)) {
    if (key.length > LONGEST_ARGUMENT) throw longWord(key, LONGEST_ARGUMENT);
    check(value, long.has(key) ? LONGEST_TEXT : LONGEST_ARGUMENT, 0);
  }
}

/** Anything else, taken for no name, would mean another session. */
export function sessionName(given: unknown): string | undefined {
  if (given === undefined || typeof given === "string") return given;
  throw new SondeError("BAD_ARGUMENT", "`session` is not a name", {
    hint: advice`${call("sessions")} lists them`,
  });
}

function longWord(word: string, most: number): SondeError {
  return tooLong(`an argument of ${word.length} characters`, `${most} characters`);
}

function tooLong(what: string, most: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `${what} is too long: the limit is ${most}`, {
    hint: advice`put long text in a file and name the file, as in ${call("input", { file: blank("file") })}`,
  });
}
