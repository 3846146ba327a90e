/** Recorded calls as an indented report: arguments, each line with what it changed, loops by their first and last rounds. Pure. */

import { advice, call } from "../../advice/advice.ts";
import { fileLines } from "../../session/stack/source.ts";
import { type Call, callTree, insideOf, type Loop, type RanLine, type Step } from "../../trace/call-tree.ts";
import {
  type Choice,
  chosen,
  type Gap,
  type Kind,
  kindOfCall,
  kindOfRound,
  withGaps,
} from "../../trace/kinds.ts";
import { type Missing, missingIn } from "../../trace/missing.ts";
import type { LineEvent, TraceRecord } from "../../trace/record.ts";
import { statementText, wholeStatement } from "../../trace/whole-statement.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { shortPath, type TextOptions } from "../answers/text.ts";
import { runAgain } from "../runs/running.ts";
import { ranInAll } from "./ran-lines.ts";

/** How much is shown of many rounds and calls: less and less until it fits. */
interface Extent {
  rounds: Choice;
  calls: Choice;
  /** Levels of calls inside those shown that are shown line by line too; each of the others is one line. */
  levels: number;
}

const CALLS: Choice = { first: 1, last: 1, others: 3 };
const ALL = Number.POSITIVE_INFINITY;
const ROUNDS: Choice = { first: 2, last: 2, others: 4 };
const EXTENTS: readonly Extent[] = [
  { rounds: ROUNDS, calls: CALLS, levels: ALL },
  { rounds: ROUNDS, calls: CALLS, levels: 2 },
  { rounds: ROUNDS, calls: CALLS, levels: 1 },
  { rounds: ROUNDS, calls: CALLS, levels: 0 },
  { rounds: { first: 1, last: 2, others: 3 }, calls: CALLS, levels: 0 },
  { rounds: { first: 1, last: 1, others: 2 }, calls: { ...CALLS, others: 2 }, levels: 0 },
  { rounds: { first: 1, last: 1, others: 1 }, calls: { ...CALLS, others: 1 }, levels: 0 },
];
const EVERY: Choice = { first: ALL, last: 0, others: 0 };
const WHOLE: readonly Extent[] = [ALL, 3, 2, 1, 0].map((levels) => ({ rounds: EVERY, calls: EVERY, levels }));
/** So few are all shown. */
const FEW = 5;
const CODE_WIDTH = 44;
/** Characters of what a call was given, and the least of them for each argument: its name must be seen. */
const GIVEN = 160;
const LEAST = 16;
/** Of a call on one line: what it was given, and its result. */
const BRIEF = 80;
/** Calls within calls that are shown line by line; recursion may go thousands of levels deep. */
const LEVELS = 24;
/** More to the right with each call. */
const STEP = 8;

interface Asked extends TextOptions {
  whole: boolean;
  /** That it may take. */
  bytes: number;
  /** Stands where something was left out of the middle because all of it is too long. */
  cut: string;
}

interface Style extends Asked, Extent {
  /** Of the whole record; with several, each outermost call says its own. */
  threads: number;
  /** Set when something is left out that could be shown; cut: lines of calls, not only parts of long values. */
  left: { out: boolean; cut: boolean };
}

interface Source {
  path: string;
  lines: readonly string[];
}

export interface CallsText {
  lines: string[];
  /** Something was left out. */
  more: boolean;
}

export function callsText(
  {
    hits,
    plan,
    seen,
    dropped,
    ran: command,
  }: Pick<TraceRecord, "hits" | "plan" | "ran" | "seen" | "dropped">,
  asked: Asked,
): CallsText {
  const events = hits.filter((hit): hit is LineEvent => hit.kind !== "point");
  const missing = missingIn({ seen, plan });
  const long = longText(events, { plan, ran: command }, asked);
  const text = extentText(events, missing, { ...asked, bytes: asked.bytes - sizeOf(long) });
  if (asked.whole || !text.isCut) return { lines: [...text.lines, ...long], more: text.more };
  const about = { cwd: asked.cwd, isWhole: dropped === 0, missing, asked: plan.lines?.functions ?? [] };
  if (sizeOf(text.lines) <= SHORT) {
    // What is inside the calls that are shown on one line each has the rest of the room.
    const bytes = Math.min(SHORT, asked.bytes - sizeOf(long) - sizeOf(text.lines));
    const inside = ranInAll(events, { ...about, bytes, isInside: true });
    return { lines: [...text.lines, ...inside, ...long], more: text.more };
  }
  const ran = ranInAll(events, { ...about, bytes: Math.min(SHORT, asked.bytes / 2) });
  const { lines } = extentText(events, missing, {
    ...asked,
    bytes: asked.bytes - sizeOf(long) - sizeOf(ran),
  });
  return { lines: [...ran, ...lines, ...long], more: true };
}

