/** Which lines of recorded functions ran, in all their calls: the first thing to see of a long record. Pure. */
import { fileLines } from "../../session/stack/source.ts";
import { statementsOf } from "../../trace/callees.ts";
import { isFunction } from "../../trace/function-name.ts";
import { gapWatch, type Missing } from "../../trace/missing.ts";
import type { LineEvent } from "../../trace/record.ts";
import { statementText, wholeStatement } from "../../trace/whole-statement.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { shortPath } from "../answers/text.ts";

interface Ran {
  times: number;
  /** The last that it changed. */
  changed: string;
}

interface Recorded {
  path: string;
  function: string;
  calls: number;
  /** Levels of recorded calls around the outermost of its calls. */
  depth: number;
  lines: Map<number, Ran>;
}

const CODE = 48;
const ALL = Number.POSITIVE_INFINITY;
const BARE: Detail = { changed: 0, unrun: false };
/** Less and less, until it fits. */
const DETAILS: readonly Detail[] = [{ changed: 24, unrun: true }, { changed: 0, unrun: true }, BARE];

interface Detail {
  /** Characters of what a line changed. */
  changed: number;
  /** Also lines between the others of which nothing was recorded. */
  unrun: boolean;
}

const head = ({ isWhole, isInside }: About, { unrun, changed }: Detail) =>
  [
    `lines that ran ${isInside ? "inside" : "in"} these calls: how often${isWhole ? "" : " at least"}${unrun ? " (– none recorded)" : ""}`,
    ...(changed > 0 ? ["and what each changed last"] : []),
  ].join(", ");

interface About {
  cwd: string;
  bytes: number;
  isWhole: boolean;
  missing: Missing | undefined;
  asked: readonly string[];
  /** Only functions that others of them call, the nearest first. */
  isInside?: boolean;
}

/** Those that were asked for first, in the order in which they were named. As many as have room. */
export function ranInAll(events: readonly LineEvent[], about: About): string[] {
  const { cwd, bytes, isWhole, missing, asked, isInside = false } = about;
  const turn = (one: Recorded) => {
    const at = asked.findIndex((name) => isFunction(one.function, name));
    return at < 0 ? asked.length : at;
  };
  const recorded = recordedIn(events, missing);
  const all = isInside
    ? recorded.filter(({ depth }) => depth > 0).sort((one, other) => one.depth - other.depth)
    : recorded.sort((one, other) => turn(one) - turn(other));
  if (all.length === 0) return [];
  const size = (told: readonly string[]) => told.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  for (const how of DETAILS) {
    const told = [
      head(about, { ...how, unrun: how.unrun && all.some(hasStatements) }),
      ...all.flatMap((one) => functionLines(one, all, { cwd, isWhole, ...how })),
    ];
    if (size(told) <= bytes) return told;
  }
  const told = [head(about, BARE)];
  for (const [at, one] of all.entries()) {
    const own = functionLines(one, all, { cwd, isWhole, ...BARE });
    if (size(told) + size(own) > bytes - MORE)
      return at === 0 ? [] : [...told, `  … and ${plural(all.length - at, "more function")}`];
    told.push(...own);
  }
  return told;
}

/** Bytes of the line that says how many are left out. */
const MORE = 40;

/** In the order in which they were first called. */
function recordedIn(events: readonly LineEvent[], missing: Missing | undefined): Recorded[] {
  const all = new Map<string, Recorded>();
  /** By call: the line that ran last, which made what the next event tells as changed. */
  const last = new Map<number, Ran>();
  const depths = new Map<number, number>();
  const watch = gapWatch(missing, () => last.clear());
  for (const event of events) {
    watch(event);
    const { kind, call, path, function: name, line, changes } = event;
    const key = `${path}\0${name}`;
    const one = all.get(key) ?? { path, function: name, calls: 0, depth: ALL, lines: new Map<number, Ran>() };
    all.set(key, one);
    if (kind === "call") {
      one.calls++;
      depths.set(call, event.parent === undefined ? 0 : (depths.get(event.parent) ?? 0) + 1);
      one.depth = Math.min(one.depth, depths.get(call) ?? 0);
      continue;
    }
    const before = last.get(call);
    const changed = changes.map(([what, value]) => `${oneLine(what)} = ${oneLine(value)}`).join(", ");
    if (before !== undefined && changed !== "") before.changed = changed;
    if (kind !== "line") continue;
    const ran = one.lines.get(line) ?? { times: 0, changed: "" };
    ran.times++;
    one.lines.set(line, ran);
    last.set(call, ran);
  }
  return [...all.values()].filter(({ lines }) => lines.size > 0);
}

function functionLines(
  one: Recorded,
  all: readonly Recorded[],
  { cwd, isWhole, changed: most, unrun }: Detail & { cwd: string; isWhole: boolean },
): string[] {
  const { path, function: name, calls, lines } = one;
  const source = fileLines(path) ?? [];
  const ran = [...lines.keys()].sort((a, b) => a - b);
  const numbers = unrun ? [...ran, ...skipped(one, source, all)].sort((a, b) => a - b) : ran;
  const width = String(numbers.at(-1) ?? 0).length;
  const shown = numbers.flatMap((line) => {
    const { text, most: room } = statementText(wholeStatement(path, source, line), CODE);
    // The bracket that ends a function says nothing.
    if (/^[})\];]*$/.test(text) && source.length > 0) return [];
    const { times, changed } = lines.get(line) ?? { times: 0, changed: "" };
    const said = most === 0 ? "" : cut(changed, most);
    const parts = [
      `${String(line).padStart(width)} | ${cut(oneLine(text), room)}`,
      times === 0 ? "–" : `×${times}`,
      said,
    ];
    return [`    ${parts.filter((part) => part !== "").join("  ")}`];
  });
  return [
    `  ${oneLine(name)}  ${shortPath(path, cwd)}  ${isWhole ? "" : "at least "}${plural(calls, "call")}`,
    ...shown,
  ];
}

function hasStatements({ path }: Recorded): boolean {
  return statementsOf(path, fileLines(path) ?? []) !== undefined;
}

/** Statements of the same functions, between the first line that ran and the last, of which no line was recorded in any function. */
function skipped({ path, lines }: Recorded, source: readonly string[], all: readonly Recorded[]): number[] {
  const ran = [...lines.keys()];
  const [first, last] = [Math.min(...ran), Math.max(...ran)];
  const recorded = all.filter((one) => one.path === path).flatMap((one) => [...one.lines.keys()]);
  const has = (one: { first: number; last: number }, of: readonly number[]) =>
    of.some((line) => line >= one.first && line <= one.last);
  const known = statementsOf(path, source) ?? [];
  const around = new Set(known.filter((one) => has(one, ran)).map(({ within }) => within));
  return known
    .filter((one) => one.first > first && one.first < last && around.has(one.within) && !has(one, recorded))
    .filter(({ code }) => STATEMENT.test(code))
    .map((one) => one.first);
}

const STATEMENT = /[=(]|\b(?:return|continue|break|raise|yield)\b/;
