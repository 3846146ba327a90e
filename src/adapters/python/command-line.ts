/** A Python command line, taken apart into what debugpy's launch request wants. */

import { basename, dirname, extname, join } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { LaunchPlan, Where } from "../adapter.ts";
import { fileHead } from "../kit/files.ts";
import { onPath, toolOnPath } from "../kit/find.ts";
import {
  chosenPython,
  examine,
  type Interpreter,
  isPythonName,
  pythonFor,
  shebangPython,
} from "./interpreter.ts";

export interface Run {
  python: string;
  /** `-X dev`, `-O`, … */
  pythonArgs: string[];
  what: { program: string } | { module: string } | { code: string };
  args: string[];
}

type Around = Pick<Where, "env" | "cwd">;

export async function runOf(plan: LaunchPlan): Promise<Run> {
  const { program, command, args } = plan;
  if (command !== undefined) return commandRun(command, plan);
  const python = pythonFor(plan, plan);
  if (python === undefined) throw noPython("python3", plan);
  if (program === undefined) throw new SondeError("BAD_ARGUMENT", "nothing to run");
  return { python, pythonArgs: [], what: { program }, args };
}

/** `python -X dev app.py`, `./tool.py`, `pytest -x`. */
async function commandRun([first = "", ...rest]: readonly string[], around: Around): Promise<Run> {
  if (isPythonName(first)) {
    const python = onPath(first, around);
    if (python === undefined) throw noPython(first, around);
    return { python, ...options(rest) };
  }
  const script = await scriptOf(first, around);
  const python = (script && shebangPython(script, around)) ?? chosenPython(around, script);
  if (python === undefined) throw noPython("python3", around);
  if (script !== undefined) return { python, pythonArgs: [], what: { program: script }, args: rest };
  // A tool that can be run as a module, installed without its script.
  return { python, pythonArgs: [], what: { module: basename(first) }, args: rest };
}

/** The Python file behind a command; what a shim stands for lies beside the Python that the shims' own stands for. */
async function scriptOf(command: string, around: Around): Promise<string | undefined> {
  const path = onPath(command, around) ?? (extname(command) === ".py" ? command : undefined);
  if (path === undefined || isPythonFile(path, around)) return path;
  const shim = onPath(join(dirname(path), "python"), around);
  const python: Interpreter | string | undefined = shim && (await examine(shim, around));
  const behind = typeof python === "object" ? join(dirname(python.path), basename(path)) : undefined;
  if (behind !== undefined && isPythonFile(behind, around)) return behind;
  const [head] = fileHead(path, 80).split("\n");
  throw new SondeError(
    "LAUNCH_FAILED",
    `${path} is not a Python program${head ? `: it begins with \`${head}\`` : ""}`,
    {
      hint: advice`name the Python program: ${call("start", { args: ["python3", "-m", basename(command), blank("arguments")] })}`,
    },
  );
}

function isPythonFile(path: string, around: Around): boolean {
  return /\.pyw?$/.test(path) || shebangPython(path, around) !== undefined;
}

/** Options of Python that end its own options, and those that take a word. */
const TAKES_WORD = new Set(["W", "X"]);

/** Python's own options, up to the program; all that follows is the program's. */
export function options(words: readonly string[]): Omit<Run, "python"> {
  const pythonArgs: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "-")
      throw new SondeError("BAD_ARGUMENT", "a program on standard input cannot be debugged", {
        hint: "write it to a file",
      });
    if (!word.startsWith("-")) return { pythonArgs, what: { program: word }, args: words.slice(i + 1) };
    if (word.startsWith("--")) {
      pythonArgs.push(word, ...(word === "--check-hash-based-pycs" ? words.slice(++i, i + 1) : []));
      continue;
    }
    const at = [...word].findIndex(
      (letter, place) => place > 0 && (letter === "c" || letter === "m" || TAKES_WORD.has(letter)),
    );
    const letter = at < 0 ? "" : word[at];
    const attached = at < 0 ? "" : word.slice(at + 1);
    if (letter === "c" || letter === "m") {
      if (at > 1) pythonArgs.push(word.slice(0, at));
      const target = attached || words[++i];
      if (target === undefined) throw new SondeError("BAD_ARGUMENT", `python ${word} needs an argument`);
      const what = letter === "c" ? { code: target } : { module: target };
      return { pythonArgs, what, args: words.slice(i + 1) };
    }
    pythonArgs.push(word);
    if (letter !== "" && attached === "") pythonArgs.push(words[++i] ?? "");
  }
  throw new SondeError("BAD_ARGUMENT", "this command line names no program: Python would be interactive", {
    hint: advice`${call("start", { args: ["python", "app.py"] })}, or -m <module>, or -c <code>`,
  });
}

function noPython(name: string, around: Around): SondeError {
  const other = toolOnPath("python3", around);
  return new SondeError("LAUNCH_FAILED", `there is no ${name} on the PATH`, {
    ...(other === undefined ? {} : { hint: `there is ${other}` }),
  });
}
