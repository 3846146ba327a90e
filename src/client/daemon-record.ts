/**
 * What the running daemon notes about itself beside its socket, for the cases in which it cannot answer: it hangs, or it
 * was killed and the next one has to say what was lost. Never used to decide who is alive: that is the socket's job.
 */
import { readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface DaemonRecord {
  pid: number;
  version: string;
  sessions: number;
}

const NAME = "daemon.json";

export function readRecord(folder: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(join(folder, NAME), "utf8")) as DaemonRecord;
    return typeof record.pid === "number" && typeof record.sessions === "number" ? record : undefined;
  } catch {
    return undefined; // absent or damaged: it is a convenience
  }
}

export function writeRecord(folder: string, record: DaemonRecord): void {
  const draft = join(folder, `${NAME}.new`);
  rmSync(draft, { force: true }); // left by one that was killed; if it is a link, it is not written through
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600, flag: "wx" });
  renameSync(draft, join(folder, NAME));
}

export function removeRecord(folder: string): void {
  if (readRecord(folder)?.pid !== process.pid) return;
  unlinkSync(join(folder, NAME));
}
