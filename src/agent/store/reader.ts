/** Reading a log of any size: in parts, from the beginning, from a place, or from its end. */
import { closeSync, fstatSync } from "node:fs";
import { WholeLines } from "../../util/whole-lines.ts";
import type { AgentEvent } from "../events.ts";
import { openPlain, openPlainLater } from "./plain-file.ts";
import { linesFromEnd, parseEvent } from "./tail.ts";

export interface ReadOptions {
  /** Byte offset of the beginning of a line. */
  from?: number;
  signal?: AbortSignal;
  /** Kept up to date while it is read. */
  progress?: ReadProgress;
}

export interface ReadProgress {
  /** Where the last whole line that was read ends: `followLines` goes on from there. */
  offset: number;
  /** Lines that are no events. */
  skipped: number;
}

const CHUNK = 1 << 18;
/** How far back the last events are looked for: a file may hold none. */
const MOST_SEARCHED = 64 << 20;

/** In batches. Lines that are no events are passed over and counted; a last line without its end is left alone. */
export async function* readEvents(path: string, options: ReadOptions = {}): AsyncGenerator<AgentEvent[]> {
  const { from = 0, signal, progress = { offset: 0, skipped: 0 } } = options;
  progress.offset = from;
  const lines = new WholeLines(from);
  const file = await openPlainLater(path);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = from; !signal?.aborted; ) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const batch: AgentEvent[] = [];
      for (const line of lines.push(chunk.subarray(0, bytesRead))) {
        const event = parseEvent(line);
        if (event !== undefined) batch.push(event);
        else if (line.trim() !== "") progress.skipped += 1;
      }
      progress.skipped += lines.takeTooLong();
      progress.offset = lines.offset;
      if (batch.length > 0) yield batch;
    }
  } finally {
    await file.close();
  }
}

/** In the order in which they happened. Reads no more of the file than they take. `progress.offset`: where the last of them ends. */
export async function lastEvents(
  path: string,
  count: number,
  progress: ReadProgress = { offset: 0, skipped: 0 },
): Promise<AgentEvent[]> {
  const found: AgentEvent[] = [];
  const file = openPlain(path);
  try {
    const { size } = fstatSync(file);
    const lines = linesFromEnd(file, size, size - MOST_SEARCHED);
    const torn = lines.next(); // what stands after the last newline is not whole yet
    progress.offset = torn.done ? size : torn.value.start;
    for (const { text } of lines) {
      if (found.length >= count) break;
      const event = parseEvent(text.toString("utf8"));
      if (event !== undefined) found.push(event);
    }
  } finally {
    closeSync(file);
  }
  return found.reverse();
}
