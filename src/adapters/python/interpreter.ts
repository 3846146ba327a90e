/** Which Python runs the program, and what a Python is: asked once of each, by running it. */
import { execFile } from "node:child_process";
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { LaunchPlan, Where } from "../adapter.ts";
import { fileHead } from "../kit/files.ts";
import { isExecutable, onPath } from "../kit/find.ts";

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
  const { env, cwd } = around;
  const active = env.VIRTUAL_ENV && inEnvironment(env.VIRTUAL_ENV);
  if (active) return active;
  const starts = program === undefined ? [cwd] : [dirname(program), cwd];
  for (const start of starts) {
    const found = upward(start).flatMap((folder) => [".venv", "venv"].map((name) => join(folder, name)));
    const python = found.map(inEnvironment).find((path) => path !== undefined);
    if (python !== undefined) return python;
  }
  return onPath("python3", around) ?? onPath("python", around);
}

/** Only a folder that says it is one: a project may have a `venv` of another kind. */
function inEnvironment(folder: string): string | undefined {
  if (!existsSync(join(folder, "pyvenv.cfg"))) return undefined;
  return [join(folder, "bin", "python"), join(folder, "Scripts", "python.exe")].find(isExecutable);
}

function upward(start: string): string[] {
  const above = dirname(start);
  return above === start ? [start] : [start, ...upward(above)];
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
const ASK_MS = 15_000;
const answers = new Map<string, Promise<Interpreter | string>>();

/** What it is, or why it cannot be run. */
export function examine(path: string, around: Around): Promise<Interpreter | string> {
  const key = JSON.stringify([path, stamp(path), ...surroundings(path, around)]);
  const known = answers.get(key);
  if (known) return known;
  const asked = ask(path, around);
  answers.set(key, asked);
  void asked.then((answer) => typeof answer === "string" && answers.delete(key));
  return asked;
}

/** A shim is a different Python in each folder. */
function surroundings(path: string, { env, cwd }: Around): unknown[] {
  const paths = [env.PYTHONPATH, env.PYTHONHOME, env.HOME];
  return basename(dirname(path)) === "shims" ? [...paths, cwd, env.PYENV_VERSION] : paths;
}

function ask(path: string, { env, cwd }: Around): Promise<Interpreter | string> {
  return new Promise((done) => {
    const child = execFile(path, ["-c", ASK], { env, cwd, timeout: ASK_MS }, (error, stdout, stderr) => {
      const [executable = "", version = "", ...folders] = stdout.trim().split(/\r?\n/);
      if (error || !/^\d+\.\d+\.\d+$/.test(version)) {
        done(`${path} cannot be run: ${stderr.trim().split("\n")[0] || error?.message || "no answer"}`);
      } else done({ path: executable || path, version, folders: folders.map((one) => resolve(cwd, one)) });
    });
    child.stdin?.end();
  });
}

function stamp(path: string): number {
  try {
    return statSync(realpathSync(path)).mtimeMs;
  } catch {
    return 0;
  }
}
