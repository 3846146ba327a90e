/** Where lldb-dap is, under its names of today and of before, and what it needs to run. */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Found, Where } from "../adapter.ts";
import { isExecutable, list, probe, toolOnPath, toolVersioned, versionOf } from "../kit/find.ts";

/** The second is what it was called before LLVM 18. */
const NAMES = ["lldb-dap", "lldb-vscode"];

export async function findLldb(where: Where): Promise<Found> {
  const { settings } = where;
  if (settings?.command !== undefined) {
    const path = toolOnPath(settings.command, where);
    return path === undefined
      ? { ok: false, reason: `[adapters.lldb] command: there is no program ${settings.command}` }
      : found(path);
  }
  const path =
    unpacked(join(where.adapters, "lldb")) ??
    toolVersioned(NAMES, where) ??
    newest(["/usr/lib", "/usr/local/lib"].flatMap(versionsBelow)) ??
    ["/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin"].flatMap(inFolder)[0] ??
    (await ofXcode(where));
  if (path !== undefined) return found(path);
  return { ok: false, reason: "no lldb-dap (or lldb-vscode) on the PATH or where LLVM is usually installed" };
}

async function found(path: string): Promise<Found> {
  const version = await versionAt(path);
  return version === undefined ? { ok: false, reason: `${path} does not run` } : { ok: true, version, path };
}

/** Packages unpacked into a folder keep their places below it. */
function unpacked(folder: string): string | undefined {
  return newest(versionsBelow(join(folder, "usr/lib")));
}

function versionsBelow(folder: string): string[] {
  return list(folder)
    .filter((name) => /^llvm-\d+$/.test(name))
    .flatMap((name) => inFolder(join(folder, name, "bin")));
}

function inFolder(folder: string): string[] {
  return NAMES.map((name) => join(folder, name)).filter(isExecutable);
}

function newest(paths: string[]): string | undefined {
  return paths.sort((a, b) => majorInPath(b) - majorInPath(a))[0];
}

function majorInPath(path: string): number {
  return Number(/llvm-(\d+)/.exec(path)?.[1] ?? 0);
}

async function ofXcode(where: Where): Promise<string | undefined> {
  const xcrun = process.platform === "darwin" ? toolOnPath("xcrun", where) : undefined;
  const path = xcrun === undefined ? undefined : (await probe(xcrun, ["-f", "lldb-dap"]))?.trim();
  return path && isExecutable(path) ? path : undefined;
}

/** Older ones do not know `--version`: the debugger beside them does. */
async function versionAt(path: string): Promise<string | undefined> {
  const env = runEnvironment(path, process.env as Record<string, string>);
  const own = versionOf(await probe(path, ["--version"], env));
  if (own !== undefined) return own;
  if ((await probe(path, ["--help"], env)) === undefined) return undefined;
  const real = realpathSync(path);
  const beside = join(dirname(real), "lldb");
  const said = isExecutable(beside) ? versionOf(await probe(beside, ["--version"], env)) : undefined;
  return said ?? /(?:llvm-|-)(\d+)\b/.exec(real)?.[1] ?? /-(\d+)$/.exec(basename(path))?.[1] ?? "unknown";
}

/** A project's own `.lldbinit` is never read; older ones have no such option and read none but the user's. */
export async function startArguments(path: string): Promise<string[]> {
  const help = await probe(path, ["--help"], runEnvironment(path, process.env as Record<string, string>));
  return help?.includes("--no-lldbinit") ? ["--no-lldbinit"] : [];
}

export function majorOf(version: string): number {
  return Number.parseInt(version, 10) || 0;
}

/** What the debugger itself must not take from the program's environment. */
const FOREIGN = /^(LD_|DYLD_|PYTHON|LLDB_)/;

/** The debugger's own environment; unpacked packages also need to be told where their libraries are. */
export function runEnvironment(path: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN.test(name)));
  const [, root, llvm] = /^(.+)(\/usr\/lib\/llvm-\d+)\/bin\//.exec(realpath(path)) ?? [];
  if (root === undefined || llvm === undefined) return kept;
  const system = list(join(root, "usr/lib"))
    .filter((name) => name.includes("-linux-"))
    .map((name) => join(root, "usr/lib", name));
  return { ...kept, LD_LIBRARY_PATH: [...system, join(root, llvm, "lib")].join(":") };
}

function realpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
