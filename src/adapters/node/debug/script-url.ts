/** V8 names scripts by URL, people by path. */
import { realpathSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The file behind a script's URL; undefined for Node's internals, evaluated code and the like. */
export function pathOfUrl(url: string): string | undefined {
  if (url.startsWith("/")) return url;
  if (!url.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** Code of ours that gives an idle program something to pause in. */
export const IDLE_URL = "sonde-idle:";

export const isInternalUrl = (url: string): boolean =>
  url.startsWith("node:") || url.startsWith("internal/") || url.startsWith(IDLE_URL);

export const isLibraryPath = (path: string): boolean => path.includes("/node_modules/");

/** Node loads a module by its real path; a file that is not there yet keeps the path given. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Matches the URL of this file however V8 spells it: file URL or bare path, with a query (`?update=2`) or without. */
export function urlPatternOf(path: string): string {
  const real = realPath(path);
  const spellings = new Set(
    [path, real].flatMap((one) => [one, pathToFileURL(one).href, `file://${encodeURI(one)}`]),
  );
  return `^(?:${[...spellings].map(escapeRegExp).join("|")})(?:\\?.*)?$`;
}
