/** A file of lines as a part of a report, each line looked at before it goes in; in bounded memory, however long the file is. */
import { lstat } from "node:fs/promises";
import { bytesOf, whyOf } from "./file-item.ts";
import type { Item, Missing } from "./item.ts";

/** A longer line is left out: no writer of ours makes one. */
const LONGEST = 16 << 20;
const NEWLINE = 10;

/** What becomes of a line: undefined leaves it out. */
export type EachLine = (line: string) => string | undefined;

/** `each`: called anew for each time that the file is read. */
export async function lineItem(name: string, path: string, each: () => EachLine): Promise<Item | Missing> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return { name, why: `${path} is no regular file` };
    const { size } = stats;
    return { name, kind: "text", open: () => changed(linesOf(path, size), each()) };
  } catch (thrown) {
    return { name, why: whyOf(thrown, path) };
  }
}

async function* changed(batches: AsyncIterable<string[]>, each: EachLine): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    const kept = batch.map(each).filter((line) => line !== undefined);
    if (kept.length > 0) yield Buffer.from(`${kept.join("\n")}\n`, "latin1");
  }
}

/** Whole lines, each character a byte; a last one without its end counts. */
export async function* linesOf(path: string, size: number): AsyncGenerator<string[]> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const bytes of bytesOf(path, 0, size)) {
    const last = bytes.lastIndexOf(NEWLINE);
    if (last === -1) {
      held += bytes.length;
      if (held <= LONGEST) parts.push(bytes);
      continue;
    }
    const lines = (held > LONGEST ? [] : parts)
      .concat(bytes.subarray(0, last))
      .map((part) => part.toString("latin1"))
      .join("")
      .split("\n");
    if (held > LONGEST) lines.shift();
    yield lines;
    parts = [bytes.subarray(last + 1)];
    held = parts[0]?.length ?? 0;
  }
  if (held > 0 && held <= LONGEST) yield [Buffer.concat(parts).toString("latin1")];
}

/** Of a line that `linesOf` gave. */
export function jsonOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line, "latin1").toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function lineOf(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("latin1");
}
