/** Which of the user's functions ran, as a table: the most time first. Pure. */

import { advice, blank, call } from "../../advice/advice.ts";
import type { CalledFunction } from "../../trace/call-counts.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { shortPath, type TextOptions } from "../answers/text.ts";
import { runAgain } from "../runs/running.ts";

/** One screen. */
const ROWS = 30;
const MOST_CALLERS = 3;
const NAME = 40;
const PLACE = 40;

export interface CountsText {
  lines: string[];
  /** Functions that are not shown. */
  hidden: number;
}

export function countsText(
  functions: readonly CalledFunction[],
  { whole, bytes, ran, ...options }: TextOptions & { whole: boolean; bytes: number; ran: TraceRecord["ran"] },
): CountsText {
  const own = functions.filter((one) => !isModule(one));
  if (own.length === 0) return { lines: ["no function of yours was called"], hidden: 0 };
  const total = functions.reduce((sum, one) => sum + one.ownMs, 0);
  const foot = [...moduleLine(functions, total), ...leadLine(ran, options)];
  const most = whole ? own.length : ROWS;
  for (let rows = Math.min(most, own.length); rows > 0; rows--) {
    const lines = [
      ...table(own.slice(0, rows), total, options),
      ...(rows < own.length ? [`  … ${plural(own.length - rows, "more function")}, with less time`] : []),
      ...foot,
    ];
    if (sizeOf(lines) <= bytes || rows === 1) return { lines, hidden: own.length - rows };
  }
  return { lines: foot, hidden: own.length };
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

const isModule = ({ function: name }: { function?: string | undefined }) => name === "<module>";

function table(functions: readonly CalledFunction[], total: number, { cwd }: TextOptions): string[] {
  const head = ["calls", "own", "whole", "function", "at", "called by"];
  const rows = functions.map((one) => [
    String(one.count),
    share(one.ownMs, total),
    share(one.wholeMs, total),
    cut(oneLine(one.function), NAME),
    ended(`${shortPath(one.path, cwd)}:${one.line}`),
    callersText(one),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const aligned = (row: readonly string[]) =>
    row.map((cell, at) => (at < 3 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)));
  return [head, ...rows].map((row) => `  ${aligned(row).join("  ")}`.trimEnd());
}

/** The end of a path says more than its beginning. */
function ended(place: string): string {
  return place.length > PLACE ? `…${place.slice(1 - PLACE)}` : place;
}

function share(ms: number, total: number): string {
  return total === 0 ? "-" : `${Math.min(100, (100 * ms) / total).toFixed(1)}%`;
}

/** `main 4998, retry 2 (+3)` */
function callersText({ callers, count }: CalledFunction): string {
  const named = callers.map(({ function: name, path, line, count: times }) => {
    const who = name === undefined ? "(outside)" : isModule({ function: name }) ? fileOf(path, line) : name;
    return callers.length === 1 && times === count ? who : `${who} ${times}`;
  });
  const more = named.length - MOST_CALLERS;
  return oneLine(`${named.slice(0, MOST_CALLERS).join(", ")}${more > 0 ? ` (+${more})` : ""}`);
}

function fileOf(path: string | undefined, line: number | undefined): string {
  return path === undefined ? `line ${line ?? 0}` : (path.split("/").at(-1) ?? path);
}

/** Python tells of the time that files take to load. */
function moduleLine(functions: readonly CalledFunction[], total: number): string[] {
  const own = functions.filter(isModule).reduce((sum, one) => sum + one.ownMs, 0);
  return own > total / 100 ? [`  ${share(own, total)} was code outside functions`] : [];
}

function leadLine(ran: TraceRecord["ran"], { say }: TextOptions): string[] {
  const { pid: _none, ...run } = runAgain(ran);
  const next = call("trace", { function: [blank("name")], ...run });
  return ["", oneLine(say(advice`one of them line by line: ${next}`))];
}
