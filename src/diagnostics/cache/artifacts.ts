/**
 * What Sonde keeps and can do without: traces, reports, profiles, logs. Each is known by its name and its place. A link is never followed, and
 * what was changed a short time ago may belong to something that is under way: it is never taken.
 */
import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";

export type ArtifactKind = "trace" | "report" | "profile" | "log";

export interface Artifact {
  kind: ArtifactKind;
  /** All that belongs to it: files, or the folder of a profile. */
  paths: string[];
  bytes: number;
  /** When it was last changed, in milliseconds. */
  at: number;
}

export interface Skipped {
  path: string;
  why: string;
}

export interface Found {
  artifacts: Artifact[];
  /** What could not be looked into. */
  skipped: Skipped[];
}

/** Which folder holds which, and what they are called in it. The name that `id` gives is of all that belongs together. */
const KINDS: readonly { kind: ArtifactKind; folder: keyof CachePlaces; id: RegExp; isFolder?: true }[] = [
  { kind: "trace", folder: "traces", id: /^(t\d+)\.(?:jsonl|output\.txt|index\.json)$/ },
  { kind: "report", folder: "reports", id: /^(sonde-report-\d{4}-\d\d-\d\dT[\d-]{8}Z(?:-\d+)?\.tar\.gz)$/ },
  { kind: "profile", folder: "profiles", id: /^(p\d+)$/, isFolder: true },
  { kind: "log", folder: "logs", id: /^((?:sonde|daemon)-\d{4}-\d\d-\d\d(?:\.\d+)?\.log)$/ },
];

export interface CachePlaces {
  traces: string;
  reports: string;
  profiles: string;
  logs: string;
}

const HOUR_MS = 3_600_000;

/** Not changed for this long, and not within the last hour. */
export function oldArtifacts(places: CachePlaces, olderThanMs: number, now: number = Date.now()): Found {
  const found: Found = { artifacts: [], skipped: [] };
  const limit = now - Math.max(olderThanMs, HOUR_MS);
  for (const { kind, folder, id, isFolder = false } of KINDS) {
    const byId = new Map<string, Artifact>();
    for (const name of namesIn(places[folder], found.skipped)) {
      const own = id.exec(name)?.[1];
      if (own === undefined) continue;
      const path = join(places[folder], name);
      const part = isFolder ? folderPart(path, found.skipped) : filePart(path);
      if (part === undefined) continue;
      const all = byId.get(own) ?? { kind, paths: [], bytes: 0, at: 0 };
      byId.set(own, {
        kind,
        paths: [...all.paths, path],
        bytes: all.bytes + part.bytes,
        at: Math.max(all.at, part.at),
      });
    }
    found.artifacts.push(...[...byId.values()].filter(({ at }) => at < limit));
  }
  return found;
}

/** What could not be removed. */
export function removeArtifacts(artifacts: readonly Artifact[]): { removed: Artifact[]; skipped: Skipped[] } {
  const removed: Artifact[] = [];
  const skipped: Skipped[] = [];
  for (const artifact of artifacts) {
    try {
      // Of a link that was put there meanwhile it is the link that goes.
      for (const path of artifact.paths)
        rmSync(path, { recursive: artifact.kind === "profile", force: true });
      removed.push(artifact);
    } catch (thrown) {
      skipped.push({ path: artifact.paths[0] ?? "", why: whyOf(thrown) });
    }
  }
  return { removed, skipped };
}

function namesIn(folder: string, skipped: Skipped[]): string[] {
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.isSymbolicLink()) throw new Error("it is a link");
    return readdirSync(folder).sort();
  } catch (thrown) {
    skipped.push({ path: folder, why: whyOf(thrown) });
    return [];
  }
}

interface Part {
  bytes: number;
  at: number;
}

function filePart(path: string): Part | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? partOf(stats) : undefined;
}

/** A folder is as old as the newest in it. One that holds folders or links is none of ours. */
function folderPart(path: string, skipped: Skipped[]): Part | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return undefined;
  try {
    const parts = readdirSync(path).map((name) => filePart(join(path, name)));
    if (parts.includes(undefined)) throw new Error("it holds more than plain files");
    const files = parts.filter((part) => part !== undefined);
    return {
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      at: Math.max(stats.mtimeMs, ...files.map(({ at }) => at)),
    };
  } catch (thrown) {
    skipped.push({ path, why: whyOf(thrown) });
    return undefined;
  }
}

function partOf({ size, mtimeMs }: Stats): Part {
  return { bytes: size, at: mtimeMs };
}

function whyOf(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") return "the system does not permit it";
  return code ?? message;
}
