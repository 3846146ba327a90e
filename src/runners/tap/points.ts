/** TAP, the Test Anything Protocol: its `ok` and `not ok` lines, each with its names, its details and what was printed around it. */

export interface Point {
  ok: boolean;
  /** The number that it was given. */
  number?: number;
  /** How far it is indented: 0 for those that the plan counts. */
  level: number;
  /** From the outermost on, with its own name last. */
  path: string[];
  /** SKIP, or TODO: it does not count as a failure. */
  skipped: boolean;
  /** The YAML block below it, without its indentation. */
  details: string;
  /** The lines below it, up to the next point, that begin with `#`. */
  comments: string;
  /** The line itself. */
  line: string;
  /** What was printed since the point before it. */
  printed: string;
  /** Points that it sums up. */
  inner: Point[];
}

const POINT = /^( *)(not ok|ok)\b(?: +(\d+))?(?:(?: +-)? +(.*?))?(?: *(\{))?$/;
const DIRECTIVE = /(?:^|\s)#\s*(?:(skip|todo)\b.*|time=.*)$/i;
const LEVEL = 4;

/** All of them in the order in which they were printed: inner ones come before the one that sums them up, or after one with a brace. */
export function pointsIn(tap: string): Point[] {
  const lines = tap.split(/\r?\n/);
  const reading: Reading = { points: [], subtests: [], open: [] };
  let since = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, indent = "", subtest] = /^( *)# Subtest: (.*)$/.exec(line) ?? [];
    if (subtest !== undefined) reading.subtests.length = indent.length / LEVEL;
    if (subtest !== undefined) reading.subtests.push(unescaped(subtest));
    if (/^ *\}$/.test(line)) reading.open.pop();
    const [, before = "", state, number, rest = "", brace] = POINT.exec(line) ?? [];
    if (state === undefined) continue;
    const end = detailsEnd(lines, at, before.length);
    const [details, level] = [lines.slice(at + 2, end), Math.floor(before.length / LEVEL)];
    const point = {
      ok: state === "ok",
      ...(number === undefined ? {} : { number: Number(number) }),
      level,
      path: [unescaped(rest.replace(DIRECTIVE, ""))],
      skipped: /^(skip|todo)$/i.test(DIRECTIVE.exec(rest)?.[1] ?? ""),
      details: details.map((one) => one.slice(before.length + 2)).join("\n"),
      comments: commentsAfter(lines, end > at ? end + 1 : at + 1),
      line: line.trimStart(),
      printed: lines.slice(since, at).join("\n"),
      inner: [],
    };
    add(reading, point, level);
    if (brace !== undefined) reading.open.push(point);
    at = Math.max(at, end);
    since = at + 1;
  }
  return reading.points.map(({ point }) => point);
}

/** It has a plan and a point: few programs print both by chance. */
export function isTap(text: string): boolean {
  return /^1\.\.\d+\b/m.test(text) && /^(?:not )?ok\b/m.test(text);
}

interface Reading {
  /** `isHeld`: by one with a brace. */
  points: { point: Point; level: number; isHeld: boolean }[];
  /** The names that comments have announced, by level. */
  subtests: string[];
  /** Those whose brace is still open. */
  open: Point[];
}

function add(reading: Reading, point: Point, level: number): void {
  const { points, subtests, open } = reading;
  subtests.length = Math.min(level, subtests.length);
  const outer = open.at(-1);
  point.path = [...(outer?.path ?? subtests), ...point.path];
  outer?.inner.push(point);
  // What stands deeper since the last one of this level belongs to it, whether or not it was announced.
  const from = points.findLastIndex((one) => one.level <= level) + 1;
  for (const one of points.slice(from).filter(({ isHeld }) => !isHeld)) {
    if (one.level === level + 1) point.inner.push(one.point);
    const rest = one.point.path.slice(one.point.path.length - (one.level - level));
    if (one.point.path.length <= one.level || one.point.path[level] !== point.path.at(-1))
      one.point.path = [...point.path, ...rest];
  }
  points.push({ point, level, isHeld: outer !== undefined });
}

/** The line that ends the block of details below this one; before it, if there is none. */
function detailsEnd(lines: readonly string[], at: number, indent: number): number {
  if (lines[at + 1]?.trim() !== "---") return at;
  const last = `${" ".repeat(indent + 2)}...`;
  const end = lines.findIndex((line, index) => index > at && line.trimEnd() === last);
  return end < 0 ? lines.length : end;
}

function commentsAfter(lines: readonly string[], from: number): string {
  const said: string[] = [];
  for (const line of lines.slice(from)) {
    if (POINT.test(line) || /^ *# Subtest: /.test(line)) break;
    if (/^ *#/.test(line)) said.push(line.replace(/^ *# ?/, ""));
  }
  return said.join("\n");
}

function unescaped(name: string): string {
  return name.trim().replace(/\\([\\#])/g, "$1");
}
