/**
 * Fixtures of the compiled languages, built. Debug information holds the path of its source, so programs are built where
 * their sources are: in one folder a language, which all tests share and none may write to.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative, resolve } from "node:path";

export type Language = "c" | "cpp" | "rust" | "go";

interface Compiler {
  command: string;
  version: string[];
  extension: string;
  args(source: string, output: string): string[];
}

const DEBUG = ["-g", "-O0", "-pthread"];

const COMPILERS: Record<Language, Compiler> = {
  c: {
    command: "gcc",
    version: ["--version"],
    extension: ".c",
    args: (source, output) => [...DEBUG, ...special(source), "-o", output, source, "-ldl"],
  },
  cpp: {
    command: "g++",
    version: ["--version"],
    extension: ".cpp",
    args: (source, output) => [...DEBUG, "-std=c++17", ...special(source), "-o", output, source, "-ldl"],
  },
  rust: {
    command: "rustc",
    version: ["-vV"],
    extension: ".rs",
    args: (source, output) => ["--edition", "2021", "-C", "debuginfo=2", "-o", output, source],
  },
  go: {
    command: "go",
    version: ["version"],
    extension: ".go",
    args: (source, output) => ["build", "-gcflags=all=-N -l", "-o", output, source],
  },
};

function special(source: string): string[] {
  if (/^plugin\./.test(source)) return ["-shared", "-fPIC"];
  if (/^optimised\./.test(source)) return ["-O2"];
  return [];
}

/** What the compiler says of itself; nothing if there is none. */
export function compilerVersion(language: Language): string | undefined {
  const { command, version } = COMPILERS[language];
  const { status, stdout } = spawnSync(command, version, { encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/** Builds the program whose source is in a folder, into that folder. Returns the binary: `stats`, but `plugin.so`. */
export function buildFixture(language: Language, program: string, folder: string): string {
  const { command, args, extension } = COMPILERS[language];
  const output = program === "plugin" ? "plugin.so" : program;
  try {
    // In the folder and with names only: compilers then record the folder, and programs that name their source are brief.
    execFileSync(command, args(program + extension, output), {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    throw new Error(`${command} cannot build ${language}/${program}: ${reason(error)}`);
  }
  return join(folder, output);
}

function reason(error: unknown): string {
  if (error instanceof Error && "stderr" in error && error.stderr) return String(error.stderr);
  return String(error);
}

const LONGEST_MS = 300_000;
const UNUSED_MS = 3 * 24 * 3600_000;
const known = new Map<Language, string>();

/** A folder with the sources and binaries of all of a language's fixtures, built unless a run before has done it. */
export function builtFolder(language: Language): string {
  const folder = known.get(language) ?? builtIn(ownFolder(), language);
  known.set(language, folder);
  return folder;
}

/** The same, under a folder of the caller's. */
export function builtIn(root: string, language: Language): string {
  const folder = join(root, `${language}-${fingerprint(language)}`);
  buildUnlessThere(folder, () => buildAll(language, folder));
  removeUnused(root);
  return folder;
}

/** Where it is being built already, until that is done. */
function buildUnlessThere(folder: string, build: () => void): void {
  const done = join(folder, ".done");
  const deadline = Date.now() + LONGEST_MS;
  while (!existsSync(done)) {
    const lock = tryLock(folder);
    if (lock !== undefined) {
      try {
        if (!existsSync(done)) {
          rmSync(folder, { recursive: true, force: true }); // left by a build that failed
          build();
          writeFileSync(done, "");
        }
      } finally {
        rmSync(lock);
      }
    } else if (Date.now() > deadline) {
      throw new Error(`another process has been building ${folder} for ${LONGEST_MS / 1000} s`);
    } else {
      sleep(50); // our caller is synchronous: it cannot wait for an event
    }
  }
  utimesSync(done, new Date(), new Date());
}

/** A program of the test's own, built in a folder that is named after all that went into it: the same one is built once. */
export function builtOnce(file: string, text: string, [command, ...words]: [string, ...string[]]): string {
  const hash = createHash("sha256").update(versionOf(command));
  for (const part of [file, text, command, ...words]) hash.update(`\0${part}`);
  const folder = join(ownFolder(), `one-${hash.digest("hex").slice(0, 16)}`);
  buildUnlessThere(folder, () => {
    mkdirSync(folder);
    writeFileSync(join(folder, file), text);
    execFileSync(command, words, { cwd: folder, stdio: "pipe" });
  });
  return folder;
}

const versions = new Map<string, string>();

function versionOf(command: string): string {
  const known = versions.get(command) ?? spawnSync(command, ["--version"], { encoding: "utf8" }).stdout;
  versions.set(command, known);
  return known;
}

function buildAll(language: Language, folder: string): void {
  cpSync(sources(language), folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const { extension } = COMPILERS[language];
    if (extname(name) === extension) buildFixture(language, name.slice(0, -extension.length), folder);
  }
}

function sources(language: Language): string {
  return resolve(import.meta.dirname, "../fixtures", language);
}

/** Changes with everything a build depends on, this file too. */
function fingerprint(language: Language): string {
  const version = compilerVersion(language);
  if (version === undefined) throw new Error(`there is no ${COMPILERS[language].command} to build with`);
  const hash = createHash("sha256")
    .update(version)
    .update(readFileSync(import.meta.filename));
  const entries = readdirSync(sources(language), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) {
    hash.update(`\0${relative(sources(language), file)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * A file that names its owner, made at once with what it says. One whose owner is dead is left alone, and the next
 * number taken: who removed it could remove the lock of another that came first.
 */
function tryLock(folder: string): string | undefined {
  const mine = `${folder}.${randomUUID()}`;
  writeFileSync(mine, String(process.pid));
  try {
    for (let number = 0; ; number++) {
      const lock = `${folder}.lock-${number}`;
      if (linked(mine, lock)) return lock;
      if (ownerLives(lock)) return undefined;
    }
  } finally {
    rmSync(mine);
  }
}

function linked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function ownerLives(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch (error) {
    // No such process; but no such file means that the lock was given back just now: try again from the start.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Ours alone: we run what is in it. */
function ownFolder(): string {
  const user = process.getuid?.();
  const folder = join(realpathSync(tmpdir()), `sonde-test-builds-${user ?? "user"}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  if (user !== undefined && (uid !== user || (mode & 0o077) !== 0))
    throw new Error(`${folder} is open to other users`);
  return folder;
}

/** Builds of sources that have changed since; a run in another checkout may still use one of today. */
function removeUnused(root: string): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const done = join(path, ".done");
    const used = lstatSync(existsSync(done) ? done : path, { throwIfNoEntry: false });
    if (used !== undefined && Date.now() - used.mtimeMs > UNUSED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
