/** Where sources are now, for a program that was built elsewhere: `--map /built/at=/is/at`. */
import { resolve } from "node:path";

export interface MovedPath {
  /** As the debug information has it. */
  from: string;
  /** Where it is on this machine. */
  to: string;
}

/** The first that fits is used. */
export type PathMap = readonly MovedPath[];

/** Nothing if the text is no `from=to`. A path on this machine may be relative to `cwd`. */
export function parseMovedPath(text: string, cwd: string): MovedPath | undefined {
  const at = text.indexOf("=");
  const [from, to] = [text.slice(0, at), text.slice(at + 1)];
  return at < 1 || to === "" ? undefined : { from: withoutEnd(from), to: resolve(cwd, to) };
}

/** On this machine, of a path in the debug information. */
export function herePath(map: PathMap, path: string): string {
  return replaced(path, map, ({ from, to }) => ({ old: from, by: to })) ?? path;
}

/** In the debug information, of a path on this machine. */
export function builtPath(map: PathMap, path: string): string {
  return replaced(path, map, ({ from, to }) => ({ old: to, by: from })) ?? path;
}

function replaced(
  path: string,
  map: PathMap,
  way: (one: MovedPath) => { old: string; by: string },
): string | undefined {
  for (const one of map) {
    const { old, by } = way(one);
    if (path === old) return by;
    const start = old.endsWith("/") ? old : `${old}/`;
    if (path.startsWith(start)) return `${by.endsWith("/") ? by : `${by}/`}${path.slice(start.length)}`;
  }
  return undefined;
}

/** The two folders that differ, of a file that is at two places; nothing if its names do. */
export function movedBetween(built: string, here: string): MovedPath | undefined {
  const [from, to] = [built.split("/"), here.split("/")];
  while (from.length > 1 && to.length > 1 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
  }
  if (from.length === built.split("/").length) return undefined;
  return { from: from.join("/") || "/", to: to.join("/") || "/" };
}

function withoutEnd(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
