/**
 * Opening the files of a session. Its folder may be a stranger's, or broken: only regular files are opened, a link is not followed, and
 * nothing is waited for, as a pipe without a writer would be.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { SondeError } from "../../errors.ts";

const CHUNK = 1 << 16;
/** Windows has neither. */
const GUARDS = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** `flags`: for reading, if left out. */
export function openPlain(path: string, flags: number = constants.O_RDONLY, mode?: number): number {
  // Before it is opened: opening some devices does something already.
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined) check(before, path);
  const file = openSync(path, flags | GUARDS, mode);
  try {
    check(fstatSync(file), path); // it may be another by now
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
  return file;
}

/** The same for reading, without holding up the process. */
export async function openPlainLater(path: string): Promise<FileHandle> {
  check(await lstat(path), path);
  const file = await open(path, constants.O_RDONLY | GUARDS);
  try {
    check(await file.stat(), path);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  return file;
}

/** All of a file that has no more than `most` bytes. */
export function readPlain(path: string, most: number): Buffer {
  const file = openPlain(path);
  try {
    const { size } = fstatSync(file);
    if (size > most) throw tooLarge(path, most);
    // That is no promise: files grow.
    const parts: Buffer[] = [];
    let next = size + 1;
    for (let total = 0; ; next = CHUNK) {
      const part = Buffer.allocUnsafe(next);
      const count = readSync(file, part, 0, next, null);
      if (count === 0) return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      total += count;
      if (total > most) throw tooLarge(path, most);
      parts.push(part.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}

/** Whether it is a folder of this user, and no link to one: only there is something written unasked. */
export function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return false;
  return process.getuid === undefined || stats.uid === process.getuid();
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function check(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  throw new SondeError("REQUEST_FAILED", `${path} is ${kindOf(stats)}, not a file`, {
    hint: "an agent's session consists of plain files: this one was changed, or is not one",
  });
}

function tooLarge(path: string, most: number): SondeError {
  return new SondeError("REQUEST_FAILED", `${path} is larger than ${most} bytes`, {
    hint: "no recording has a file of that kind that large: this one was changed, or is not one",
  });
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}
