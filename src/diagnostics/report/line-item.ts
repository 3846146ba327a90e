/** A file of lines as a part of a report, each line looked at before it goes in; in bounded memory, however long the file is. */
import { lstat } from "node:fs/promises";
import { plural } from "../../util/text.ts";
import { bytesOf, whyOf } from "./file-item.ts";
import type { Item, Lost, Missing } from "./item.ts";

/** A longer line is left out, and counted: no writer of ours makes one. */
const LONGEST = 16 << 20;
const NEWLINE = 10;

/** What becomes of a line: undefined leaves it out. */
export type EachLine = (line: string) => string | undefined;

/** `each`: called anew for each time that the file is read; a line that it cannot read it counts. */
export async function lineItem(
  name: string,
  path: string,
  each: (lost: Lost) => EachLine,
): Promise<Item | Missing> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return { name, why: `${path} is not a regular file` };
    const { size } = stats;
    const lost = nothingLost();
    const read = () => {
      Object.assign(lost, nothingLost());
      return changed(linesOf(path, size, lost), each(lost));
    };
    return { name, kind: "text", lost, open: read };
  } catch (thrown) {
    return { name, why: whyOf(thrown, path) };
  }
}

export function nothingLost(): Lost {
  return { long: 0, unreadable: 0 };
}

/** For the manifest; undefined if all of it is there. */
export function lostText({ long, unreadable }: Lost): string | undefined {
  const parts = [
    long > 0 ? `${plural(long, "line")} longer than ${LONGEST >> 20} MB` : "",
    unreadable > 0 ? `${plural(unreadable, "line")} that cannot be read` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? undefined : `without ${parts.join(" and ")}`;
}

async function* changed(batches: AsyncIterable<string[]>, each: EachLine): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    const kept = batch.map(each).filter((line) => line !== undefined);
    if (kept.length > 0) yield Buffer.from(`${kept.join("\n")}\n`, "latin1");
  }
}

/** Whole lines, each character a byte; a last one without its end counts. */
export async function* linesOf(
  path: string,
  size: number,
  lost: Lost = nothingLost(),
): AsyncGenerator<string[]> {
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
    if (held > LONGEST) {
      lines.shift();
      lost.long += 1;
    }
    yield lines;
    parts = [bytes.subarray(last + 1)];
    held = parts[0]?.length ?? 0;
  }
  if (held > LONGEST) lost.long += 1;
  else if (held > 0) yield [Buffer.concat(parts).toString("latin1")];
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
