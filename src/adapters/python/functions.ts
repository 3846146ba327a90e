/**
 * Functions that the program's own files define. debugpy binds a function breakpoint to any name and says so; whether there is a
 * function of that name shows only when one is called.
 */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { closest } from "../../util/closest.ts";

/** More than this is no project of one reader's; what is not found then was not looked for everywhere. */
const MOST_FILES = 3000;
const MOST_BYTES = 2_000_000;

export interface Definitions {
  functions: ReadonlySet<string>;
  /** Classes, modules and packages: what may stand before a function's name. */
  owners: ReadonlySet<string>;
  /** Whether every file was read. */
  whole: boolean;
}

/** Of all Python files under these folders; libraries that are installed there are not the program's own. */
export async function definitionsIn(folders: readonly string[]): Promise<Definitions> {
  const functions = new Set<string>();
  const owners = new Set<string>();
  const files = await pythonFiles(folders);
  for (const path of files.slice(0, MOST_FILES)) {
    const name = basename(path).replace(/\.pyw?$/, "");
    owners.add(name === "__init__" ? basename(dirname(path)) : name);
    const text = await textOf(path);
    for (const [, kind, found = ""] of text.matchAll(/^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+(\w+)/gmu))
      (kind === "def" ? functions : owners).add(found);
  }
  return { functions, owners, whole: files.length <= MOST_FILES };
}

/** Breadth first, so that the files at hand are read before what lies deep. */
async function pythonFiles(folders: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  const queue = [...new Set(folders)];
  const seen = new Set(queue);
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await entriesOf(folder);
    if (entries.some(({ name }) => name === "pyvenv.cfg")) continue;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !seen.has(path) && !FOREIGN.test(entry.name)) {
        seen.add(path);
        queue.push(path);
      } else if (/\.pyw?$/.test(entry.name)) files.add(path);
    }
    if (files.size > MOST_FILES) break;
  }
  return [...files];
}

const FOREIGN = /^\.|^(?:node_modules|site-packages|dist-packages|__pycache__)$/;

async function entriesOf(folder: string): Promise<Dirent[]> {
  // A folder that cannot be read holds nothing that could be told.
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

async function textOf(path: string): Promise<string> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= MOST_BYTES ? await readFile(path, "utf8") : "";
  } catch {
    return ""; // as if it were not there
  }
}

/** Why a name as the user wrote it (`total`, `Cart.total`, `shop.cart.total`) is not certain to be hit; nothing if it is there. */
export function doubtOf(asked: string, definitions: Definitions | undefined): string | undefined {
  const parts = asked.replace(/\(\)$/, "").split(".");
  const name = parts.pop() ?? asked;
  const owner = parts.at(-1);
  if (definitions === undefined) return NOT_CHECKED;
  const { functions, owners, whole } = definitions;
  const known = functions.has(name);
  if (known && (owner === undefined || owners.has(owner))) return undefined;
  if (!whole) return NOT_CHECKED;
  const near = known ? closest(owner ?? "", [...owners]) : closest(name, [...functions]);
  const right = near && (known ? `${near}.${name}` : [...parts, near].join("."));
  const missing = known
    ? `no class or module ${owner} in the program's files`
    : `no function ${name} in the program's files`;
  return `${missing}${right ? `; did you mean ${right}?` : ""}`;
}

const NOT_CHECKED = "not checked: debugpy binds a function by its name when it is called";
