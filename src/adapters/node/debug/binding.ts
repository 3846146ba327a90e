/** Where a line breakpoint goes and what became of it, in words. Pure. */
import type { Point } from "./source-map.ts";

/** `lines 4, 9 and 12`, the nearest to the line asked for; 0-based in, 1-based out. */
export function nearestLines(lines: number[], line: number, count = 3): string {
  const near = [...lines].sort((a, b) => Math.abs(a - line) - Math.abs(b - line)).slice(0, count);
  const shown = near.sort((a, b) => a - b).map((one) => one + 1);
  if (shown.length === 0) return "the file has no code";
  if (shown.length === 1) return `the nearest line with code is ${shown[0]}`;
  return `the nearest lines with code are ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

export function noCodeMessage(line: number, lines: number[]): string {
  return `no code at or after line ${line + 1}; ${nearestLines(lines, line)}`;
}

export function movedMessage(asked: number, bound: number): string | undefined {
  return asked === bound ? undefined : `line ${asked + 1} has no code; bound to line ${bound + 1}`;
}

/** V8 made nothing of the function that holds the line. */
export function unmadeMessage(asked: number, bound: number): string {
  const reason = `nothing can call the function around line ${bound + 1}: it will not be hit`;
  return [movedMessage(asked, bound) ?? [], reason].flat().join("; ");
}

/**
 * Where to put a breakpoint among the places V8 knows: on the line asked for, first or nearest to the column; else on the next line
 * that has any. V8 by itself looks only in the function around the beginning of the line: it passes over functions that are
 * written on that line, and goes back to an earlier `return` when the function has nothing more.
 */
export function targetOf({ line, column = 0 }: Asked, places: Point[]): Point | undefined {
  const here = places.filter((place) => place.line === line);
  if (here.length > 0) return nearestTo(column, here);
  const after = places.filter((place) => place.line > line);
  const next = after.reduce((least, place) => Math.min(least, place.line), Number.POSITIVE_INFINITY);
  const there = after.filter((place) => place.line === next);
  return there.length === 0 ? undefined : nearestTo(0, there);
}

function nearestTo(column: number, places: Point[]): Point | undefined {
  const away = (place: Point) => Math.abs(place.column - column);
  return places.reduce((best, place) => (away(place) < away(best) ? place : best));
}

export interface Asked {
  line: number;
  column?: number;
}

/** What to say of a file that is not loaded: where V8 will put the breakpoint, only V8 knows. */
export function pendingMessage(line: number, holdsNothing: boolean): string {
  const note = holdsNothing ? `; line ${line + 1} has no code; it will bind to the next line that has` : "";
  return `pending: not loaded yet${note}`;
}
