/** V8 names scripts by URL, people by path. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { regExpText } from "../../../util/text.ts";

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

/**
 * Somebody else's code. Tools keep what they make of the user's code in folders of node_modules that begin with a dot (`.vite-temp`,
 * `.cache`); package managers' stores (`.pnpm`) hold a node_modules of their own.
 */
export const LIBRARY = /\/node_modules\/(?!.*\/node_modules\/)(?!\.)/;

export const isLibraryPath = (path: string): boolean => LIBRARY.test(path);

/** …or in such a folder, and made from nothing that anybody knows. */
export const isLibraryScript = (path: string, hasMap: boolean): boolean =>
  isLibraryPath(path) || (!hasMap && path.includes("/node_modules/"));

/** Node loads a module by its real path; a file that is not there yet keeps the path given. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Matches the URL of this file however V8 spells it: file URL or bare path, with a query (`?update=2`) or without. Which
 * characters a URL encodes differs between Node's modules, its inspector and its versions, so each may be either.
 */
export function urlPatternOf(path: string): string {
  const spellings = new Set([path, realPath(path)].map(eitherEncoded));
  return `^(?:file:\\/\\/)?(?:${[...spellings].join("|")})(?:\\?.*)?$`;
}

function eitherEncoded(path: string): string {
  return path
    .replace(/[^\w/.-]/gu, (character) => {
      const encoded = Buffer.from(character).reduce((text, byte) => `${text}%${hex(byte)}`, "");
      return `(?:${regExpText(character)}|${encoded})`;
    })
    .replace(/[/.]/g, "\\$&");
}

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, "0");
