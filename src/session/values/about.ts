/**
 * What a line is about. Of a frame's values those that its line names come first, then those of the lines around it, then the others
 * as they were declared: the same rule wherever values are shown and cut. Pure.
 */

/** Lines before and after that count as around it. */
const AROUND = 2;
/** Minified code has lines of megabytes. */
const LONGEST_LINE = 2000;
/** Of one line, fields that are shown beside the values they are in. */
const MOST_PATHS = 4;

export interface About {
  /** Names in the line, and in the lines around it. */
  here: ReadonlySet<string>;
  around: ReadonlySet<string>;
  /** Fields that the line reads, in its order: `self.total` is ["self", "total"]. */
  paths: string[][];
}

export const NOTHING: About = { here: new Set(), around: new Set(), paths: [] };

/** @param line Counted from 1. */
export function about(lines: readonly string[] | undefined, line: number): About {
  if (lines === undefined || line < 1) return NOTHING;
  const own = (lines[line - 1] ?? "").slice(0, LONGEST_LINE);
  const near = lines.slice(Math.max(0, line - 1 - AROUND), line + AROUND);
  return {
    here: namesIn(own),
    around: new Set(near.flatMap((text) => [...namesIn(text.slice(0, LONGEST_LINE))])),
    paths: pathsIn(own),
  };
}

function namesIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const PATH = new RegExp(`(?<![\\p{L}\\p{N}_$.])${NAME}(?:(?:\\.|->|\\?\\.)#?${NAME})+`, "gu");

/** Those that are no call: of `self.items.append(x)`, `self.items`. */
function pathsIn(text: string): string[][] {
  const found = new Map<string, string[]>();
  for (const match of text.replace(/(?<![:"'`])\/\/.*$|(?:^|\s)#\s.*$/, "").matchAll(PATH)) {
    const parts = match[0].split(/\?\.|\.|->/);
    const rest = text.slice((match.index ?? 0) + match[0].length);
    if (/^\s*(?:::<[^>]*>)?\(/.test(rest)) parts.pop();
    if (parts.length > 1) found.set(parts.join("."), parts);
  }
  return [...found.values()].slice(0, MOST_PATHS);
}

/** In the order in which they are worth a line; equal ones as they were. */
export function byNearness<T extends { name: string }>(values: readonly T[], { here, around }: About): T[] {
  const rank = ({ name }: T) => (here.has(name) ? 0 : around.has(name) ? 1 : 2);
  return values
    .map((value, at) => ({ value, at, rank: rank(value) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ value }) => value);
}