/** What is read at a glance. */
const SHORT = 1600;

/** A value of which the record has only a part: a change in the rest is not seen; how to see another part of the first such. */
function longText(
  events: readonly LineEvent[],
  { plan, ran }: { plan: TraceRecord["plan"]; ran: TraceRecord["ran"] },
  { cwd, say }: TextOptions,
): string[] {
  const chars = plan.valueChars;
  const isCut = (value: string) => value.length >= chars && value.endsWith("…");
  for (const { kind, call: of, path, line, changes } of events) {
    const [name, value = ""] = changes.find(([, one]) => isCut(one) || DEBUGGERS_CUT.test(one)) ?? [];
    if (name === undefined) continue;
    // What a call was given is there from its first line on.
    const place =
      kind === "line"
        ? line
        : events.find((other) => other.kind === "line" && other.call === of && other.path === path)?.line;
    if (place === undefined) continue;
    const part = `<part of ${oneLine(name)}>`;
    const at = [`${shortPath(path, cwd)}:${place}=${part}`];
    const asked = say(advice`${call("trace", { at, ...runAgain(ran) })}`);
    return [
      isCut(value)
        ? `only ${chars} characters of a value are recorded: ${asked} records a part of ${oneLine(name)}`
        : `${oneLine(name)} is recorded only in part (\`...\`), so a change in the rest of it is not seen: ${asked} records a part of it`,
    ];
  }
  return [];
}

/** Native debuggers leave out members of a large structure; `name:{1, 2, …}` is an array of one. */
const DEBUGGERS_CUT = /, \.\.\.\}|:\{[^{}]*, …\}/;

