/**
 * Which debugpy debugs a Python: the one configured, its own, Sonde's, the system's. Found by looking into package folders, so
 * that one installed or removed meanwhile is noticed without starting Python again.
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { Found, FoundAdapter, Where } from "../adapter.ts";
import { list, toolOnPath } from "../kit/find.ts";
import { describe, environmentOf } from "./environment.ts";
import { examine, type Interpreter, pythonFor } from "./interpreter.ts";

export interface Debugpy {
  /** The Python that runs it. */
  python: string;
  version: string;
  /** The folder that holds the package. */
  folder: string;
  /** Of an unbundled package (Debian's): it works with this version of Python only, and needs its other packages beside it. */
  onlyFor?: string;
}

export async function find(where: Where): Promise<Found> {
  const found = await debugpyFor(await targetFor(where), where);
  return typeof found === "string" ? { ok: false, reason: found } : asFound(found);
}

/** Where no program is to be run, as in a list of adapters, a project's own Python is not run either: its files are read. */
async function targetFor(where: Where): Promise<Interpreter | undefined> {
  const { program } = where;
  const environment = program === undefined ? environmentOf(where) : undefined;
  if (environment) return describe(environment);
  const python = pythonFor(program === undefined ? {} : { program }, where);
  const target = python === undefined ? undefined : await examine(python, where);
  return typeof target === "string" ? undefined : target;
}

function asFound({ version, python }: Debugpy): FoundAdapter {
  return { ok: true, version, path: python };
}

/** For this Python (any, if it is not known); or why there is none. */
export async function debugpyFor(target: Interpreter | undefined, where: Where): Promise<Debugpy | string> {
  const { command } = where.settings ?? {};
  if (command !== undefined) return configured(command, where);
  const unfit: string[] = [];
  for (const candidate of candidates(target, where)) {
    const python = typeof candidate === "string" ? await examine(candidate, where) : candidate;
    const debugpy = typeof python === "string" ? undefined : debugpyIn(python);
    const reason = debugpy && unfitness(debugpy, target);
    if (debugpy && reason === undefined) return debugpy;
    if (reason !== undefined) unfit.push(reason);
  }
  if (unfit[0] !== undefined) return unfit[0];
  return `no debugpy in ${[target?.path, "Sonde's own folder, or any python3 on the PATH"].filter(Boolean).join(", ")}`;
}

/** Each is examined only if those before it have none. */
function candidates(target: Interpreter | undefined, where: Where): (Interpreter | string)[] {
  const own = join(where.adapters, "debugpy", "bin", "python");
  const others = [existsSync(own) ? own : undefined, toolOnPath("python3", where), "/usr/bin/python3"];
  return [target, ...new Set(others)].filter((one) => one !== undefined);
}

/** A Python that has it, or the `debugpy` or `debugpy-adapter` script of one. */
async function configured(command: string, where: Where): Promise<Debugpy | string> {
  const path = toolOnPath(command, where);
  if (path === undefined) return `there is no ${command} (adapters.debugpy.command)`;
  const python = await examine(path, where);
  if (typeof python === "string")
    return `${python} (adapters.debugpy.command must be a Python that has debugpy)`;
  return debugpyIn(python) ?? `${command} has no debugpy (adapters.debugpy.command)`;
}

export function debugpyIn({ path, version, folders }: Interpreter): Debugpy | undefined {
  const folder = folders.find((one) => existsSync(join(one, "debugpy", "adapter", "__main__.py")));
  if (folder === undefined) return undefined;
  const named = list(folder).map((entry) => /^debugpy-(.+)\.(?:dist|egg)-info$/.exec(entry)?.[1]);
  return {
    python: path,
    folder,
    version: named.find((one) => one !== undefined)?.replace(/\+.*/, "") ?? "unknown",
    ...(isBundled(join(folder, "debugpy")) ? {} : { onlyFor: minor(version) }),
  };
}

/** Debian's has links there, to what other packages of its own bring. */
function isBundled(debugpy: string): boolean {
  try {
    const other = realpathSync(join(debugpy, "_vendored", "pydevd", "pydevd.py"));
    return other.startsWith(join(realpathSync(debugpy), "_vendored"));
  } catch {
    return false;
  }
}

/** The oldest Python for each line of debugpy. */
const OLDEST = [
  { from: [1, 8], python: [3, 8] },
  { from: [1, 6], python: [3, 7] },
  { from: [0, 0], python: [2, 7] },
];

/** Why it cannot debug this Python. */
export function unfitness(
  { version, onlyFor, folder }: Debugpy,
  target: Interpreter | undefined,
): string | undefined {
  if (target === undefined) return undefined;
  if (onlyFor !== undefined && onlyFor !== minor(target.version) && !target.folders.includes(folder))
    return `the system's debugpy works with Python ${onlyFor} only, and ${target.path} is ${target.version}`;
  const { python = [0, 0] } = OLDEST.find(({ from }) => !before(version, from)) ?? {};
  return before(target.version, python)
    ? `debugpy ${version} needs Python ${python.join(".")} or newer, and ${target.path} is ${target.version}`
    : undefined;
}

function before(version: string, [major = 0, least = 0]: number[]): boolean {
  const [a = 0, b = 0] = version.split(".").map(Number);
  return a < major || (a === major && b < least);
}

function minor(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** Names of what belongs to debugpy in a folder of other packages. */
export function partsIn(folder: string): string[] {
  return list(folder).filter((entry) => /^_?pydev|^debugpy|^bytecode$/.test(basename(entry)));
}
