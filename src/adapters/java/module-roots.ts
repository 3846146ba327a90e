/** Folders of sources of a project whose build has modules, each with sources of its own. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const MOST_FOLDERS = 2_000;
const ROOTS = ["src/main/java", "src/test/java"];
const SKIPPED = /^(?:node_modules|target|build|\..+|src)$/;

/** `isModule`: whether modules may be below this folder. */
export function moduleRoots(cwd: string, isModule: (folder: string) => boolean): string[] {
  const folders = [cwd];
  for (const folder of folders) {
    const below = isModule(folder) || folder === cwd ? foldersIn(folder) : [];
    if (folders.length < MOST_FOLDERS) folders.push(...below);
  }
  return folders
    .flatMap((folder) => ROOTS.map((root) => join(folder, root)))
    .filter((root) => existsSync(root));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name))
      .map((entry) => join(folder, entry.name));
  } catch {
    return []; // not ours to read
  }
}
