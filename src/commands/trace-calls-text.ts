/** Recorded calls as an indented report: arguments, each line with what it changed, loops by their first and last rounds. Pure. */

import { fileLines } from "../session/source.ts";
import { type Call, callTree, type Loop, type RanLine, type Step } from "../trace/call-tree.ts";
import type { LineEvent, TraceRecord } from "../trace/record.ts";
import { cut, oneLine, plural } from "../util/text.ts";
import { shortPath, type TextOptions } from "./text.ts";

/** Rounds, and calls, that are shown of many: from each end. */
const ENDS = 2;
const CODE_WIDTH = 44;

interface Style extends TextOptions {
  whole: boolean;
}

export function callsText({ hits }: Pick<TraceRecord, "hits">, style: Style): string[] {
  const events = hits.filter((hit): hit is LineEvent => hit.kind !== "point");
  const calls = callTree(events);
  if (calls.length === 0) return ["the record holds no call from its beginning"];
  return ways(calls, style).flatMap((one) =>
    typeof one === "number"
      ? [`… ${plural(one, "more call")} that went one of these ways`]
      : callLines(one, "", style),
  );
}

/** Ways through a function that are shown. */
const WAYS = 4;

/** Of many calls: the first of each way that was taken, and the last call. */
function ways(calls: readonly Call[], { whole }: Style): (Call | number)[] {
  if (whole || calls.length <= 2 * ENDS + 1) return [...calls];
  const firsts = new Map<string, Call>();
  for (const call of calls) {
    const way = wayOf(call);
    if (!firsts.has(way) && firsts.size < WAYS) firsts.set(way, call);
  }
  const chosen = new Set([...firsts.values(), calls.at(-1)]);
  const shown: (Call | number)[] = [];
  let skipped = 0;
  for (const call of calls) {
    if (chosen.has(call)) {
      if (skipped > 0) shown.push(skipped);
      shown.push(call);
      skipped = 0;
    } else skipped++;
  }
  return shown;
}

/** The lines that ran, however often, and how it ended. */
function wayOf({ steps, ended }: Call): string {
  const numbers = (all: readonly Step[]): number[] =>
    all.flatMap((step) => (step.kind === "line" ? [step.line] : numbers(step.rounds.flat())));
  return `${[...new Set(numbers(steps))].sort((a, b) => a - b).join(" ")} ${ended?.how ?? ""}`;
}

/** The first and the last, and how many are between. */
function some<T>(all: readonly T[], { whole }: Style): (T | number)[] {
  if (whole || all.length <= 2 * ENDS + 1) return [...all];
  return [...all.slice(0, ENDS), all.length - 2 * ENDS, ...all.slice(-ENDS)];
}

function callLines(call: Call, indent: string, style: Style): string[] {
  const given = call.arguments.map(([name, value]) => `${name}=${value}`).join(", ");
  const head = `${indent}${oneLine(`${call.function}(${cut(given, 160)})`)}  ${shortPath(call.path, style.cwd)}:${call.line}`;
  const source = fileLines(call.path) ?? [];
  const body = call.steps.flatMap((step) => stepLines(step, `${indent}  `, source, style));
  return [head, ...body, `${indent}  ${endLine(call)}`];
}

function endLine({ ended }: Call): string {
  if (ended === undefined) return "… (the record ends here)";
  const value = ended.value === undefined ? "" : ` ${oneLine(ended.value)}`;
  return ended.how === "return"
    ? `returned${value}`
    : `threw${value}${ended.line > 0 ? ` at line ${ended.line}` : ""}`;
}

function stepLines(step: Step, indent: string, source: readonly string[], style: Style): string[] {
  return step.kind === "loop"
    ? loopLines(step, indent, source, style)
    : ranLines(step, indent, source, style);
}

function ranLines(ran: RanLine, indent: string, source: readonly string[], style: Style): string[] {
  const text = oneLine((source[ran.line - 1] ?? "").trim());
  const changed = [
    ...ran.changes.map(([name, value]) => `${name} = ${value}`),
    ...(style.whole ? ran.gone.map((name) => `${name} gone`) : []),
  ].join("  ");
  const line = `${indent}${String(ran.line).padStart(4)} | ${changed === "" ? cut(text, 2 * CODE_WIDTH) : `${cut(text, CODE_WIDTH).padEnd(CODE_WIDTH)}  ${oneLine(changed)}`}`;
  const calls = some(ran.calls, style).flatMap((one) =>
    typeof one === "number"
      ? [`${indent}      … ${plural(one, "more call")}`]
      : callLines(one, `${indent}      `, style),
  );
  return [line, ...calls];
}

/** A condition over several lines jumps back too; a loop says what it is on its first line, or ends with it. */
const LOOPS = /\b(for|while|do|loop|until|repeat|foreach|each|map|goto|range)\b/i;

function isLoop({ first, last }: Loop, source: readonly string[]): boolean {
  return [first - 1, first, last].some((line) => LOOPS.test(source[line - 1] ?? ""));
}

function loopLines(loop: Loop, indent: string, source: readonly string[], style: Style): string[] {
  if (!isLoop(loop, source))
    return loop.rounds.flatMap((round) => round.flatMap((step) => stepLines(step, indent, source, style)));
  // The last visit to the head is the test that ends the loop.
  const rounds = loop.rounds.length;
  const shown = some(loop.rounds, style);
  let number = 0;
  const body = shown.flatMap((one) => {
    if (typeof one === "number") {
      number += one;
      return [`${indent}  … ${plural(one, "more round")}`];
    }
    number++;
    const steps = one.flatMap((step) => stepLines(step, `${indent}  `, source, style));
    return rounds > 3 ? [`${indent}  round ${number}`, ...steps] : steps;
  });
  const span = loop.first === loop.last ? `line ${loop.first}` : `lines ${loop.first}-${loop.last}`;
  return [`${indent}loop, ${span}: its head ran ${rounds} times`, ...body];
}
