/** Finding an event by its number in a log of any size, with a few reads. */
import { closeSync, fstatSync, readSync } from "node:fs";
import { openPlain } from "./plain-file.ts";
import { parseEvent } from "./tail.ts";

/** Below this, reading on costs less than another look. */
const NEAR = 1 << 16;
const CHUNK = 1 << 16;
/** A line that is longer ends the search; what is before it is read. */
const LONGEST_SEARCHED = 1 << 22;
const NEWLINE = 10;

/** Where a line begins that comes before the first event with a higher number, and not far. 0 where nothing is known. */
export function offsetBefore(path: string, seq: number): number {
  const file = openPlain(path);
  try {
    let low = 0;
    let high = fstatSync(file).size;
    while (high - low > NEAR) {
      const middle = low + Math.floor((high - low) / 2);
      const line = lineAfter(file, middle, high);
      const found = line === undefined ? undefined : parseEvent(line.text)?.seq;
      if (line !== undefined && found !== undefined && found <= seq) low = line.start;
      else high = middle;
    }
    return low;
  } finally {
    closeSync(file);
  }
}

/** The first whole line that begins after `at`. */
function lineAfter(file: number, at: number, before: number): { start: number; text: string } | undefined {
  const parts: Buffer[] = [];
  let start: number | undefined;
  for (let from = at; from < Math.min(before, at + LONGEST_SEARCHED); from += CHUNK) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let bytes = chunk.subarray(0, readSync(file, chunk, 0, CHUNK, from));
    if (bytes.length === 0) return undefined;
    if (start === undefined) {
      const newline = bytes.indexOf(NEWLINE);
      if (newline === -1) continue;
      start = from + newline + 1;
      bytes = bytes.subarray(newline + 1);
    }
    const end = bytes.indexOf(NEWLINE);
    parts.push(end === -1 ? bytes : bytes.subarray(0, end));
    if (end !== -1) return { start, text: Buffer.concat(parts).toString("utf8") };
  }
  return undefined;
}
