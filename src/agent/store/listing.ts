/** Which sessions a folder holds, from what each has written of itself. */
import { readdirSync, statSync } from "node:fs";
import { isSameProcess } from "../../util/process-facts.ts";
import { indexFile, isSessionId, type SessionFolder, sessionFolder, sessionsFolder } from "./layout.ts";
import { wasAlive } from "./process-age.ts";
import {
  asRecord,
  isObject,
  type PartialRecord,
  readJson,
  readRecord,
  type SessionRecord,
} from "./record.ts";

export interface SessionRow extends SessionRecord {
  folder: SessionFolder;
  alive: boolean;
  /** Another tool's: its files are read and never changed. */
  foreign: boolean;
}

/** Newest first. Looks, and changes nothing. */
export function rowsOf(root: string): SessionRow[] {
  let names: string[];
  try {
    names = readdirSync(sessionsFolder(root));
  } catch {
    return []; // nobody has run an agent yet
  }
  let others: Map<string, PartialRecord> | undefined;
  const rows: SessionRow[] = [];
  for (const name of names) {
    if (!isSessionId(name)) continue;
    const folder = sessionFolder(root, name);
    const own = readRecord(folder);
    if (own !== undefined && isOurs(own)) {
      rows.push(ownRow(folder, own));
      continue;
    }
    others ??= indexed(root);
    const row = foreignRow(folder, { ...others.get(name), ...own });
    if (row !== undefined) rows.push(row);
  }
  return rows.sort(newestFirst);
}

export function newestFirst(a: SessionRow, b: SessionRow): number {
  if (a.startTime !== b.startTime) return a.startTime < b.startTime ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

type OwnRecord = PartialRecord & Pick<SessionRecord, "pid" | "startTime" | "route" | "version">;

function isOurs(record: PartialRecord): record is OwnRecord {
  return (
    record.route !== undefined &&
    record.version !== undefined &&
    record.pid !== undefined &&
    record.startTime !== undefined
  );
}

function ownRow(folder: SessionFolder, record: OwnRecord): SessionRow {
  const alive = record.ended === undefined && isSameProcess(record.pid, record.processStart);
  return { ...record, id: folder.id, cwd: record.cwd ?? "", folder, alive, foreign: false };
}

/** Some have no record, or one with other words: the index, the id and the files themselves say the rest. */
function foreignRow(folder: SessionFolder, record: PartialRecord): SessionRow | undefined {
  const times = fileTimes(folder);
  if (times === undefined) return undefined;
  const { pid = 0 } = record;
  const startTime = record.startTime ?? timeOfId(folder.id) ?? times.began;
  const alive = record.endTime === undefined && pid > 0 && wasAlive(pid, startTime);
  return {
    ...record,
    id: folder.id,
    pid,
    startTime,
    cwd: record.cwd ?? "",
    route: "library",
    version: record.version ?? "",
    ...(alive ? {} : { ended: record.ended ?? "died", endTime: record.endTime ?? times.changed }),
    folder,
    alive,
    foreign: true,
  };
}

/** Undefined when it is no folder of a session. */
function fileTimes(folder: SessionFolder): { began: string; changed: string } | undefined {
  try {
    const dir = statSync(folder.dir);
    if (!dir.isDirectory()) return undefined;
    const events = statSync(folder.events, { throwIfNoEntry: false }) ?? dir;
    return { began: dir.birthtime.toISOString(), changed: events.mtime.toISOString() };
  } catch {
    return undefined; // removed in the meantime
  }
}

/** `debug_20260123_131000_abc1` */
function timeOfId(id: string): string | undefined {
  const [, ...parts] = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_|$)/.exec(id) ?? [];
  const [year = 0, month = 1, day, hour, minute, second] = parts.map(Number);
  if (parts.length === 0) return undefined;
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const LONGEST_INDEX = 1 << 20;

function indexed(root: string): Map<string, PartialRecord> {
  const sessions = readJson(indexFile(root), LONGEST_INDEX)?.sessions;
  const records = Array.isArray(sessions) ? sessions.filter(isObject).map(asRecord) : [];
  return new Map(records.flatMap((record) => (record.id === undefined ? [] : [[record.id, record]])));
}
