/** `file:line[:column]` as users type it, made absolute and checked against the file before any debugger hears of it. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { fileLines } from "../../session/stack/source.ts";
import { isSource } from "../../trace/callees.ts";
import { closest } from "../../util/closest.ts";
import { herePath, type PathMap } from "../../util/path-map.ts";

export interface Location {
  path: string;
  line: number;
  column?: number;
  /** As typed. */
  asked: string;
}

/** `app.js:12 if n > 3` */
export interface BreakText {
  location: string;
  condition?: string;
}

export function parseBreak(text: string): BreakText {
  const match = /^(.+?:\d+(?::\d+)?|\d+|[^\s:]\S*)\s+if\s+(.+)$/s.exec(text.trim());
  return match?.[1] && match[2] ? { location: match[1], condition: match[2] } : { location: text.trim() };
}

/** Of a program that was compiled elsewhere. */
export interface Sources {
  map: PathMap;
  /** That a file which is not on this machine is one of its. */
  has?(path: string): boolean;
}

const FUNCTION = /^[\p{L}_$#~][\p{L}\p{N}_$#~]*(?:(?:::|\.|->)[\p{L}\p{N}_$#~()*<>]+)*$/u;

/** A name where a place is expected: the function of that name, unless it is a file's. */
export function functionNamed(text: string, cwd: string): string | undefined {
  const isFile = isSource(text) || existsSync(resolve(cwd, text));
  return FUNCTION.test(text) && !isFile ? text : undefined;
}

/** `here` is the file in focus: with it, a bare line number is enough. */
export function parseLocation(
  text: string,
  cwd: string,
  here?: string,
  sources: Sources = { map: [] },
): Location {
  const bare = /^\d+$/.test(text) && here !== undefined ? `${relative(cwd, here)}:${text}` : text;
  const match = /^(.*?):(\d+)(?::(\d+))?$/.exec(bare);
  if (!match?.[1] || !match[2]) {
    const apart = /^(\S+\.\w+)\s+(\d+)$/.exec(text);
    throw new SondeError("BAD_LOCATION", `\`${text}\` is not a place`, {
      hint: apart
        ? `did you mean ${apart[1]}:${apart[2]}?`
        : "a place is file:line or file:line:column, e.g. src/app.js:42",
    });
  }
  const path = found(match[1], cwd, sources.map);
  const line = Number(match[2]);
  const lines = fileLines(path);
  const column = match[3] === undefined ? {} : { column: Number(match[3]) };
  if (!lines && [match[1], path].some((one) => sources.has?.(one)))
    return { path, line, ...column, asked: bare };
  if (!lines) {
    const near = nearFile(match[1], cwd);
    throw new SondeError("BAD_LOCATION", `no file ${match[1]} in ${cwd}`, {
      hint: near ? `did you mean ${near}:${line}?` : "paths are relative to your folder",
      folder: cwd,
    });
  }
  if (line < 1 || line > lines.length) {
    const nearest = codeLines(lines, lines.length); // numbers only: what a file says has no place in our advice
    throw new SondeError("BAD_LOCATION", `${match[1]} has ${lines.length} lines; there is no line ${line}`, {
      hint:
        nearest.length > 0 ? `the nearest lines with code: ${nearest.join(", ")}` : "the file has no code",
    });
  }
  return { path, line, ...column, asked: bare };
}

/** Of a file that is not there by that name, where it has moved to. */
function found(typed: string, cwd: string, map: PathMap): string {
  const path = isAbsolute(typed) ? typed : resolve(cwd, typed);
  if (map.length === 0 || existsSync(path)) return path;
  return [typed, path].map((one) => herePath(map, one)).find((one) => existsSync(one)) ?? path;
}

/** The one line that holds this text. */
export function findText(file: string, snippet: string, cwd: string): Location {
  const path = isAbsolute(file) ? file : resolve(cwd, file);
  const lines = fileLines(path);
  if (!lines) throw new SondeError("BAD_LOCATION", `no file ${file} in ${cwd}`);
  const found = lines.flatMap((text, index) => (text.includes(snippet) ? [index + 1] : []));
  if (found.length === 1 && found[0] !== undefined)
    return { path, line: found[0], asked: `${file}:${found[0]}` };
  throw new SondeError(
    "BAD_LOCATION",
    found.length === 0
      ? `no line of ${file} contains \`${snippet}\``
      : `${found.length} lines of ${file} hold \`${snippet}\`: ${found.slice(0, 8).join(", ")}`,
    { hint: found.length === 0 ? advice`${call("source")} shows the file` : "use file:line for one of them" },
  );
}

/** Up to three lines near `around` that look like code: not blank, comment or lone punctuation. A guess, used in hints only. */
function codeLines(lines: readonly string[], around: number): number[] {
  const near: number[] = [];
  for (let line = Math.min(around, lines.length); line >= 1 && near.length < 3; line--) {
    const text = lines[line - 1]?.trim() ?? "";
    if (text !== "" && !/^(\/\/|#|\*|\/\*|[{}()[\];,]*$)/.test(text)) near.unshift(line);
  }
  return near;
}

const SKIPPED = new Set(["node_modules", ".git", "dist", "target", "__pycache__"]);
const MOST_FILES = 3000;

/** A file of that name elsewhere below the folder, the best match of several, or one with a similar name beside it. */
export function nearFile(typed: string, cwd: string): string | undefined {
  const wanted = basename(typed);
  const found: string[] = [];
  let seen = 0;
  const walk = (folder: string, depth: number): void => {
    const entries = entriesOf(folder);
    for (const entry of entries)
      if (entry.isFile() && entry.name === wanted) found.push(relative(cwd, join(folder, entry.name)));
    for (const entry of entries) {
      if (++seen > MOST_FILES || depth > 6) return;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(join(folder, entry.name), depth + 1);
    }
  };
  walk(cwd, 0);
  const [best] = found.sort((x, y) => likeness(y, typed) - likeness(x, typed) || x.length - y.length);
  if (best !== undefined) return best;
  const folder = dirname(resolve(cwd, typed));
  const near = closest(
    wanted,
    entriesOf(folder).map(({ name }) => name),
  );
  return near === undefined ? undefined : relative(cwd, join(folder, near));
}

/** Of two paths: the parts they end with alike, then the others that both have, in whatever place. */
function likeness(path: string, typed: string): number {
  const [has, asked] = [path, typed].map((one) => one.split(/[\\/]/).reverse()) as [string[], string[]];
  const end = asked.findIndex((part, at) => part !== has[at]);
  const shared = asked.filter((part) => has.includes(part)).length;
  return (end < 0 ? asked.length : end) * 100 + shared;
}

function entriesOf(folder: string): import("node:fs").Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or not ours to read
  }
}
