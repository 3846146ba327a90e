/** From launch arguments to the command that is started. Fails before anything runs, saying why. */
import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import type { LaunchArguments } from "./arguments.ts";
import { findExecutable } from "./find-executable.ts";
import { TYPESCRIPT, typescriptFault, typescriptFlags } from "./typescript.ts";

export interface PreparedCommand {
  file: string;
  args: string[];
  /** The main script, when the arguments name one. */
  program?: string;
  /** What to call it: "app.js", "npm run dev". */
  title: string;
}

export async function prepareCommand(
  launch: LaunchArguments,
  env: Record<string, string>,
): Promise<PreparedCommand> {
  checkFolder(launch.cwd);
  if (launch.command !== undefined) {
    const [word = "", ...args] = launch.command;
    const file = findExecutable(word, launch.cwd, env);
    const fault = await typescriptFault(launch.command, file, { cwd: launch.cwd, env });
    if (fault !== undefined) throw new Error(fault);
    return { file, args, title: launch.command.join(" ") };
  }
  if (launch.program === undefined) throw new Error("nothing to launch: give `program` or `command`");
  const program = findProgram(resolve(launch.cwd, launch.program));
  const node = findNode(launch, env);
  const flags = TYPESCRIPT.test(extname(program)) ? await typescriptFlags(program, node) : [];
  return {
    file: node,
    args: [...launch.runtimeArgs, ...flags, program, ...launch.args],
    program,
    title: program,
  };
}

function findNode(launch: LaunchArguments, env: Record<string, string>): string {
  if (launch.runtimeExecutable !== undefined) {
    return findExecutable(launch.runtimeExecutable, launch.cwd, env);
  }
  try {
    return findExecutable("node", launch.cwd, env);
  } catch {
    return process.execPath;
  }
}

/** As `node file` would resolve it: the extension may be left out, a folder means its main file. */
function findProgram(path: string): string {
  let found: string;
  try {
    found = createRequire(path).resolve(path);
  } catch {
    throw new Error(`no such program: ${path}`);
  }
  if (statSync(found).isDirectory()) throw new Error(`not a program but a folder: ${found}`);
  try {
    accessSync(found, constants.R_OK);
  } catch {
    throw new Error(`no permission to read the program: ${found}`);
  }
  return found;
}

function checkFolder(cwd: string): void {
  try {
    if (statSync(cwd).isDirectory()) return;
  } catch {
    throw new Error(`no such folder to run in: ${cwd}`);
  }
  throw new Error(`not a folder to run in: ${cwd}`);
}
