/** Which of many rounds of a loop, or calls, are worth a look: each end, and the first of a kind that the ends do not show. Pure. */
import { type Call, linesOf, type RanLine, type Step } from "./call-tree.ts";

export interface Kind {
  /** The lines that ran. */
  lines: string;
  /** …with the variables that each changed, by name, and what it called, by the lines that ran there. */
  whole: string;
  /** Functions that it called, of those recorded. */
  calls: ReadonlySet<string>;
}

export interface Choice {
  first: number;
  last: number;
  /** Of other kinds than those at the ends. */
  others: number;
}

export function kindOfRound(steps: readonly Step[]): Kind {
  return { lines: wordsOf(steps, lineOf), whole: wordsOf(steps, lineKind), calls: callsIn(steps) };
}

/** However often its lines ran. */
export function kindOfCall(call: Call): Kind {
  return { lines: callWords(call, lineOf), whole: callWords(call, lineKind), calls: callsIn(call.steps) };
}

function callWords({ function: name, steps, ended }: Call, word: (line: RanLine) => string): string {
  const words = [...new Set(linesOf(steps).map(word))].sort().join(" ");
  return `${name} ${ended?.how ?? ""} ${words}`;
}

const lineOf = ({ line }: RanLine) => String(line);

function lineKind({ line, changes, calls }: RanLine): string {
  const names = [...new Set(changes.map(([name]) => name))].sort();
  const made = [...new Set(calls.map((one) => callWords(one, lineOf)))];
  return `${line}:${names.join(",")}:${made.sort().join(",")}`;
}

/** Rounds within a round are told apart by their kinds, not by their number. */
function wordsOf(steps: readonly Step[], word: (line: RanLine) => string): string {
  const one = (step: Step) =>
    step.kind === "line"
      ? word(step)
      : `[${[...new Set(step.rounds.map((round) => wordsOf(round, word)))].sort().join("|")}]`;
  return steps.map(one).join(" ");
}

function callsIn(steps: readonly Step[]): Set<string> {
  return new Set(linesOf(steps).flatMap(({ calls }) => calls.map((one) => one.function)));
}

/** The indexes of those that are shown. What calls something else comes first, then what ran other lines, then what is rare. */
export function chosen(kinds: readonly Kind[], { first, last, others }: Choice): Set<number> {
  const ends = kinds.map((_, at) => at).filter((at) => at < first || at >= kinds.length - last);
  const shown = new Set(ends);
  const strangers = firstsOf(kinds);
  for (let left = others; left > 0 && strangers.length > 0; left--) {
    const known = [...shown].flatMap((at) => kinds[at] ?? []);
    const wholes = new Set(known.map(({ whole }) => whole));
    const lines = new Set(known.map((kind) => kind.lines));
    const calls = new Set(known.flatMap((kind) => [...kind.calls]));
    const rank = ({ kind, count }: Stranger) => [
      [...kind.calls].some((name) => !calls.has(name)) ? 0 : 1,
      lines.has(kind.lines) ? 1 : 0,
      count,
    ];
    const [best] = strangers
      .filter(({ kind }) => !wholes.has(kind.whole))
      .map((one) => ({ at: one.at, rank: rank(one) }))
      .sort((a, b) => compare(a.rank, b.rank) || a.at - b.at);
    if (best === undefined) break;
    shown.add(best.at);
  }
  return shown;
}

interface Stranger {
  kind: Kind;
  at: number;
  count: number;
}

/** The first of each kind, and how many of it there are. */
function firstsOf(kinds: readonly Kind[]): Stranger[] {
  const firsts = new Map<string, Stranger>();
  for (const [at, kind] of kinds.entries()) {
    const known = firsts.get(kind.whole);
    if (known === undefined) firsts.set(kind.whole, { kind, at, count: 1 });
    else known.count++;
  }
  return [...firsts.values()];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

export interface Gap {
  /** The first and the last that are left out, from 1, with nothing between them that is shown. */
  from: number;
  to: number;
  /** Those shown that they are like, from 1. */
  like: number[];
  /** How many are like none of those shown, and how many of them ran other lines. */
  unlike: number;
  otherLines: number;
}

/** All of them in order: the index of one that is shown, or a gap. */
export function withGaps(kinds: readonly Kind[], shown: ReadonlySet<number>): (number | Gap)[] {
  const known = new Map<string, number>();
  for (const at of [...shown].sort((a, b) => b - a)) known.set(kinds[at]?.whole ?? "", at + 1);
  const ran = new Set([...shown].map((at) => kinds[at]?.lines));
  const all: (number | Gap)[] = [];
  for (const [at, { whole, lines }] of kinds.entries()) {
    if (shown.has(at)) {
      all.push(at);
      continue;
    }
    const before = all.at(-1);
    const gap: Gap =
      typeof before === "object" ? before : { from: at + 1, to: at + 1, like: [], unlike: 0, otherLines: 0 };
    if (before !== gap) all.push(gap);
    gap.to = at + 1;
    if (!ran.has(lines)) gap.otherLines++;
    const like = known.get(whole);
    if (like === undefined) gap.unlike++;
    else if (!gap.like.includes(like)) gap.like.push(like);
  }
  return all;
}
