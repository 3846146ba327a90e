/** Removing recordings: by age, and the oldest beyond a total size. One whose process is alive stays, always. */
import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sessionsFolder } from "./layout.ts";
import type { SessionRow } from "./listing.ts";
import { isLink } from "./plain-file.ts";
import { registerSessions } from "./register.ts";
import { listSessions } from "./sessions.ts";

export interface GcOptions {
  olderThanMs?: number;
  /** Of all recordings together. */
  maxBytes?: number;
  /** Only says what it would remove. */
  dryRun?: boolean;
}

export interface GcRow {
  id: string;
  bytes: number;
  startTime: string;
  endTime?: string;
  why: "age" | "size";
}

export interface GcResult {
  removed: GcRow[];
  /** How many bytes that frees. */
  bytes: number;
  /** What is left. */
  kept: { sessions: number; alive: number; bytes: number };
}

export async function gc(root: string, options: GcOptions): Promise<GcResult> {
  const rows = await listSessions(root);
  const sized = rows.map((row) => ({ row, bytes: isLink(row.folder.dir) ? 0 : sizeOf(row.folder.dir) }));
  const chosen = choose(sized, options);
  const removed = options.dryRun ? chosen : chosen.filter(({ id }) => remove(root, id));
  if (!options.dryRun && rows.length > 0) {
    sweepAside(root);
    if (removed.length > 0) registerSessions(root);
  }
  const bytes = sum(removed);
  const kept = sized.filter(({ row }) => !removed.some(({ id }) => id === row.id));
  const alive = kept.filter(({ row }) => row.alive).length;
  return { removed, bytes, kept: { sessions: kept.length, alive, bytes: sum(kept) } };
}

interface Sized {
  row: SessionRow;
  bytes: number;
}

function choose(sized: readonly Sized[], { olderThanMs, maxBytes }: GcOptions): GcRow[] {
  const removable = sized.filter(({ row }) => !row.alive && !(row.foreign && row.pid === 0)).reverse();
  const chosen: GcRow[] = [];
  let total = sum(sized);
  const take = ({ row, bytes }: Sized, why: GcRow["why"]) => {
    const { id, startTime, endTime } = row;
    chosen.push({ id, bytes, startTime, ...(endTime !== undefined && { endTime }), why });
    total -= bytes;
  };
  const now = Date.now();
  const isOld = ({ row }: Sized) =>
    olderThanMs !== undefined && now - Date.parse(row.endTime ?? row.startTime) > olderThanMs;
  for (const one of removable.filter(isOld)) take(one, "age");
  for (const one of removable.filter((each) => !isOld(each)))
    if (maxBytes !== undefined && total > maxBytes) take(one, "size");
  return chosen;
}

function sum(sized: readonly { bytes: number }[]): number {
  return sized.reduce((total, { bytes }) => total + bytes, 0);
}

/**
 * Out of sight first: nobody finds a recording of which half is gone. Of a folder that is a link, the link. The socket that its record
 * names stays: the record may be anybody's, and so may the socket.
 */
function remove(root: string, id: string): boolean {
  const aside = join(sessionsFolder(root), `.${id}.${process.pid}`);
  try {
    renameSync(join(sessionsFolder(root), id), aside);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return false; // another removed it
    throw thrown;
  }
  rmSync(aside, { recursive: true, force: true });
  return true;
}

const A_DAY_MS = 86_400_000;

/** What was left half made or half removed by a process that was killed. */
function sweepAside(root: string): void {
  for (const name of readdirSync(sessionsFolder(root))) {
    if (!name.startsWith(".")) continue;
    const path = join(sessionsFolder(root), name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.ctimeMs > A_DAY_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

function sizeOf(dir: string): number {
  let total = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) total += sizeOf(path);
    else if (entry.isFile()) total += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}
