/**
 * The daemon's log: one file a day, bounded in size and age. An entry begins with its time; further lines of it are
 * indented. A disk that is full or read-only costs entries, never the daemon; how many is said when writing works again.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { LOG_NAME, logFile } from "../client/log-file.ts";

export type Level = "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string) => void;

const MAX_FILE_BYTES = 5 * 1024 * 1024;
const KEEP_DAYS = 7;
const MAX_ENTRY = 16 * 1024;

interface OpenFile {
  path: string;
  fd: number;
  bytes: number;
}

export function openLog(
  folder: string,
  options: { debug?: boolean; maxBytes?: number; echo?: boolean } = {},
): Log {
  const maxBytes = options.maxBytes ?? MAX_FILE_BYTES;
  let file: OpenFile | undefined;
  let lost = 0;

  const writable = (): OpenFile => {
    const path = logFile(folder);
    if (file?.path === path && file.bytes < maxBytes) return file;
    if (file) closeSync(file.fd);
    const full = file?.path === path;
    file = undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (full) renameSync(path, path.replace(/\.log$/, ".1.log"));
    else removeOld(folder);
    const fd = openSync(path, "a", 0o600);
    file = { path, fd, bytes: fstatSync(fd).size };
    return file;
  };

  const append = (entry: string) => {
    const target = writable();
    target.bytes += writeSync(target.fd, entry);
  };

  return (level, message) => {
    if (level === "debug" && !options.debug) return;
    const entry = format(level, message);
    if (options.echo) process.stderr.write(entry);
    try {
      if (lost > 0) {
        append(format("warn", `log entries lost: ${lost}`));
        lost = 0;
      }
      append(entry);
    } catch {
      lost++; // nowhere left to say it
    }
  };
}

function format(level: Level, message: string): string {
  const text =
    message.length > MAX_ENTRY ? `${message.slice(0, MAX_ENTRY)}… (${message.length} characters)` : message;
  return `${new Date().toISOString()} ${level} ${process.pid} ${text.replaceAll("\n", "\n  ")}\n`;
}

function removeOld(folder: string): void {
  const oldest = logFile("", new Date(Date.now() - KEEP_DAYS * 86_400_000));
  for (const name of readdirSync(folder)) {
    if (LOG_NAME.test(name) && name < oldest) unlinkSync(join(folder, name));
  }
}
