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

/** The daemon keeps a small space for new objects: of larger chunks more is still needed, and copied, when it is full. */
const CHUNK = 1 << 17;
const NEWLINE = 10;
/** How far back the last events are looked for: a file may hold none. */
const MOST_SEARCHED = 64 << 20;

/** In batches. Lines that are no events are passed over and counted; a last line without its end is left alone. */
export async function* readEvents(path: string, options: ReadOptions = {}): AsyncGenerator<AgentEvent[]> {
  const { from = 0, signal, progress = { offset: 0, skipped: 0 } } = options;
  progress.offset = from;
  const lines = new WholeLines(from);
  for await (const chunk of readAhead(path, from)) {
    if (signal?.aborted) return;
    const batch: AgentEvent[] = [];
    for (const line of lines.push(chunk)) {
      const event = parseEvent(line);
      if (event !== undefined) batch.push(event);
      else if (line.trim() !== "") progress.skipped += 1;
    }
    progress.skipped += lines.takeTooLong();
    progress.offset = lines.offset;
    if (batch.length > 0) yield batch;
  }
}

/** The bytes of a file, in parts that end with a line where that is possible. While one is looked at the next is read. */
async function* readAhead(path: string, from: number): AsyncGenerator<Buffer> {
  const file = await openPlainLater(path);
  let [chunk, other] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
  const read = (into: Buffer, at: number) => {
    const reading = file.read(into, 0, CHUNK, at);
    reading.catch(() => {}); // thrown where it is waited for, which may be later than it fails, or never
    return reading;
  };
  let reading = read(chunk, from);
  try {
    for (let at = from; ; ) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      const bytes = chunk.subarray(0, bytesRead);
      // The beginning of a line is read again with its end: that costs less than copying everything to put the two together.
      const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1 || bytesRead);
      at += whole.length;
      [chunk, other] = [other, chunk];
      reading = read(chunk, at);
      yield whole;
    }
  } finally {
    await reading.catch(() => {}); // as above: the file is closed when nobody reads it any more
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
