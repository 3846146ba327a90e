/**
 * Writes to the log, from any of our processes: an entry is one line, written in one piece at the end of the day's file. Secrets are
 * masked before. A disk that is full or read-only costs entries, never the process; how many is said when writing works again.
 */
import { closeSync, fstatSync, readSync, writeSync } from "node:fs";
import { privateFolder } from "../own-folder.ts";
import { maskSecrets } from "../secrets/mask.ts";
import { cut } from "../text.ts";
import { type Entry, entryLine, entryText, type Level } from "./entry.ts";
import { BOUNDS, type Bounds, currentFile, dayOf, openToAppend, removeOld } from "./files.ts";

/** `known`: made of our own words and numbers only, so no secret is looked for, which takes megabytes the first time. */
export type Log = (
  level: Level,
  message: string,
  about?: { session?: string | undefined; known?: boolean },
) => void;

export interface LogOptions {
  /** Of process: `daemon`, `mcp`, `agent run`. */
  kind: string;
  debug?: boolean;
  bounds?: Bounds;
  /** On standard error too. */
  echo?: boolean;
}

const LONGEST = 16_384;

interface OpenFile {
  day: string;
  fd: number;
}

export function openLog(folder: string, options: LogOptions): Log {
  const { kind, bounds = BOUNDS } = options;
  let file: OpenFile | undefined;
  let lost = 0;
  /** A write that the disk had no room for may have left half a line. */
  let torn = false;

  const writable = (now: Date): number => {
    const day = dayOf(now);
    if (file?.day === day && hasRoom(file.fd, bounds)) return file.fd;
    if (file) closeSync(file.fd);
    file = undefined;
    privateFolder(folder);
    const fd = openToAppend(currentFile(folder, now, bounds));
    file = { day, fd };
    torn = endsTorn(fd);
    removeOld(folder, now, bounds);
    return fd;
  };

  const append = (entry: Entry, now: Date): void => {
    const fd = writable(now);
    const line = Buffer.from(`${torn ? "\n" : ""}${entryLine(entry)}`);
    const written = writeSync(fd, line);
    torn = written < line.length;
    if (torn) throw new Error("no room for all of it");
  };

  return (level, message, { session, known = false } = {}) => {
    if (level === "debug" && !options.debug) return;
    const now = new Date();
    const entryOf = (at: Level, text: string): Entry => ({
      time: now.toISOString(),
      level: at,
      pid: process.pid,
      kind,
      ...(session !== undefined && { session }),
      message: text,
    });
    const entry = entryOf(level, shortened(known ? message : maskSecrets(message).text));
    if (options.echo) process.stderr.write(`${entryText(entry)}\n`);
    try {
      if (lost > 0) {
        append(entryOf("warn", `log entries lost: ${lost}`), now);
        lost = 0;
      }
      append(entry, now);
    } catch {
      lost++; // nowhere left to say it
    }
  };
}

/** By whoever wrote last. */
function endsTorn(fd: number): boolean {
  const last = Buffer.alloc(1);
  const { size } = fstatSync(fd);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 10;
}

/** Also false for a file that was removed meanwhile. */
function hasRoom(fd: number, { fileBytes }: Bounds): boolean {
  const { size, nlink } = fstatSync(fd);
  return size < fileBytes && nlink > 0;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${cut(text, LONGEST)} (${text.length} characters)` : text;
}
