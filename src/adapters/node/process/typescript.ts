/** How a TypeScript program is run when the user only named the file: with what the project has, else with what Node can do. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Script } from "node:vm";
import { shellWord } from "../../../util/shell-words.ts";

/** The extensions of its files. */
export const TYPESCRIPT = /^\.[cm]?tsx?$/;

/** Flags of node that come before the program. */
export async function typescriptFlags(program: string, node: string): Promise<string[]> {
  // tsx as a loader, not its command, which would run the program in a second process.
  const tsx = resolveFrom(program, "tsx");
  if (tsx !== undefined) return ["--import", pathToFileURL(tsx).href];
  const tsNode = tsNodeFlags(program);
  if (tsNode !== undefined) return tsNode;
  const version = await nodeVersion(node);
  if (readsTypeScript(version)) return [];
  if (isAtLeast(version, 22, 6)) return ["--experimental-strip-types"];
  throw new Error(cannotRun(version, program));
}

/**
 * Of `node file.ts`, as the user wrote it: why it cannot run, and what would. Flags and the environment may bring a loader with them:
 * then it is the program's own affair.
 */
export async function typescriptFault(
  [word = "", script = ""]: readonly string[],
  node: string,
  place: { cwd: string; env: Record<string, string> },
): Promise<string | undefined> {
  if (basename(word) !== "node" || !TYPESCRIPT.test(extname(script)) || script.startsWith("-"))
    return undefined;
  if (/--(?:import|require|loader|experimental|r\b)/.test(place.env.NODE_OPTIONS ?? "")) return undefined;
  const program = resolve(place.cwd, script);
  if (!existsSync(program) || (!isModule(program) && isJavaScript(program))) return undefined;
  const version = await nodeVersion(node).catch(() => undefined);
  if (version === undefined || readsTypeScript(version)) return undefined;
  if (isAtLeast(version, 22, 6))
    return `Node ${version} runs TypeScript only with a flag: \`node --experimental-strip-types ${script}\``;
  if (resolveFrom(program, "tsx") === undefined && tsNodeFlags(program) === undefined)
    return cannotRun(version, program);
  return `Node ${version} cannot run TypeScript; the project has a tool that can: \`-- ${shellWord(script)}\`, without \`node\`, uses it`;
}

/** A file of that name may have nothing of TypeScript in it: then any Node runs it, unless it is a module. */
function isJavaScript(program: string): boolean {
  try {
    new Script(`(function () {${readFileSync(program, "utf8").replace(/^#!/, "//")}\n})`);
    return true;
  } catch {
    return false;
  }
}

function cannotRun(version: string, program: string): string {
  return (
    `Node ${version} cannot run TypeScript and the project of ${program} has neither tsx nor ts-node; ` +
    "install one with `npm i -D tsx`"
  );
}

function readsTypeScript(version: string): boolean {
  return isAtLeast(version, 23, 6) || (isAtLeast(version, 22, 18) && version.startsWith("v22."));
}

function tsNodeFlags(program: string): string[] | undefined {
  if (!isModule(program)) {
    const register = resolveFrom(program, "ts-node/register");
    return register === undefined ? undefined : ["--require", register];
  }
  const loader = resolveFrom(program, "ts-node/esm");
  return loader === undefined ? undefined : ["--loader", pathToFileURL(loader).href];
}

function resolveFrom(program: string, specifier: string): string | undefined {
  try {
    return createRequire(program).resolve(specifier);
  } catch {
    return undefined;
  }
}

async function nodeVersion(node: string): Promise<string> {
  if (realpathSync(node) === realpathSync(process.execPath)) return process.version;
  const { stdout } = await promisify(execFile)(node, ["--version"], { timeout: 5000 });
  return stdout.trim();
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [, left = "0", right = "0"] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(left) > major || (Number(left) === major && Number(right) >= minor);
}

/** True when Node treats the file as an ES module. */
function isModule(program: string): boolean {
  const extension = extname(program);
  if (/^\.m/.test(extension)) return true;
  if (/^\.c/.test(extension)) return false;
  for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return (manifest as { type?: string }).type === "module";
    } catch {
      if (folder === dirname(folder)) return false;
    }
  }
}
