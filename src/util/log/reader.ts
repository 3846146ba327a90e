/**
 * Reads the log from its end, a page at a time. However long the log is, one page costs no more than a fixed number of lines and bytes; the
 * cursor says where the page before it ends.
 */
import { closeSync, fstatSync, lstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Entry, LEVELS, type Level, PRINTED, parseEntry } from "./entry.ts";
import { byAge, type LogFile, logFiles, openToRead } from "./files.ts";

export const PAGE_ENTRIES = 50;
export const MOST_LINES = 5_000;
export const MOST_BYTES = 2 << 20;
const CHUNK = 1 << 16;
/** Of what a dying process printed, so many lines are one entry. */
const MOST_PRINTED = 200;
/** Processes write at the same time, and clocks are set: a little disorder is not the end of what is asked for. */
const DISORDER_MS = 60_000;

export interface LogFilter {
  /** This level and above. */
  level?: Level | undefined;
  pid?: number | undefined;
  session?: string | undefined;
  /** In the message, the kind of process or the session; in any case. */
  grep?: string | undefined;
  /** Milliseconds since 1970. */
  since?: number | undefined;
}

export interface LogQuery extends LogFilter {
  /** The cursor of a page: what is older than that. */
  before?: string | undefined;
  most?: number;
  /** A page ends when its messages have so many characters; one alone may have more. */
  mostChars?: number;
  /** Only what each of these files, by name, had in so many bytes: the rest is for whoever follows the log. */
  ends?: ReadonlyMap<string, number> | undefined;
}

export interface LogPage {
  /** Oldest first. */
  entries: Entry[];
  /** Where to go on; missing when there is nothing older. */
  older?: string;
  lines: number;
  bytes: number;
  /** Lines that were too long to be read. */
  tooLong: number;
}

export interface Cursor {
  day: string;
  index: number;
  offset: number;
}

export function parseCursor(text: string): Cursor | undefined {
  const [, day, index, offset] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,6}):(\d{1,15})$/.exec(text) ?? [];
  return day === undefined ? undefined : { day, index: Number(index), offset: Number(offset) };
}

export function cursorText({ day, index, offset }: Cursor): string {
  return `${day}.${index}:${offset}`;
}

export function matcher({ level, pid, session, grep, since }: LogFilter): (entry: Entry) => boolean {
  const least = level === undefined ? 0 : LEVELS.indexOf(level);
  const wanted = grep?.toLowerCase();
  return (entry) =>
    LEVELS.indexOf(entry.level) >= least &&
    (pid === undefined || entry.pid === pid) &&
    (session === undefined || entry.session === session) &&
    (since === undefined || entry.time === undefined || Date.parse(entry.time) >= since) &&
    (wanted === undefined ||
      [entry.message, entry.kind, entry.session].some((text) => text?.toLowerCase().includes(wanted)));
}

export function readLog(folder: string, query: LogQuery = {}): LogPage {
  const page = new Page(query);
  const before = query.before === undefined ? undefined : parseCursor(query.before);
  const { ends } = query;
  const files = logFiles(folder)
    .filter((file) => before === undefined || byAge(file, before) <= 0)
    .filter((file) => ends === undefined || ends.has(file.name))
    .reverse();
  for (const [at, file] of files.entries()) {
    const isFirst = before !== undefined && byAge(file, before) === 0;
    const stopped = page.take(join(folder, file.name), isFirst ? before.offset : ends?.get(file.name));
    if (stopped === undefined) continue;
    return page.result(stopped > 0 ? { ...file, offset: stopped } : endOf(folder, files[at + 1]));
  }
  return page.result(undefined);
}

function endOf(folder: string, file: LogFile | undefined): Cursor | undefined {
  if (file === undefined) return undefined;
  const stats = lstatSync(join(folder, file.name), { throwIfNoEntry: false });
  return { ...file, offset: stats?.size ?? 0 };
}

