/** Source lines that two versions do not share, and which of them ran before the runs part. Pure. */
import type { LineMap } from "./lines.ts";
import type { Moment } from "./moments.ts";

/** Lines that stand in each other's place; of one side only where the other has none. */
export interface Change {
  a?: ChangedLines;
  b?: ChangedLines;
  /** Of what has no code of its own (a signature, a table, a constant): nobody can say whether it ran. */
  ran: boolean;
  /** It ran only after the runs part, and so did all that was changed: it did not part them. */
  after?: true;
}

export interface ChangedLines {
  path: string;
  line: number;
  /** Of the lines from there on that have changed. */
  texts: string[];
}

/** Two files that are versions of each other. */
export interface FilePair {
  a: { path: string; lines: readonly string[] };
  b: { path: string; lines: readonly string[] };
  map: LineMap;
}

interface Hunk {
  pair: FilePair;
  a: number[];
  b: number[];
}

/**
 * Those that ran last before the runs part come first. `before`: the moments of each run before that, in order. Changes of code that
 * did not run by then explain nothing; those of lines without code come last.
 */
export function changesBefore(
  pairs: readonly FilePair[],
  all: { a: readonly Moment[]; b: readonly Moment[] },
  before: { a: readonly Moment[]; b: readonly Moment[] },
): Change[] {
  const ran = { a: lastRuns(before.a), b: lastRuns(before.b) };
  const known = { a: lastRuns(all.a), b: lastRuns(all.b) };
  const found = pairs.flatMap(hunksOf).flatMap((hunk) => {
    const ages = (["a", "b"] as const).flatMap((side) => {
      const file = hunk.pair[side];
      return hunk[side].flatMap((line) => {
        const at = ran[side].get(`${file.path}:${statementAt(file, line, known[side])}`);
        return at === undefined ? [] : [before[side].length - at];
      });
    });
    if (ages.length > 0) return [{ hunk, age: Math.min(...ages), ran: true }];
    const hasCode = (["a", "b"] as const).some((side) =>
      hunk[side].some((line) => {
        const file = hunk.pair[side];
        return known[side].has(`${file.path}:${statementAt(file, line, known[side])}`);
      }),
    );
    return hasCode ? [] : [{ hunk, age: Number.MAX_SAFE_INTEGER, ran: false }];
  });
  const sorted = found.sort((x, y) => x.age - y.age);
  const [first] = sorted;
  return sorted.filter((one) => one.ran || first?.ran === false).map((one) => changeOf(one.hunk, one.ran));
}

/**
 * Where nothing that was changed ran before the runs part, something else parts them (the order of a hash, a clock): what was
 * changed and ran after that, the first first. Nothing where they part on their way to a changed line.
 */
export function changesAfter(
  pairs: readonly FilePair[],
  all: { a: readonly Moment[]; b: readonly Moment[] },
  parted: { a?: Moment | undefined; b?: Moment | undefined },
): Change[] {
  const ran = { a: firstRuns(all.a), b: firstRuns(all.b) };
  const found = pairs.flatMap(hunksOf).flatMap((hunk) => {
    const turns = (["a", "b"] as const).flatMap((side) =>
      hunk[side].flatMap((line) => {
        const file = hunk.pair[side];
        const at = ran[side].get(`${file.path}:${statementAt(file, line, ran[side])}`);
        return at === undefined ? [] : [at];
      }),
    );
    return turns.length === 0 ? [] : [{ hunk, turn: Math.min(...turns) }];
  });
  const isThere = ({ hunk }: { hunk: Hunk }) =>
    (["a", "b"] as const).some((side) => {
      const { path, line } = parted[side] ?? {};
      return line !== undefined && path === hunk.pair[side].path && hunk[side].includes(line);
    });
  if (found.some(isThere)) return [];
  return found
    .sort((x, y) => x.turn - y.turn)
    .map(({ hunk }) => ({ ...changeOf(hunk, true), after: true as const }));
}

