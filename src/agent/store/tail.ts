/** The end of a log that its writer may have left in the middle of a line. */
import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import type { AgentEvent } from "../events.ts";
import { isObject } from "./record.ts";

const CHUNK = 1 << 16;
const NEWLINE = 10;

export interface Tail {
  /** Bytes, after the repair. */
  size: number;
  /** The last event that has a number. */
  last?: AgentEvent;
}

/** Removes what follows the last whole line; a line that lacks only its end gets it. `file`: open for reading, and for writing at its end. */
export function repairTail(file: number): Tail {
  let { size } = fstatSync(file);
  const lines = linesFromEnd(file, size);
  const torn = lines.next();
  if (!torn.done && torn.value.text.length > 0) {
    const event = parseEvent(torn.value.text.toString("utf8"));
    if (event === undefined) {
      size = torn.value.start;
      ftruncateSync(file, size);
    } else {
      size += writeSync(file, "\n");
      if (event.seq !== undefined) return { size, last: event };
    }
  }
  for (const { text } of lines) {
    const event = parseEvent(text.toString("utf8"));
    if (event?.seq !== undefined) return { size, last: event };
  }
  return { size };
}

/** Undefined for what is no event. */
export function parseEvent(line: string): AgentEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isObject(value) && typeof value.type === "string" ? (value as unknown as AgentEvent) : undefined;
}

/** The last first, without their newlines; the first of all is what stands after the last newline. */
export function* linesFromEnd(file: number, size: number): Generator<{ start: number; text: Buffer }> {
  let parts: Buffer[] = [];
  let at = size;
  while (at > 0) {
    const length = Math.min(CHUNK, at);
    const chunk = Buffer.allocUnsafe(length);
    const count = readSync(file, chunk, 0, length, at - length);
    at -= length;
    let end = count;
    for (let newline = lastNewline(chunk, end); newline !== -1; newline = lastNewline(chunk, end)) {
      parts.unshift(chunk.subarray(newline + 1, end));
      yield { start: at + newline + 1, text: Buffer.concat(parts) };
      parts = [];
      end = newline;
    }
    parts.unshift(chunk.subarray(0, end));
  }
  yield { start: 0, text: Buffer.concat(parts) };
}

function lastNewline(chunk: Buffer, before: number): number {
  return before === 0 ? -1 : chunk.lastIndexOf(NEWLINE, before - 1);
}