class Page {
  readonly #most: number;
  readonly #mostChars: number;
  #chars = 0;
  readonly #matches: (entry: Entry) => boolean;
  readonly #since: number | undefined;
  /** Newest first. */
  readonly #found: Entry[] = [];
  #lines = 0;
  #bytes = 0;
  #tooLong = 0;
  #isOver = false;
  /** How many lines the entry that was found last consists of, if more may be added. */
  #printed = 0;

  constructor(query: LogQuery) {
    this.#most = Math.min(query.most ?? PAGE_ENTRIES, MOST_LINES);
    this.#mostChars = query.mostChars ?? Number.POSITIVE_INFINITY;
    this.#matches = matcher(query);
    this.#since = query.since;
  }

  result(next: Cursor | undefined): LogPage {
    return {
      entries: this.#found.reverse(),
      ...(next && !this.#isOver && { older: cursorText(next) }),
      lines: this.#lines,
      bytes: this.#bytes,
      tooLong: this.#tooLong,
    };
  }

  /** From `end` backward. The offset at which it stopped, if it did before the file's beginning. */
  take(path: string, end: number | undefined): number | undefined {
    const file = openToRead(path);
    if (file === undefined) return undefined;
    try {
      const { size } = fstatSync(file);
      this.#printed = 0;
      return this.#takeFrom(file, Math.min(size, end ?? size));
    } finally {
      closeSync(file);
    }
  }

  #takeFrom(file: number, end: number): number | undefined {
    let parts: Buffer[] = [];
    let at = end;
    /** Where the last line that was taken begins. */
    let taken = end;
    const isFirst = this.#bytes === 0;
    while (at > 0) {
      const length = Math.min(CHUNK, at, MOST_BYTES - this.#bytes);
      if (length <= 0) {
        if (taken < end || !isFirst) return taken;
        // All of it one line: it cannot be shown, and must not be in the way for ever.
        this.#tooLong += 1;
        return at;
      }
      const chunk = Buffer.allocUnsafe(length);
      at -= length;
      const count = readSync(file, chunk, 0, length, at);
      this.#bytes += count;
      let to = count;
      for (let newline = lastNewline(chunk, to); newline !== -1; newline = lastNewline(chunk, to)) {
        const line = Buffer.concat([chunk.subarray(newline + 1, to), ...parts]);
        parts = [];
        to = newline;
        taken = at + newline + 1;
        if (this.#add(line)) return taken;
      }
      parts.unshift(Buffer.from(chunk.subarray(0, to)));
    }
    return this.#add(Buffer.concat(parts)) ? 0 : undefined;
  }

  /** True: that is enough. */
  #add(line: Buffer): boolean {
    if (line.length === 0) return false;
    this.#lines += 1;
    const entry = parseEntry(line.toString("utf8"));
    if (entry.kind === PRINTED && this.#join(entry)) return this.#lines >= MOST_LINES;
    this.#printed = 0;
    if (this.#isTooOld(entry)) {
      this.#isOver = true;
      return true;
    }
    if (this.#matches(entry)) {
      this.#found.push(entry);
      this.#chars += entry.message.length;
      if (entry.kind === PRINTED) this.#printed = 1;
    }
    return this.#found.length >= this.#most || this.#chars >= this.#mostChars || this.#lines >= MOST_LINES;
  }

  /** Lines that were printed one after the other are one entry. */
  #join(entry: Entry): boolean {
    const newer = this.#found.at(-1);
    if (newer === undefined || this.#printed === 0 || this.#printed >= MOST_PRINTED) return false;
    newer.message = `${entry.message}\n${newer.message}`;
    this.#printed += 1;
    return true;
  }

  #isTooOld({ time }: Entry): boolean {
    return this.#since !== undefined && time !== undefined && Date.parse(time) < this.#since - DISORDER_MS;
  }
}

function lastNewline(chunk: Buffer, before: number): number {
  return before === 0 ? -1 : chunk.lastIndexOf(10, before - 1);
}