/** Lines in which versions differ. */
export function countChanges(pairs: readonly FilePair[]): number {
  const hunks = pairs.flatMap(hunksOf);
  return hunks.reduce((count, { a, b }) => count + Math.max(a.length, b.length), 0);
}

function lastRuns(moments: readonly Moment[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const [at, { kind, path, line }] of moments.entries())
    if (kind === "line" || kind === "point") last.set(`${path}:${line}`, at);
  return last;
}

function firstRuns(moments: readonly Moment[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const [at, { kind, path, line }] of moments.entries()) {
    const key = `${path}:${line}`;
    if ((kind === "line" || kind === "point") && !first.has(key)) first.set(key, at);
  }
  return first;
}

/** A statement of several lines is told of by its first. */
function statementAt(
  { path, lines }: FilePair["a"],
  line: number,
  known: ReadonlyMap<string, number>,
): number {
  if (known.has(`${path}:${line}`)) return line;
  for (let at = line - 1; at >= Math.max(1, line - MOST_LINES); at--)
    if (known.has(`${path}:${at}`)) return isOneStatement(lines.slice(at - 1, line)) ? at : line;
  return line;
}

const MOST_LINES = 30;

/** Whether the last of these lines still belongs to what the first began. */
function isOneStatement(lines: readonly string[]): boolean {
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    const text = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "");
    const joins =
      /^\s*(?:[.?:+*/&|)\]]|and\b|or\b)/.test(text) ||
      /(?:[=,+*/&|\\]|\band|\bor)\s*$/.test(lines[at - 1] ?? "");
    if (at > 0 && depth <= 0 && !joins) return false;
    for (const char of text) if (/[([]/.test(char)) depth++;
    for (const char of text) if (/[)\]]/.test(char)) depth--;
  }
  return true;
}

const isCode = (text: string | undefined) =>
  /[\p{L}\p{N}]/u.test(text ?? "") &&
  !/^\s*(?:#(?!\s*(?:define|include|if|el|endif|undef))|\/\/|\/\*|\*[\s/])/.test(text ?? "");

/** Runs of lines that differ, between lines that do not. */
function hunksOf(pair: FilePair): Hunk[] {
  const { a, b, map } = pair;
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  const add = (side: "a" | "b", line: number) => {
    if (open === undefined) {
      open = { pair, a: [], b: [] };
      hunks.push(open);
    }
    open[side].push(line);
  };
  let next = 1;
  for (let line = 1; line <= a.lines.length; line++) {
    const to = map.toB(line);
    if (to !== undefined) {
      for (; next < to; next++) if (!map.reaches(next)) add("b", next);
      next = Math.max(next, to + 1);
    }
    const text = a.lines[line - 1] ?? "";
    if (to !== undefined && isSame(text, b.lines[to - 1] ?? "")) {
      open = undefined;
      continue;
    }
    if (to !== undefined) add("b", to);
    add("a", line);
  }
  for (; next <= b.lines.length; next++) if (!map.reaches(next)) add("b", next);
  return hunks
    .map(({ a: x, b: y }) => ({
      pair,
      a: x.filter((line) => isCode(a.lines[line - 1])),
      b: y.filter((line) => isCode(b.lines[line - 1])),
    }))
    .filter(({ a: x, b: y }) => x.length + y.length > 0);
}

const isSame = (a: string, b: string) => a.trim() === b.trim();

function changeOf({ pair, a, b }: Hunk, ran: boolean): Change {
  const side = (file: FilePair["a"], numbers: readonly number[]): ChangedLines | undefined => {
    const [line] = numbers;
    if (line === undefined) return undefined;
    return { path: file.path, line, texts: numbers.map((one) => (file.lines[one - 1] ?? "").trim()) };
  };
  const [x, y] = [side(pair.a, a), side(pair.b, b)];
  return { ...(x === undefined ? {} : { a: x }), ...(y === undefined ? {} : { b: y }), ran };
}
