/** The Node that the caller's shell would run. */
import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface OtherNode {
  path: string;
  /** "unknown" if it does not say. */
  version: string;
}

const PATIENCE_MS = 5000;

/** Undefined if it is the one that runs us, or if there is none. */
export async function nodeOnPath(
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<OtherNode | undefined> {
  const path = firstOf((env.PATH ?? "").split(delimiter).filter(isAbsolute), "node");
  if (path === undefined || realpathSync(path) === realpathSync(process.execPath)) return undefined;
  return { path, version: await versionOf(path, env, signal) };
}

function firstOf(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function versionOf(
  path: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const { PATH = "", HOME = "" } = env;
  const options = { timeout: PATIENCE_MS, signal, env: { PATH, HOME }, maxBuffer: 1 << 16 };
  return new Promise((done) => {
    execFile(path, ["--version"], options, (error, stdout) => {
      done((error === null && /^v\d[\w.-]{1,40}/.exec(stdout.trim())?.[0]) || "unknown");
    });
  });
}
