/** Source text for showing: from disk, or from the adapter for code that has no file. */
import { statSync } from "node:fs";
import { readSmallFile } from "../../util/small-file.ts";
import { cut } from "../../util/text.ts";
import type { Debuggee } from "../debuggee.ts";

export interface SourceLine {
  line: number;
  text: string;
}

interface Cached {
  mtimeMs: number;
  lines: string[];
  /** The text that this one took the place of. */
  before?: Cached;
}

/** The few files a session is looking at; re-read when they change. */
const cache = new Map<string, Cached>();
const CACHED_FILES = 16;
const MOST_BYTES = 20_000_000;

/** One answer asks for the same file's time in several places, within a few milliseconds. */
const AS_ONE_MS = 5;
let looked = { path: "", at: 0, mtimeMs: 0 };

function timeOf(path: string): number {
  const now = performance.now();
  if (looked.path !== path || now - looked.at > AS_ONE_MS)
    looked = { path, at: now, mtimeMs: statSync(path).mtimeMs };
  return looked.mtimeMs;
}

/** `asOf`: rather the text of that time, if it was read then. */
export function fileLines(path: string, asOf?: number): string[] | undefined {
  try {
    const mtimeMs = timeOf(path);
    const known = cache.get(path);
    if (asOf !== undefined && mtimeMs > asOf) {
      const old = [known, known?.before].find((one) => one && one.mtimeMs <= asOf);
      if (old) return old.lines;
    }
    if (known?.mtimeMs === mtimeMs) return known.lines;
    const lines = readSmallFile(path, MOST_BYTES).split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    if (cache.size >= CACHED_FILES) cache.delete(cache.keys().next().value ?? "");
    cache.set(path, {
      mtimeMs,
      lines,
      ...(known ? { before: { mtimeMs: known.mtimeMs, lines: known.lines } } : {}),
    });
    return lines;
  } catch {
    return undefined;
  }
}

export function changedSince(path: string, time: number): boolean {
  try {
    // A file's time is finer than ours: one written in the millisecond of the start was there before it.
    return Math.floor(timeOf(path)) > time;
  } catch {
    return false;
  }
}

/** Minified code has lines of megabytes. */
const LONGEST_LINE = 400;

/** Lines `first` to `last` (1-based, inclusive), as far as they exist. */
export function slice(lines: readonly string[], first: number, last: number): SourceLine[] {
  const from = Math.max(1, first);
  return lines
    .slice(from - 1, Math.max(from - 1, last))
    .map((text, index) => ({ line: from + index, text: cut(text, LONGEST_LINE) }));
}

export async function sourceLines(
  debuggee: Debuggee,
  where: { path?: string; sourceReference?: number },
  asOf?: number,
): Promise<string[] | undefined> {
  const onDisk = where.path === undefined ? undefined : fileLines(where.path, asOf);
  if (onDisk || !where.sourceReference) return onDisk;
  const { sourceReference } = where;
  const body = await debuggee.client
    .request("source", { source: { sourceReference }, sourceReference })
    .catch(() => undefined);
  return body?.content.split(/\r?\n/);
}
