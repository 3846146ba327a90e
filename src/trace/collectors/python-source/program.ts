/** The program as Python itself would run it, with no debugger: the same Python, options and words as the adapter takes. */
import { join } from "node:path";
import { platform } from "node:process";
import type { LaunchPlan, Where } from "../../../adapters/adapter.ts";
import { type Run as CommandLine, runOf } from "../../../adapters/python/command-line.ts";
import { debugpyFor } from "../../../adapters/python/find.ts";
import { examine, type Interpreter } from "../../../adapters/python/interpreter.ts";
import { SondeError } from "../../../errors.ts";
import { readSmallFile } from "../../../util/small-file.ts";

export interface Program {
  python: Interpreter;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Python's own level: without assertions there is less code. */
  optimize: number;
}

const OLDEST = [3, 8] as const;

/** Why the recorder cannot be brought into it. */
export async function unfitProgram(plan: LaunchPlan): Promise<string | undefined> {
  if (platform === "win32") return "it needs Unix sockets";
  const extra = Object.keys(plan.extra);
  if (extra.length > 0) return `${extra.join(", ")} is for the debugger, and this collector uses none`;
  const line = await runOf(plan);
  const flag = line.pythonArgs.find((word) => /^-[a-zA-Z]*[IES]/.test(word) && !/^-[XW]/.test(word));
  if (flag !== undefined) return `python ${flag} ignores the environment`;
  const python = await interpreter(line, plan);
  if (/pypy/.test(python.path)) return "the recorder works only with CPython";
  const [major = 0, minor = 0] = python.version.split(".").map(Number);
  return major === OLDEST[0] && minor >= OLDEST[1]
    ? undefined
    : `it needs Python ${OLDEST.join(".")}, and ${python.path} is ${python.version}`;
}

export async function programOf(plan: LaunchPlan): Promise<Program> {
  const line = await runOf(plan);
  const python = await interpreter(line, plan);
  // As under the debugger: what was printed is there when the program is ended from outside.
  const unbuffered = line.pythonArgs.some((word) => /^-[a-zA-Z]*u/.test(word)) ? [] : ["-u"];
  const letters = line.pythonArgs.flatMap((word) => /^-([a-zA-Z]*O[a-zA-Z]*)/.exec(word)?.[1] ?? []).join("");
  return {
    python,
    args: [...unbuffered, ...line.pythonArgs, ...wordsFor(line), ...line.args],
    cwd: plan.cwd,
    env: plan.env,
    optimize: Math.min(2, letters.replace(/[^O]/g, "").length),
  };
}

function wordsFor({ what }: CommandLine): string[] {
  if ("program" in what) return [what.program];
  return "module" in what ? ["-m", what.module] : ["-c", what.code];
}

async function interpreter(line: CommandLine, plan: LaunchPlan): Promise<Interpreter> {
  const python = await examine(line.python, plan);
  if (typeof python === "string") throw new SondeError("LAUNCH_FAILED", python);
  return python;
}

/** How much of a value is shown. */
export interface ValueLimits {
  /** Of a collection, by depth. */
  items: number[];
  /** Characters of a part of it. */
  inner: number;
}

const NEWEST: ValueLimits = { items: [60, 20], inner: 128 };
const MOST_BYTES = 1_000_000;

/** Those of the debugpy that would debug this program: they are not the same in all versions, and written in its source. */
export async function valueLimits(python: Interpreter | undefined, where: Where): Promise<ValueLimits> {
  const debugpy = await debugpyFor(python, where);
  if (typeof debugpy === "string") return NEWEST;
  const places = [
    "debugpy/_vendored/pydevd/_pydevd_bundle/pydevd_safe_repr.py",
    "_pydevd_bundle/pydevd_safe_repr.py",
  ];
  for (const place of places) {
    const source = textOf(join(debugpy.folder, place));
    const [, outer, second] = /^\s*maxcollection = \((\d+), (\d+)\)/m.exec(source) ?? [];
    const [, inner] = /^\s*maxother_inner = (\d+)/m.exec(source) ?? [];
    if (outer !== undefined && inner !== undefined)
      return { items: [Number(outer), Number(second)], inner: Number(inner) };
  }
  return NEWEST;
}

function textOf(path: string): string {
  try {
    return readSmallFile(path, MOST_BYTES);
  } catch {
    return ""; // packaged in another place
  }
}
