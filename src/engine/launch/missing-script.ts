/** A script that an interpreter is told to run and that is not there: told before anything runs, in our words, not the interpreter's. */

import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { advice, named } from "../../advice/advice.ts";
import { nearFile } from "../../commands/breakpoints/location.ts";
import { SondeError } from "../../errors.ts";

interface Interpreter {
  name: RegExp;
  fileTypes: readonly string[];
  /** Options that say nothing of what is run and take no word of their own. */
  plain: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  { name: /^(python|pythonw|pypy)[\d.]*$/, fileTypes: [".py", ".pyw"], plain: /^-[bBdEiIOPqsSuvx]+$/ },
  { name: /^node$/, fileTypes: [".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"], plain: /^--[\w-]+=/ },
  { name: /^ruby[\d.]*$/, fileTypes: [".rb"], plain: /^-[wW]$/ },
  { name: /^php[\d.]*$/, fileTypes: [".php"], plain: /^-[nq]$/ },
  { name: /^perl[\d.]*$/, fileTypes: [".pl", ".t"], plain: /^-[wTtWX]+$/ },
];

export function refuseMissingScript(command: readonly string[], cwd: string): void {
  const [first = "", ...words] = command;
  const interpreter = INTERPRETERS.find(({ name }) => name.test(basename(first)));
  const script = words.find((word) => !interpreter?.plain.test(word));
  // Any other option may take the next word, or say itself what is run.
  if (!interpreter || script === undefined || script.startsWith("-")) return;
  if (!interpreter.fileTypes.includes(extname(script).toLowerCase())) return;
  if (existsSync(resolve(cwd, script))) return;
  const near = nearFile(script, cwd);
  throw new SondeError("BAD_ARGUMENT", `no file ${script} in ${cwd}`, {
    hint: near
      ? `did you mean ${near}?`
      : advice`\`${basename(first)}\` runs in ${cwd}; ${named("cwd")} names another folder`,
  });
}
