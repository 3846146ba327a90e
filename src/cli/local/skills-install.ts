/**
 * Copies one skill's folder. What was written is remembered beside it by hashes, so that the next time a file of ours can be told
 * from one that its owner has changed.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileError, naming } from "../../util/file-errors.ts";
import { landing } from "../../util/landing.ts";

const RECORD = ".sonde.json";

export interface WrittenFile {
  path: string;
  /** `kept`: its owner has changed it, so it was left alone. `linked`: a link leads elsewhere, where nothing of ours is to be. */
  outcome: "written" | "updated" | "same" | "kept" | "linked" | "removed";
  /** Of a link. */
  leadsTo?: string;
}

export interface Installed {
  folder: string;
  files: WrittenFile[];
}

/** What to install, and how. */
export interface Wanted {
  from: string;
  folder: string;
  /** Also what its owner has changed. */
  force: boolean;
  /** The folders that are installed into: a link that leads out of them is not followed. */
  within: readonly string[];
}

export function installSkill({ from, folder, force, within }: Wanted): Installed {
  const before = readRecord(folder);
  const names = filesIn(from);
  const record: Record<string, string> = {};
  const files = names.map((name): WrittenFile => {
    const text = readFileSync(join(from, name), "utf8");
    const path = join(folder, name);
    const now = textOf(path);
    record[name] = hash(text);
    if (now === text) return { path, outcome: "same" };
    const elsewhere = outside(path, within);
    if (elsewhere !== undefined || (now !== undefined && hash(now) !== before[name] && !force)) {
      // What we last wrote, not what we would write now: it stays "changed" until its owner decides.
      record[name] = before[name] ?? "";
      return elsewhere === undefined
        ? { path, outcome: "kept" }
        : { path, outcome: "linked", leadsTo: elsewhere };
    }
    write(path, text);
    return { path, outcome: now === undefined ? "written" : "updated" };
  });
  files.push(...removeOld(folder, before, names, within));
  const text = `${JSON.stringify({ by: "sonde skills install", files: record }, null, 2)}\n`;
  const path = join(folder, RECORD);
  // Without a record a file of ours is taken for its owner's the next time, which loses nothing.
  if (textOf(path) !== text && outside(path, within) === undefined) write(path, text);
  return { folder, files };
}

/** Where a file at this path would come to be, if not in one of these folders. */
function outside(path: string, within: readonly string[]): string | undefined {
  const real = naming(path, () => landing(path));
  const inside = within.some((folder) => {
    const way = relative(
      naming(folder, () => landing(folder)),
      real,
    );
    return way !== ".." && !way.startsWith(`..${sep}`);
  });
  return inside ? undefined : real;
}

function write(path: string, text: string): void {
  naming(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
}

/** Files of an older version that the skill no longer has. */
function removeOld(
  folder: string,
  before: Record<string, string>,
  names: string[],
  within: readonly string[],
): WrittenFile[] {
  const removed: WrittenFile[] = [];
  for (const name of Object.keys(before).filter((one) => !names.includes(one))) {
    const path = join(folder, name);
    const now = textOf(path);
    if (now === undefined || hash(now) !== before[name] || outside(path, within) !== undefined) continue;
    naming(path, () => rmSync(path));
    removed.push({ path, outcome: "removed" });
  }
  return removed;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((name) => name !== RECORD && statSync(join(folder, name)).isFile())
    .sort();
}

/** An unreadable or foreign record is none: then every file that differs counts as changed. */
function readRecord(folder: string): Record<string, string> {
  const text = textOf(join(folder, RECORD));
  if (text === undefined) return {};
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    const entries = Object.entries(files ?? {}).filter(([name]) => !name.split(/[\\/]/).includes(".."));
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fileError(thrown, path) ?? thrown;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
