/** Where sources have moved to, in the words of each editor's debugger. */
import { resolve } from "node:path";
import { SondeError } from "../../errors.ts";
import type { PathMap } from "../../util/path-map.ts";
import type { Fields } from "./fields.ts";

export function movedPaths(fields: Fields, folder: string): { pathMap?: PathMap } {
  const pairs = [
    ...pairsOf(fields, "sourceMap"),
    ...pairsOf(fields, "sourceFileMap"),
    // Go's counts from the reader's machine.
    ...pairsOf(fields, "substitutePath").map(([here, built]) => [built, here] as const),
  ];
  const pathMap = pairs.map(([from, to]) => ({ from, to: resolve(folder, to) }));
  return pathMap.length === 0 ? {} : { pathMap };
}

/** As an object, a list of pairs, or a list of {from, to}. */
function pairsOf(fields: Fields, key: string): (readonly [string, string])[] {
  if (!fields.has(key)) return [];
  const value = fields.any(key);
  const entries: unknown[] = Array.isArray(value)
    ? value
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : [undefined];
  return entries.map((entry) => pairOf(entry, key));
}

function pairOf(entry: unknown, key: string): readonly [string, string] {
  const { from = undefined, to = undefined } =
    typeof entry === "object" && entry !== null ? entryOf(entry) : {};
  if (typeof from === "string" && typeof to === "string" && from !== "") return [from, to];
  throw new SondeError("BAD_CONFIG", `launch.json: ${key} must map each folder to where it is now`);
}

function entryOf(entry: object): { from?: unknown; to?: unknown } {
  if (!Array.isArray(entry)) return entry;
  const [from, to] = entry as unknown[];
  const place = typeof to === "object" && to !== null && "editorPath" in to ? to.editorPath : to;
  return { from, to: place };
}
