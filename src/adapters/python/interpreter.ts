/** Which Python runs the program, and what a Python is: asked once of each, by running it. */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { LaunchPlan, Where } from "../adapter.ts";
import { fileHead } from "../kit/files.ts";
import { askProgram, environmentKey, onPath, remembered, toolOnPath } from "../kit/find.ts";
import { environmentOf } from "./environment.ts";

export interface Interpreter {
  /** What it calls itself: a virtual environment's own path, the real file behind a pyenv shim. */
  path: string;
  version: string;
  /** Where it looks for packages. */
  folders: string[];
}

type Around = Pick<Where, "env" | "cwd">;

/** The user's own choice: an active environment, the project's, the first on the PATH. */
export function chosenPython(around: Around, program?: string): string | undefined {
  return (
    environmentOf(around, program)?.python ?? toolOnPath("python3", around) ?? toolOnPath("python", around)
  );
}

/** The Python that a script's first line names; `undefined` when it is no Python script. */
export function shebangPython(script: string, around: Around): string | undefined {
  const words = /^#!\s*(.+)/.exec(fileHead(script, 256))?.[1]?.trim().split(/\s+/) ?? [];
  // Installers write a line of sh in front of a path that is too long or has spaces.
  const quoted = /^#!\/bin\/sh\n'''exec' "?([^"\n]+?)"? "\$0"/.exec(fileHead(script, 1024))?.[1];
  const named = quoted ?? words.find((word) => !/^env$/.test(basename(word)) && !word.startsWith("-"));
  return named !== undefined && isPythonName(named) ? onPath(named, around) : undefined;
}

export function isPythonName(path: string): boolean {
  return /^(python|pypy)w?(\d+(\.\d+)*)?t?(\.exe)?$/.test(basename(path));
}

/** Before a plan is known in detail: for choosing a debugpy. */
export function pythonFor(plan: Pick<LaunchPlan, "program">, around: Around): string | undefined {
  const { program } = plan;
  const own = program === undefined || /\.pyw?$/.test(program) ? undefined : shebangPython(program, around);
  return own ?? chosenPython(around, program);
}

/** Nothing but `sys`, which is built in: files of the folder it runs in must not be imported. */
const ASK =
  "import sys; print('\\n'.join([sys.executable, '%d.%d.%d' % sys.version_info[:3]] + [p for p in sys.path if p]))";
const answers = new Map<string, Promise<Interpreter | string>>();

/** What it is, or why it cannot be run. */
export function examine(path: string, around: Around): Promise<Interpreter | string> {
  // A shim is a different Python in each folder.
  const folder = basename(dirname(path)) === "shims" ? around.cwd : "";
  const key = JSON.stringify([path, stamp(path), folder, environmentKey(around.env)]);
  return remembered(
    answers,
    key,
    () => ask(path, around),
    (answer) => typeof answer !== "string",
  );
}

async function ask(path: string, { env, cwd }: Around): Promise<Interpreter | string> {
  const { ok, stdout, stderr, problem } = await askProgram(path, ["-c", ASK], { env, cwd });
  const [executable = "", version = "", ...folders] = stdout.trim().split(/\r?\n/);
  if (!ok || !/^\d+\.\d+\.\d+$/.test(version))
    return `${path} cannot be run: ${stderr.trim().split("\n")[0] || problem || "no answer"}`;
  return { path: executable || path, version, folders: folders.map((one) => resolve(cwd, one)) };
}

function stamp(path: string): number {
  try {
    return statSync(realpathSync(path)).mtimeMs;
  } catch {
    return 0;
  }
}
