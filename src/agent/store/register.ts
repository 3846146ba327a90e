/**
 * What a folder says about all of its sessions: `index.json` and the `current` link. Any number of processes write them and none locks:
 * each writes what the folders say, looks at the folders again, and goes on until both agree. Whoever writes last has looked last.
 */
import { readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import { currentLink, indexFile } from "./layout.ts";
import { rowsOf, type SessionRow } from "./listing.ts";
import { nameAside, writeWhole } from "./whole-file.ts";

/** More sessions would have to begin or end in each of these looks than any machine runs. */
const MOST_LOOKS = 1000;

export function registerSessions(root: string): void {
  let written: string | undefined;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const rows = rowsOf(root);
    const wanted = `${indexText(rows)}\n${rows[0]?.id}`;
    if (wanted === written) return;
    writeWhole(indexFile(root), indexText(rows));
    pointCurrent(root, rows[0]);
    written = wanted;
  }
}

function indexText(rows: readonly SessionRow[]): string {
  const sessions = rows
    .filter(({ alive }) => alive)
    .map(({ id, pid, startTime, cwd, name, client, route, foreign }) => ({
      id,
      pid,
      startTime,
      cwd,
      ...(foreign ? {} : { route, ...(name && { name }), ...(client && { client }) }),
    }));
  return `${JSON.stringify({ sessions }, null, 2)}\n`;
}

/** Relative, so that the whole folder can be moved. */
function pointCurrent(root: string, newest: SessionRow | undefined): void {
  const link = currentLink(root);
  const aside = nameAside(link);
  try {
    if (newest === undefined) rmSync(link, { force: true });
    else {
      symlinkSync(`sessions/${newest.id}`, aside, "dir");
      renameSync(aside, link);
    }
  } catch {
    // Windows lets only some users make links; the listing knows the newest without it.
    rmSync(aside, { force: true });
  }
}

/** The id that the link names, wherever it was made; it may be absolute. */
export function currentId(root: string): string | undefined {
  try {
    return basename(readlinkSync(currentLink(root)));
  } catch {
    return undefined;
  }
}
