/** Reading files that a project or a user names: never one that could block us or has no end. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";

const CHUNK = 1 << 16;

/** The text of a regular file of no more than `maxBytes`; throws, in words, for anything else. */
export function readSmallFile(path: string, maxBytes: number): string {
  // Before it is opened: opening some devices does something already.
  check(statSync(path), path, maxBytes);
  // It may be another file by now: one without a writer must not be waited for.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    check(fstatSync(file), path, maxBytes);
    return readAll(file, path, maxBytes).toString("utf8");
  } finally {
    closeSync(file);
  }
}

function check(stats: Stats, path: string, maxBytes: number): void {
  if (!stats.isFile()) throw new Error(`${path} is ${kindOf(stats)}, not a file`);
  if (stats.size > maxBytes) throw tooLarge(path, maxBytes);
}

/** The size said before is no promise: the kernel's own files have none, and others grow. */
function readAll(file: number, path: string, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let total = 0; ; ) {
    const part = Buffer.allocUnsafe(CHUNK);
    const count = readSync(file, part, 0, CHUNK, null);
    if (count === 0) return Buffer.concat(parts);
    total += count;
    if (total > maxBytes) throw tooLarge(path, maxBytes);
    parts.push(part.subarray(0, count));
  }
}

function tooLarge(path: string, maxBytes: number): Error {
  return new Error(`${path} is larger than ${maxBytes} bytes`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}
