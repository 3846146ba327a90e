/** Looking for programs on the caller's PATH, under plain and versioned names, and asking them for their version. */
import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Where } from "../adapter.ts";

/** `name` as a shell would find it. */
export function onPath(name: string, where: Pick<Where, "env" | "cwd">): string | undefined {
  if (name.includes("/")) {
    const path = isAbsolute(name) ? name : resolve(where.cwd, name);
    return isExecutable(path) ? path : undefined;
  }
  return searchPath(where)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** The newest of `lldb-dap-19`, `lldb-dap-22`; a plain `lldb-dap` comes first, because it is what the user chose. */
export function onPathVersioned(names: readonly string[], where: Where): string | undefined {
  for (const name of names) {
    const plain = onPath(name, where);
    if (plain !== undefined) return plain;
    const versioned = searchPath(where).flatMap((folder) => versionsIn(folder, name));
    versioned.sort((a, b) => b.version - a.version);
    if (versioned[0]) return versioned[0].path;
  }
  return undefined;
}

export function searchPath({ env, cwd }: Pick<Where, "env" | "cwd">): string[] {
  const path = env.PATH ?? "/usr/local/bin:/usr/bin:/bin";
  return path.split(delimiter).map((folder) => resolve(cwd, folder));
}

function versionsIn(folder: string, name: string): { version: number; path: string }[] {
  const pattern = new RegExp(`^${name.replace(/[.+]/g, "\\$&")}-(\\d+(?:\\.\\d+)?)$`);
  return list(folder).flatMap((entry) => {
    const version = pattern.exec(entry)?.[1];
    const path = join(folder, entry);
    return version !== undefined && isExecutable(path) ? [{ version: Number(version), path }] : [];
  });
}

export function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const PROBE_MS = 15_000;
const known = new Map<string, Promise<string | undefined>>();

/**
 * What a program prints when asked (`--version`), remembered until the file changes. `undefined` when it cannot be run or fails.
 */
export function probe(
  path: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const key = JSON.stringify([path, args, stamp(path)]);
  const before = known.get(key);
  if (before) return before;
  const asked = new Promise<string | undefined>((done) => {
    const options = { timeout: PROBE_MS, maxBuffer: 1 << 20, ...(env === undefined ? {} : { env }) };
    const child = execFile(path, [...args], options, (error, stdout, stderr) =>
      done(error ? undefined : `${stdout}${stderr}`),
    );
    child.stdin?.end();
  });
  known.set(key, asked);
  void asked.then((said) => said === undefined && known.delete(key));
  return asked;
}

function stamp(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** `22.1.8` of `LLVM version 22.1.8`. */
export function versionOf(said: string | undefined): string | undefined {
  return /\d+\.\d+(?:\.\d+)*/.exec(said ?? "")?.[0];
}
