/**
 * One trace as a file. Its head says how long the file is and what the digest of all of it is, so that a file that was cut short or
 * changed is known as such. Both are zeros while it is written and counted.
 */
import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import type { ErrorCode } from "../errors.ts";
import type { Hit, TraceRecord } from "./record.ts";

type Head = Omit<TraceRecord, "hits">;

export interface Damage {
  code: Extract<ErrorCode, "REQUEST_FAILED" | "VERSION_SKEW">;
  /** To follow the trace's name. */
  why: string;
}

interface Stored {
  records: number;
  bytes: string;
  digest: string;
}

const VERSION = 1;
const NO_BYTES = "0".repeat(12);
const NO_DIGEST = "0".repeat(16);
/** Characters that are written at once. */
const BATCH = 1 << 20;

/** `each`: of every hit where in the file it begins. Gives back how long the file is. */
export function writeTrace(
  path: string,
  head: Head,
  hits: readonly Hit[],
  each?: (hit: Hit, offset: number) => void,
): number {
  const file = openSync(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    const write = (text: string) => {
      hash.update(text);
      bytes += writeAll(file, Buffer.from(text));
    };
    const stored: Stored = { records: hits.length, bytes: NO_BYTES, digest: NO_DIGEST };
    const first = `${JSON.stringify({ ...head, stored })}\n`;
    write(first);
    let batch = "";
    let offset = bytes;
    for (const hit of hits) {
      const line = `${JSON.stringify(hit)}\n`;
      each?.(hit, offset);
      if (each !== undefined) offset += Buffer.byteLength(line);
      batch += line;
      if (batch.length > BATCH) {
        write(batch);
        batch = "";
      }
    }
    write(batch);
    const known = { bytes: String(bytes).padStart(NO_BYTES.length, "0"), digest: digestOf(hash) };
    writeAll(file, Buffer.from(filled(first, known)), 0);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** A write may take a part only, and what follows then says why. */
function writeAll(file: number, bytes: Buffer, from?: number): number {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, from === undefined ? null : from + done);
  return bytes.length;
}

function digestOf(hash: ReturnType<typeof createHash>): string {
  return hash.digest("hex").slice(0, NO_DIGEST.length);
}

/** `stored` is the last of the head. */
const STORED = /"bytes":"\d{12}","digest":"[0-9a-f]{16}"\}\}\n$/;

function filled(first: string, { bytes, digest }: { bytes: string; digest: string }): string {
  return first.replace(STORED, `"bytes":"${bytes}","digest":"${digest}"}}\n`);
}

/** As much as the first line and the size tell. */
export async function readHead(path: string, bytes: number): Promise<{ head: Head } | { damage: Damage }> {
  try {
    for await (const line of linesOf(path)) {
      const parsed = parseHead(line);
      if ("damage" in parsed) return parsed;
      const { head, stored } = parsed;
      const whole = Number(stored?.bytes ?? bytes);
      return bytes === whole ? { head } : { damage: damaged(cut(bytes, whole)) };
    }
    return { damage: damaged("its file is empty") };
  } catch (error) {
    return { damage: damaged((error as Error).message) };
  }
}

/** Of a file that was cut short the records that are there, and it is said. */
export async function readTrace(path: string): Promise<TraceRecord | { damage: Damage }> {
  const hash = createHash("sha256");
  const lines = linesOf(path);
  const first = await lines.next();
  const parsed: ReturnType<typeof parseHead> = first.done
    ? { damage: damaged("its file is empty") }
    : parseHead(first.value);
  if ("damage" in parsed) return parsed;
  const { head, stored } = parsed;
  const digestible = filled(`${first.value}\n`, { bytes: NO_BYTES, digest: NO_DIGEST });
  hash.update(digestible);
  let bytes = Buffer.byteLength(digestible);
  const hits: Hit[] = [];
  let broken = false;
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    // Only the last line can be torn; what follows a broken one was written by somebody else.
    if (broken) return { damage: damaged(`record ${hits.length + 1} of its file cannot be read`) };
    hash.update(`${next.value}\n`);
    bytes += Buffer.byteLength(next.value) + 1;
    const hit = parseObject(next.value);
    if (hit === undefined) broken = true;
    else hits.push(hit as unknown as Hit);
  }
  const records = stored?.records ?? hits.length + (broken ? 1 : 0);
  if (hits.length < records) return shortened(head, hits, records);
  if (broken || (stored && (stored.digest !== digestOf(hash) || Number(stored.bytes) !== bytes)))
    return { damage: damaged("its file was changed after it was written") };
  return { ...head, hits };
}

/** By line feeds alone: readline also splits at characters that JSON leaves as they are. */
async function* linesOf(path: string): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: BATCH })) {
    const parts = `${rest}${String(chunk)}`.split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

function shortened(head: Head, hits: Hit[], records: number): TraceRecord {
  const why = `its file is truncated: it has only the first ${hits.length} of ${records} records`;
  const partial = head.partial === undefined ? why : `${head.partial}; ${why}`;
  return { ...head, hits, dropped: head.dropped + records - hits.length, partial };
}

function parseHead(line: string): { head: Head; stored?: Stored } | { damage: Damage } {
  const head = parseObject(line);
  if (head === undefined) return { damage: damaged("its file has no valid header") };
  const { stored, ...rest } = head as unknown as Head & { stored?: Stored };
  if (typeof rest.version === "number" && rest.version > VERSION) {
    const why = `was written by a newer version of sonde (format ${rest.version}; this one reads ${VERSION})`;
    return { damage: { code: "VERSION_SKEW", why } };
  }
  if (!isHead(rest)) return { damage: damaged("its file has no valid header") };
  return { head: rest, ...(stored === undefined ? {} : { stored }) };
}

function isHead(head: Partial<Head>): boolean {
  const { version, id, title, began, plan, counts, bindings, seen, dropped, end } = head;
  return (
    version === VERSION &&
    [id, title, began].every((one) => typeof one === "string") &&
    [seen, dropped].every((one) => typeof one === "number") &&
    [counts, bindings, plan?.points].every(Array.isArray) &&
    typeof end?.how === "string"
  );
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function damaged(why: string): Damage {
  return { code: "REQUEST_FAILED", why: `is damaged: ${why}` };
}

function cut(bytes: number, whole: number): string {
  return bytes < whole ? `its file is truncated (${bytes} of ${whole} bytes)` : "its file has grown since";
}
