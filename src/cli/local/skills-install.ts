/**
 * Copies one skill's folder. What was written is remembered beside it by hashes, so that the next time a file of ours can be told
 * from one that its owner has changed.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RECORD = ".sonde.json";

export interface WrittenFile {
  path: string;
  /** `kept`: its owner has changed it, so it was left alone. */
  outcome: "written" | "updated" | "same" | "kept" | "removed";
}

export interface Installed {
  folder: string;
  files: WrittenFile[];
}

export function installSkill(from: string, folder: string, force: boolean): Installed {
  const before = readRecord(folder);
  const names = filesIn(from);
  const record: Record<string, string> = {};
  const files = names.map((name): WrittenFile => {
    const text = readFileSync(join(from, name), "utf8");
    const path = join(folder, name);
    const now = textOf(path);
    record[name] = hash(text);
    if (now === text) return { path, outcome: "same" };
    if (now !== undefined && hash(now) !== before[name] && !force) {
      // What we last wrote, not what we would write now: it stays "changed" until its owner decides.
      record[name] = before[name] ?? "";
      return { path, outcome: "kept" };
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return { path, outcome: now === undefined ? "written" : "updated" };
  });
  files.push(...removeOld(folder, before, names));
  const text = `${JSON.stringify({ by: "sonde skills install", files: record }, null, 2)}\n`;
  if (textOf(join(folder, RECORD)) !== text) writeFileSync(join(folder, RECORD), text);
  return { folder, files };
}

/** Files of an older version that the skill no longer has. */
function removeOld(folder: string, before: Record<string, string>, names: string[]): WrittenFile[] {
  const removed: WrittenFile[] = [];
  for (const name of Object.keys(before).filter((one) => !names.includes(one))) {
    const path = join(folder, name);
    const now = textOf(path);
    if (now === undefined || hash(now) !== before[name]) continue;
    rmSync(path);
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
    throw thrown;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
