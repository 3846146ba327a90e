/** Looking for programs on the caller's PATH, under plain and versioned names, and asking them for their version. */
import { createHash } from "node:crypto";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { runGroup } from "../../util/group-run.ts";
import { toolFolders } from "../../util/tool-path.ts";
import type { Where } from "../adapter.ts";

/** A word of the user's, as a shell would find it. */
export function onPath(name: string, where: Pick<Where, "env" | "cwd">): string | undefined {
  if (name.includes("/")) {
    const path = isAbsolute(name) ? name : resolve(where.cwd, name);
    return isExecutable(path) ? path : undefined;
  }
  return firstIn(searchPath(where), name);
}

/** A tool of our own choosing: not one that a project has put on the PATH. */
export function toolOnPath(name: string, where: Pick<Where, "env" | "cwd">): string | undefined {
  return name.includes("/") ? onPath(name, where) : firstIn(toolFolders(where.env.PATH), name);
}

function firstIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The newest of `lldb-dap-19`, `lldb-dap-22`; a plain `lldb-dap` comes first, because it is what the user chose. */
export function toolVersioned(names: readonly string[], where: Where): string | undefined {
  for (const name of names) {
    const plain = toolOnPath(name, where);
    if (plain !== undefined) return plain;
    const versioned = toolFolders(where.env.PATH).flatMap((folder) => versionsIn(folder, name));
    versioned.sort((a, b) => b.version - a.version);
    if (versioned[0]) return versioned[0].path;
  }
  return undefined;
}

function searchPath({ env, cwd }: Pick<Where, "env" | "cwd">): string[] {
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
const MOST_CHARACTERS = 1 << 20;
const MOST_KNOWN = 500;
const known = new Map<string, Promise<string | undefined>>();

/**
 * What a program prints when asked (`--version`), remembered until the file changes. `undefined` when it cannot be run, fails, or
 * does not answer in time.
 */
export function probe(
  path: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const key = JSON.stringify([path, args, stamp(path), env && environmentKey(env)]);
  return remembered(known, key, async () => {
    const { ok, stdout, stderr } = await askProgram(path, args, { env });
    return ok ? `${stdout}${stderr}` : undefined;
  });
}

/** Answers that are good are kept; the oldest go when there are too many. */
export function remembered<T>(
  answers: Map<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
  good: (answer: T) => boolean = (answer) => answer !== undefined,
): Promise<T> {
  const before = answers.get(key);
  if (before) return before;
  if (answers.size >= MOST_KNOWN) answers.delete(answers.keys().next().value ?? "");
  const asked = ask();
  answers.set(key, asked);
  void asked.then((answer) => good(answer) || answers.delete(key));
  return asked;
}

/** What decides which program a launcher (rustup's, pyenv's, asdf's) really runs, and what a program finds. */
const TELLING =
  /^(PATH|HOME|VIRTUAL_ENV|LANG|LC_ALL|(LD|DYLD|PY|PYENV|PYTHON|CONDA|RUSTUP|CARGO|GO|JAVA|JDK|PERL|RUBY|RBENV|GEM|BUNDLE|PHP|LUA|NODE|NVM|ASDF|MISE|UV|LLDB)_?[A-Z0-9_]*)$/;

export function environmentKey(env: Readonly<Record<string, string>>): string {
  const telling = Object.entries(env).filter(([name]) => TELLING.test(name));
  return createHash("sha256").update(JSON.stringify(telling.sort())).digest("hex");
}

export interface Said {
  /** It ended by itself, with status 0. */
  ok: boolean;
  stdout: string;
  stderr: string;
  /** Why it is not. */
  problem?: string;
}

/** A short question to a program. One that does not end is killed at the deadline, with what it started. */
export async function askProgram(
  path: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>> | undefined; cwd?: string; timeoutMs?: number },
): Promise<Said> {
  const said = { stdout: "", stderr: "" };
  const { env, cwd, timeoutMs = PROBE_MS } = options;
  const ended = await runGroup(path, args, {
    ...{ env, cwd, timeoutMs, graceMs: 0 },
    heard: (text, stream) => {
      if (said[stream].length < MOST_CHARACTERS) said[stream] += text;
    },
  });
  if (ended.how === "exited" && ended.code === 0) return { ok: true, ...said };
  const problem =
    ended.how === "failed"
      ? ended.error.message
      : ended.how === "exited"
        ? `it ended with ${ended.signal ?? `status ${ended.code}`}`
        : `no answer in ${timeoutMs / 1000} s`;
  return { ok: false, ...said, problem };
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
