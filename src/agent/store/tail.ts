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

/** Undefined for what is no event. What a stranger wrote has the kinds that it should have, or is left out. */
export function parseEvent(line: string): AgentEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value.type !== "string") return undefined;
  return isEvent(value) ? value : madeWhole(value.type, value);
}

/** Most are: they are not copied. */
function isEvent(value: object): value is AgentEvent {
  const { timestamp, sessionId, seq, at, data } = value as Record<keyof AgentEvent, unknown>;
  return (
    typeof timestamp === "string" &&
    typeof sessionId === "string" &&
    isObject(data) &&
    (seq === undefined || Number.isFinite(seq)) &&
    (at === undefined || Number.isFinite(at))
  );
}

/** Without what is not of the right kind. */
function madeWhole(type: string, value: Record<string, unknown>): AgentEvent {
  const { timestamp, sessionId, seq, at, data } = value;
  return {
    type,
    timestamp: typeof timestamp === "string" ? timestamp : "",
    sessionId: typeof sessionId === "string" ? sessionId : "",
    ...(typeof seq === "number" && Number.isFinite(seq) && { seq }),
    ...(typeof at === "number" && Number.isFinite(at) && { at }),
    data: isObject(data) ? data : {},
  };
}

/**
 * The last first, without their newlines; the first of all is what stands after the last newline. `from`: lines that begin before it are
 * left out.
 */
export function* linesFromEnd(
  file: number,
  size: number,
  from = 0,
): Generator<{ start: number; text: Buffer }> {
  let parts: Buffer[] = [];
  let at = size;
  while (at > 0) {
    if (at <= from) return;
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
