/** Advice as the command line shows it, for tests that need no engine. */
import { said, type Told } from "../../src/advice/advice.ts";
import { cliWords } from "../../src/commands/cli-words.ts";
import { REGISTERED } from "../../src/commands/index.ts";
import { SondeError } from "../../src/errors.ts";

const words = cliWords((name) => REGISTERED.find((one) => one.name === name));

export function typedWords(told: Told): string {
  return said(told, words);
}

/** The same of an error. */
export async function failsInTypedWords<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw error instanceof SondeError ? error.in(words) : error;
  });
}
