/**
 * The files of the log. Each day, in UTC, has one, and further ones (`.1`, `.2`) once it is full. None is ever renamed: whoever finds its
 * file full goes on to the next, so processes that write at the same time need not agree on anything.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

export interface LogFile {
  name: string;
  day: string;
  index: number;
}

export interface Bounds {
  fileBytes: number;
  totalBytes: number;
  files: number;
  days: number;
}

export const BOUNDS: Bounds = { fileBytes: 5 << 20, totalBytes: 30 << 20, files: 60, days: 7 };

const NAME = /^sonde-(\d{4}-\d{2}-\d{2})(?:\.([1-9]\d{0,5}))?\.log$/;
/** Of earlier versions, which had logs of the daemon only: no longer read, and removed when they are old. */
const FORMER = /^daemon-(\d{4}-\d{2}-\d{2})(?:\.1)?\.log$/;

export function logFileName(day: string, index: number): string {
  return `sonde-${day}${index === 0 ? "" : `.${index}`}.log`;
}

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export function asLogFile(name: string): LogFile | undefined {
  const [, day, index] = NAME.exec(name) ?? [];
  return day === undefined ? undefined : { name, day, index: Number(index ?? 0) };
}

/** Oldest first. No folder is no files. */
export function logFiles(folder: string): LogFile[] {
  return namesIn(folder)
    .flatMap((name) => asLogFile(name) ?? [])
    .sort(byAge);
}

export function byAge(a: { day: string; index: number }, b: { day: string; index: number }): number {
  return a.day === b.day ? a.index - b.index : a.day < b.day ? -1 : 1;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there yet
  }
}

/** Windows has neither. */
const GUARDS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function openToAppend(path: string): number {
  return openPlain(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
}

/** Undefined: it is gone, or is no plain file. */
export function openToRead(path: string): number | undefined {
  try {
    return openPlain(path, constants.O_RDONLY);
  } catch {
    return undefined;
  }
}

/** A link is not followed, and nothing is waited for, as a pipe without a reader would be. */
function openPlain(path: string, flags: number): number {
  const file = openSync(path, flags | GUARDS, 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`${path} is not a file`);
}

/** The one to write to now: today's newest, or the next if that is full. */
export function currentFile(folder: string, now = new Date(), { fileBytes }: Bounds = BOUNDS): string {
  const day = dayOf(now);
  const last = logFiles(folder).findLast((file) => file.day === day)?.index ?? 0;
  const path = join(folder, logFileName(day, last));
  const isFull = (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) >= fileBytes;
  return isFull ? join(folder, logFileName(day, last + 1)) : path;
}

/** Removes what is too old, and the oldest of what is too much; never the newest. */
export function removeOld(folder: string, now = new Date(), bounds: Bounds = BOUNDS): void {
  const oldest = dayOf(new Date(now.getTime() - bounds.days * 86_400_000));
  for (const name of namesIn(folder)) {
    const [, day] = FORMER.exec(name) ?? [];
    if (day !== undefined && day < oldest) remove(join(folder, name));
  }
  let bytes = 0;
  for (const [age, { name, day }] of logFiles(folder).reverse().entries()) {
    const path = join(folder, name);
    bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (age > 0 && (day < oldest || bytes > bounds.totalBytes || age >= bounds.files)) remove(path);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process was faster, or it is not ours: the log goes on.
  }
}
