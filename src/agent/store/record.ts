/** session.json: who runs a session, since when, and how it ended. */
import type { SessionFolder } from "./layout.ts";
import { readPlain } from "./plain-file.ts";
import { writeWhole } from "./whole-file.ts";

export interface SessionRecord {
  id: string;
  pid: number;
  /** Which process of that number: as `identityOf` tells it. */
  processStart?: string;
  /** ISO 8601. */
  startTime: string;
  cwd: string;
  route: "library" | "proxy";
  client?: string;
  argv?: string[];
  name?: string;
  /** Where it takes commands and answers them. */
  socket?: string;
  /** Of Sonde. */
  version: string;
  endTime?: string;
  exit?: number | null;
  signal?: string;
  ended?: "clean" | "died";
}

/** What other tools' records say may be anything: what is not of the right kind is left out. */
export type PartialRecord = { [K in keyof SessionRecord]?: SessionRecord[K] };

const LONGEST_RECORD = 64 << 10;

/** Undefined when there is none or it is no JSON object. */
export function readRecord(folder: SessionFolder): PartialRecord | undefined {
  const value = readJson(folder.record, LONGEST_RECORD);
  return value === undefined ? undefined : asRecord(value);
}

export function writeRecord(folder: SessionFolder, record: SessionRecord): void {
  writeWhole(folder.record, `${JSON.stringify(record, null, 2)}\n`);
}

/** Undefined also for a file of more than `most` bytes, and for what is not a regular file. */
export function readJson(path: string, most: number): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readPlain(path, most).toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not there, or not ours
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asRecord(value: Record<string, unknown>): PartialRecord {
  const record: PartialRecord = {};
  for (const key of ["processStart", "cwd", "client", "name", "socket", "version", "signal"] as const) {
    const text = value[key];
    if (typeof text === "string") record[key] = text;
  }
  const id = value.id ?? value.sessionId;
  if (typeof id === "string") record.id = id;
  if (typeof value.pid === "number" && Number.isInteger(value.pid) && value.pid > 0) record.pid = value.pid;
  for (const key of ["startTime", "endTime"] as const) {
    const time = isoTime(value[key]);
    if (time !== undefined) record[key] = time;
  }
  if (value.route === "library" || value.route === "proxy") record.route = value.route;
  if (value.ended === "clean" || value.ended === "died") record.ended = value.ended;
  if (typeof value.exit === "number" || value.exit === null) record.exit = value.exit;
  const { argv } = value;
  if (Array.isArray(argv) && argv.every((word) => typeof word === "string")) record.argv = argv;
  return record;
}

/** Times of other tools may be numbers of milliseconds. */
function isoTime(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
