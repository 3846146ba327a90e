/** Advice as the command line shows it, for tests that render a text without an engine. */
import { said, type Told } from "../../src/advice/advice.ts";
import { cliWords } from "../../src/commands/cli-words.ts";
import { REGISTERED } from "../../src/commands/index.ts";

export function typedWords(told: Told): string {
  return said(
    told,
    cliWords((name) => REGISTERED.find((one) => one.name === name)),
  );
}