function extentText(
  events: readonly LineEvent[],
  missing: Missing | undefined,
  asked: Asked,
): CallsText & { isCut: boolean } {
  const calls = callTree(events, missing);
  if (calls.length === 0)
    return { lines: ["no call was recorded from its start"], more: false, isCut: false };
  const threads = new Set(calls.map(({ thread }) => thread)).size;
  let text = { lines: [] as string[], more: false, isCut: false };
  for (const extent of asked.whole ? WHOLE : EXTENTS) {
    const style: Style = { ...asked, ...extent, threads, left: { out: false, cut: false } };
    const lines = outermost(calls, missing, style);
    text = { lines, more: style.left.out, isCut: style.left.cut };
    if (sizeOf(lines) <= asked.bytes) return text;
  }
  return { lines: withoutMiddle(text.lines, asked), more: true, isCut: true };
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** How a call ended says as much as how it began. */
function withoutMiddle(lines: readonly string[], { bytes, cut: sign }: Asked): string[] {
  const room = bytes - Buffer.byteLength(sign) - 1;
  const end = fitting([...lines].reverse(), room / 3).reverse();
  const begin = fitting(lines, room - sizeOf(end));
  return [...begin, sign, ...end];
}

function fitting(lines: readonly string[], bytes: number): string[] {
  let left = bytes;
  const over = lines.findIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return lines.slice(0, over < 0 ? lines.length : over);
}

/** A gap between them is shown where it is, unless it is inside one of them. */
function outermost(calls: readonly Call[], missing: Missing | undefined, style: Style): string[] {
  const show = (call: Call) => callLines(call, "", style);
  const isInside = calls.some(({ steps }) => steps.some((one) => one.kind === "line" && one.missing));
  if (missing === undefined || isInside) return someCalls(calls, "", style, show);
  const before = calls.filter(({ isAfter }) => isAfter !== true);
  const after = calls.slice(before.length);
  return [
    ...someCalls(before, "", style, show),
    gapText(missing.count),
    ...someCalls(after, "", style, show, before.length),
  ];
}

const gapText = (count: number) => `… gap: ${plural(count, "event")} not kept, so what ran here is not known`;

/** `first`: how many were before them. */
function someCalls(
  calls: readonly Call[],
  indent: string,
  style: Style,
  show: (call: Call) => string[],
  first = 0,
): string[] {
  if (calls.length <= FEW) return calls.flatMap(show);
  const kinds = calls.map(kindOfCall);
  return withGaps(kinds, chosen(kinds, style.calls)).flatMap((one) => {
    if (typeof one === "number") return calls.slice(one, one + 1).flatMap(show);
    style.left.out = style.left.cut = true;
    const gap = { ...one, from: one.from + first, to: one.to + first };
    return [`${indent}… ${foldedText(calls.slice(one.from - 1, one.to), gap)}`];
  });
}

/** What is said of folded calls is what was compared: the lines that ran and the names of what changed, never values. */
function foldedText(calls: readonly Call[], gap: Gap): string {
  const { unlike, otherLines } = gap;
  const counts = new Map<string, number>();
  for (const { function: name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[first] = [""]] = counts;
  const many = plural(calls.length, "more call");
  const which = [...counts].map(([name, count]) => `${count} of ${name}`).join(", ");
  const head =
    counts.size === 1 ? `${many} of ${first} (${rangeOf(gap)})` : `${many} (${rangeOf(gap)}: ${which})`;
  const otherChanges = unlike - otherLines;
  const said = [
    ...(otherLines > 0 ? [`${otherLines} ran other lines than those shown`] : []),
    ...(otherChanges > 0 ? [`${otherChanges} ran the same lines but changed other variables on them`] : []),
  ];
  return `${oneLine(head)}: ${said.length > 0 ? said.join(", ") : "the same lines ran as in one that is shown; values may differ"}`;
}

const rangeOf = ({ from, to }: Gap) => (from === to ? String(from) : `${from}..${to}`);

function callLines(call: Call, indent: string, style: Style): string[] {
  const given = givenTo(call, style.whole ? Number.POSITIVE_INFINITY : GIVEN, style);
  const head = `${indent}${oneLine(`${call.function}(${given})`)}  ${shortPath(call.path, style.cwd)}:${call.line}`;
  const source = { path: call.path, lines: fileLines(call.path) ?? [] };
  const body = call.steps.flatMap((step) => stepLines(step, `${indent}  `, source, style));
  const where = indent === "" && style.threads > 1 ? `  · ${oneLine(call.thread)}` : "";
  return [head + where, ...body, `${indent}  ${endLine(call)}`];
}

/** What its object holds comes last: that may be long. Short ones are whole, long ones have the rest of the room in equal parts. */
function givenTo({ arguments: all }: Call, room: number, { left }: Style): string {
  const isHeld = ([name]: [string, string]) => name.includes(".");
  const ordered = [...all.filter((one) => !isHeld(one)), ...all.filter(isHeld)];
  const words = ordered.map(([name, value]) => `${name}=${value}`);
  const longest = shareOf(
    words.map((one) => one.length + ", ".length),
    room,
  );
  if (words.some((one) => one.length > longest)) left.out = true;
  return cut(words.map((one) => cut(one, longest)).join(", "), 2 * room);
}

function shareOf(lengths: readonly number[], room: number): number {
  let rest = room;
  for (const [at, length] of [...lengths].sort((a, b) => a - b).entries()) {
    const share = Math.floor(rest / (lengths.length - at));
    if (length > share) return Math.max(LEAST, share - ", ".length);
    rest -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function briefLine(call: Call, indent: string, style: Style): string {
  const given = givenTo(call, BRIEF, style);
  const value = oneLine(cut(call.ended?.value ?? "", BRIEF));
  const end = call.ended === undefined ? "…" : call.ended.how === "return" ? `→ ${value}` : `threw ${value}`;
  style.left.out = style.left.cut = true;
  return `${indent}${oneLine(`${call.function}(${given})`)} ${end}`.trimEnd();
}

function endLine({ ended, steps }: Call): string {
  const last = steps.at(-1);
  if (ended === undefined)
    return last?.kind === "line" && last.missing !== undefined
      ? "… (its end was not kept)"
      : "… (the record ends here)";
  const value = ended.value === undefined ? "" : ` ${oneLine(ended.value)}`;
  return ended.how === "return"
    ? `returned${value}`
    : `threw${value}${ended.line > 0 ? ` at line ${ended.line}` : ""}`;
}

function stepLines(step: Step, indent: string, source: Source, style: Style): string[] {
  return step.kind === "loop"
    ? loopLines(step, indent, source, style)
    : ranLines(step, indent, source, style);
}

function ranLines(ran: RanLine, indent: string, source: Source, style: Style): string[] {
  const { text, most } = statementText(wholeStatement(source.path, source.lines, ran.line), CODE_WIDTH);
  const changed = ran.changes.map(([name, value]) => `${name} = ${value}`).join("  ");
  if (ran.missing !== undefined) {
    const then = changed === "" ? "" : `; then ${oneLine(changed)}`;
    const made = someCalls(ran.calls, `${indent}      `, style, (call) => [
      briefLine(call, `${indent}      `, style),
    ]);
    return [`${indent}${gapText(ran.missing)}${then}`, ...made];
  }
  const line = `${indent}${String(ran.line).padStart(4)} | ${changed === "" ? cut(oneLine(text), Math.max(most, 2 * CODE_WIDTH)) : `${cut(oneLine(text), most).padEnd(CODE_WIDTH)}  ${oneLine(changed)}`}`;
  const deeper = `${indent}      `;
  const level = Math.floor(deeper.length / STEP);
  const calls = someCalls(ran.calls, deeper, style, (call) => {
    if (level >= LEVELS) return [`${briefLine(call, deeper, style)}${insideText(call, style)}`];
    return level > style.levels ? [briefLine(call, deeper, style)] : callLines(call, deeper, style);
  });
  return [line, ...calls];
}

/** What is left out of a call that lies too deep. */
function insideText(call: Call, style: Style): string {
  const { count, levels, deepest } = insideOf(call);
  if (count === 0) return "";
  const farthest = briefLine(deepest, "", style);
  return `  (${plural(count, "more call")} inside it, ${plural(levels, "level")} deeper; the deepest: ${farthest})`;
}

/** A condition over several lines jumps back too; a loop says what it is on its first line, or ends with it. */
const LOOPS = /\b(for|while|do|loop|until|repeat|foreach|each|map|goto|range)\b/i;

function isLoop({ first, last }: Loop, { lines }: Source): boolean {
  return [first - 1, first, last].some((line) => LOOPS.test(lines[line - 1] ?? ""));
}

function loopLines(loop: Loop, indent: string, source: Source, style: Style): string[] {
  if (!isLoop(loop, source))
    return loop.rounds.flatMap((round) => round.flatMap((step) => stepLines(step, indent, source, style)));
  // The last visit to the head is the test that ends the loop.
  const rounds = loop.rounds.length;
  const kinds = loop.rounds.map(kindOfRound);
  const span = loop.first === loop.last ? `line ${loop.first}` : `lines ${loop.first}-${loop.last}`;
  const head = `${indent}loop, ${span}: its head ran ${loop.part === undefined ? "" : "at least "}${rounds} times`;
  const some = rounds <= FEW ? new Set(kinds.keys()) : chosen(kinds, style.rounds);
  const shown = style.whole ? some : withoutCopies(loop.rounds, kinds, some);
  if (shown.size === 1 && loop.rounds.every(isBare)) {
    const [one = []] = loop.rounds;
    const steps = one.flatMap((step) => stepLines(step, `${indent}  `, source, style));
    return [`${head}, the same each time, and no variable changed`, ...steps];
  }
  const body = withGaps(kinds, shown).flatMap((one) => {
    if (typeof one === "object") {
      if (!loop.rounds.slice(one.from - 1, one.to).every(isBare)) style.left.out = style.left.cut = true;
      return [`${indent}  … ${plural(one.to - one.from + 1, "more round")}${likeText(one)}`];
    }
    const steps = (loop.rounds[one] ?? []).flatMap((step) => stepLines(step, `${indent}  `, source, style));
    const after = loop.part === "after" ? " after the gap" : "";
    return rounds > 3 ? [`${indent}  round ${one + 1}${after}`, ...steps] : steps;
  });
  return [head, ...body];
}

/** Nothing to see but which lines ran. */
function isBare(round: readonly Step[]): boolean {
  return round.every((step) => step.kind === "line" && step.changes.length === 0 && step.calls.length === 0);
}

/** A round with nothing to see says it once. */
function withoutCopies(
  rounds: Loop["rounds"],
  kinds: readonly Kind[],
  shown: ReadonlySet<number>,
): Set<number> {
  const told = new Set<string>();
  const isCopy = (at: number) => {
    const kind = kinds[at]?.whole ?? "";
    const isKnown = told.has(kind);
    told.add(kind);
    return isKnown && isBare(rounds[at] ?? []);
  };
  return new Set([...shown].sort((a, b) => a - b).filter((at) => !isCopy(at)));
}

/** Whether what is left out is as something that is shown. */
function likeText({ from, to, like, unlike }: Gap): string {
  if (unlike > 0) return from === to ? ", unlike those shown" : `, ${unlike} of them unlike those shown`;
  return like.length === 1
    ? ` like round ${like[0]}`
    : ` like rounds ${like.sort((a, b) => a - b).join(", ")}`;
}
