/** A script that an interpreter is told to run and that is not there: told before anything runs, in our words, not the interpreter's. */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { isSourceOf, LANGUAGES } from "../../adapters/languages.ts";
import { advice, named } from "../../advice/advice.ts";
import { nearFile } from "../../commands/breakpoints/location.ts";
import { SondeError } from "../../errors.ts";

export function refuseMissingScript(command: readonly string[], cwd: string): void {
  const [first = "", ...words] = command;
  const language = LANGUAGES.find(({ interpreter }) => interpreter?.name.test(basename(first)));
  const script = words.find((word) => !language?.interpreter?.plain.test(word));
  // Any other option may take the next word, or say itself what is run.
  if (!language || script === undefined || script.startsWith("-")) return;
  if (!isSourceOf(language, script)) return;
  if (existsSync(resolve(cwd, script))) return;
  const near = nearFile(script, cwd);
  throw new SondeError("BAD_ARGUMENT", `no file ${script} in ${cwd}`, {
    hint: near
      ? `did you mean ${near}?`
      : advice`\`${basename(first)}\` runs in ${cwd}; ${named("cwd")} names another folder`,
    folder: cwd,
  });
}
