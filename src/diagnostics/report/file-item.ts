/** A file on disk as a part of a report: a regular one of the user's, no link, and only as long as it is now. */
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import type { Item, Missing } from "./item.ts";

const CHUNK = 256 << 10;
/** Windows has neither. */
const GUARDS = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export async function fileItem(
  name: string,
  path: string,
  { kind = "text" as Item["kind"], from = 0 }: { kind?: Item["kind"]; from?: number } = {},
): Promise<Item | Missing> {
  try {
    const { size } = await checked(path);
    return { name, kind, open: () => bytesOf(path, from, size) };
  } catch (thrown) {
    return { name, why: whyOf(thrown, path) };
  }
}

async function checked(path: string): Promise<{ size: number }> {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error(`${path} is ${stats.isSymbolicLink() ? "a link" : "no regular file"}`);
  return stats;
}

/** A buffer that was given away is not used again: what comes after it may keep it. */
export async function* bytesOf(path: string, from: number, to: number): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | GUARDS);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is no longer a regular file`);
    for (let at = from; at < to; ) {
      const length = Math.min(CHUNK, to - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) return; // it has become shorter; the writer of the report notices
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

export function whyOf(thrown: unknown, path: string): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === "ENOENT") return `${path} does not exist`;
  if (code === "EACCES" || code === "EPERM") return `${path} cannot be read: the system does not permit it`;
  return code === undefined ? message : `${path} cannot be read (${code})`;
}

export function isItem(one: Item | Missing): one is Item {
  return "open" in one;
}

export function isMissing(one: Item | Missing): one is Missing {
  return !isItem(one);
}
