/**
 * Lines of the failing test that few of the tests ran which pass: by how often each ran in calls of tests' functions that failed, and in
 * those that did not. What stands out there is no proof; where the failure depends on it too, it comes first. Pure.
 */
import { statementsOf } from "../callees.ts";
import type { Spectrum } from "../spectrum.ts";
import { type Activation, isNamed } from "./activations.ts";
import { keyOf } from "./moments.ts";
import { isHead, statementOf } from "./reading.ts";
import { askedAs } from "./search.ts";

export interface Unusual {
  /** The file of the tests. */
  path: string;
  /** Calls of its functions that failed, and the others. */
  failed: number;
  passed: number;
  /** What stands out most comes first. */
  lines: UnusualLine[];
}

export interface UnusualLine {
  function: string;
  path: string;
  line: number;
  /** In how many of those calls it ran. */
  failed: number;
  passed: number;
}

/** So many stand in an answer. */
export const SHOWN_UNUSUAL = 12;
const MOST_LINES = 40;
/** With fewer that pass, what they did not run says little. */
const LEAST_PASSED = 3;
/** A line that ran in a larger share of the others is not unusual. */
const SHARE = 0.5;
/** Of a function that the failure is not known to depend on. */
const APART = 0.8;

export function unusualIn(
  all: readonly Activation[],
  spectrum: Spectrum,
  failing: { path: string; line: number },
  { source, reached }: { source(path: string): readonly string[]; reached: ReadonlySet<string> },
): Unusual | undefined {
  const { thrown, returned } = spectrum;
  // Otherwise the test that is asked about is not among those that failed.
  if (returned < LEAST_PASSED || spectrum.of(failing.path, failing.line).thrown === 0) return undefined;
  const found = new Map<string, Found>();
  /** How many lines of each function ran. */
  const ran = new Map<string, Set<number>>();
  for (const { path, function: name, lines } of all) {
    if (path === failing.path) continue;
    const own = ran.get(keyOf(path, name)) ?? new Set();
    ran.set(keyOf(path, name), own);
    for (const { line, seq } of lines) {
      own.add(line);
      const known = found.get(keyOf(path, line));
      if (known !== undefined) {
        known.seq = seq;
        continue;
      }
      const times = spectrum.of(path, line);
      const isRare = times.returned / returned <= (SHARE * times.thrown) / thrown;
      if (times.thrown === 0 || !isRare || !isCode(source(path)[line - 1])) continue;
      found.set(keyOf(path, line), {
        ...{ function: name, path, line, failed: times.thrown, passed: times.returned, seq },
        weight: spectrum.weight(path, line),
      });
    }
  }
  const shareOf = ({ path, function: name }: Found, count: number) =>
    (count / (ran.get(keyOf(path, name))?.size ?? 1)) * (reached.has(keyOf(path, name)) ? 1 : APART);
  const lines = ranked(withoutParts([...found.values()], source), shareOf).slice(0, MOST_LINES);
  if (lines.length === 0) return undefined;
  return {
    path: failing.path,
    failed: thrown,
    passed: returned,
    lines: lines.map(({ weight: _, seq: __, ...line }) => line),
  };
}

interface Found extends UnusualLine {
  weight: number;
  /** When it ran last. */
  seq: number;
}

/** Of those that stand out alike, one of each function first, and rather of those of which all does. */
function ranked(found: readonly Found[], shareOf: (one: Found, count: number) => number): Found[] {
  const alike = new Map<string, Found[]>();
  for (const one of found.toSorted((a, b) => b.weight - a.weight || b.seq - a.seq)) {
    const key = `${one.weight.toFixed(6)} ${keyOf(one.path, one.function)}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()]
    .flatMap((group) => group.map((one, nth) => ({ one, nth, share: shareOf(one, group.length) })))
    .sort((a, b) => {
      const apart = b.one.weight - a.one.weight;
      return Math.abs(apart) > 1e-6 ? apart : a.nth - b.nth || b.share - a.share || b.one.seq - a.one.seq;
    })
    .map(({ one }) => one);
}

/** Of a statement of several lines, the first that ran. */
function withoutParts(lines: readonly Found[], source: (path: string) => readonly string[]): Found[] {
  const known = new Map<string, ReturnType<typeof statementsOf>>();
  const firstOf = (path: string, line: number) => {
    if (!known.has(path)) known.set(path, statementsOf(path, source(path)));
    const own = known.get(path)?.findLast(({ first, last }) => line >= first && line <= last);
    return own?.first ?? statementOf(source(path), line).first;
  };
  const seen = new Set<string>();
  return lines
    .toSorted((one, other) => one.line - other.line)
    .filter(({ path, line }) => {
      const key = keyOf(path, firstOf(path, line));
      return !seen.has(key) && seen.add(key);
    });
}

function isCode(text = ""): boolean {
  return (
    /\w/.test(text) &&
    !isHead(text) &&
    !/^\s*(?:\}?\s*else\s*[:{]?|try\s*[:{]|pass|break;?|continue;?)\s*$/.test(text)
  );
}

/** The functions of the lines that stand out most, as they are asked for. */
export function functionsOf({ lines }: Unusual, most: number): string[] {
  const names = lines.map((one) => one.function).filter(isNamed);
  return [...new Set(names)].slice(0, most).map(askedAs);
}
