/** Which package a file is of: by the last node_modules in its path, or the package.json above it. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readSmallFile } from "../../util/small-file.ts";
import type { Package } from "../adapter.ts";

const INSTALLED = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)(?=[\\/])/;
const MOST_BYTES = 1 << 20;

export function packageOf(path: string): Package {
  const [folder, name] = INSTALLED.exec(path) ?? [];
  if (folder !== undefined && name !== undefined) return { name, folder, ...versionIn(folder) };
  const above = folderAbove(dirname(path));
  return above === undefined
    ? { name: basename(path), folder: path }
    : { folder: above, ...described(above) };
}

function folderAbove(folder: string): string | undefined {
  if (existsSync(join(folder, "package.json"))) return folder;
  return dirname(folder) === folder ? undefined : folderAbove(dirname(folder));
}

function described(folder: string): Pick<Package, "name" | "version"> {
  const { name } = manifestIn(folder);
  return { name: typeof name === "string" ? name : basename(folder), ...versionIn(folder) };
}

function versionIn(folder: string): Pick<Package, "version"> {
  const { version } = manifestIn(folder);
  return typeof version === "string" ? { version } : {};
}

function manifestIn(folder: string): { name?: unknown; version?: unknown } {
  try {
    const manifest: unknown = JSON.parse(readSmallFile(join(folder, "package.json"), MOST_BYTES));
    return typeof manifest === "object" && manifest !== null ? manifest : {};
  } catch {
    return {}; // none, or one that is broken
  }
}
