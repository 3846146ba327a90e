/**
 * Temporary folders carry what they are for and the pid of the process they belong to (`sonde-<kind>-<pid>-…`), so that what a killed
 * one left can be known, and is removed by the next that needs such a folder.
 */
import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasEnded } from "./process-facts.ts";

const OURS = /^sonde-[a-z]+-(\d+)-\w+$/;

let swept = false;

/** A daemon outlives who started it, whose TMPDIR may have been for that one's time only. */
export function temporaryRoot(): string {
  const said = tmpdir();
  return realpathSync(existsSync(said) ? said : "/tmp");
}

/** A socket's path may have no more than 104 bytes on some systems; this much is left for its folder. */
const LONGEST_FOR_SOCKET = 96;

/** A new one, private to the user; whoever asks for it removes it. */
export function temporaryFolder(kind: string): string {
  const root = temporaryRoot();
  if (!swept) sweepFolders(root);
  swept = true;
  return mkdtempSync(join(root, nameStart(kind)));
}

/** The same, with a path that is short enough for sockets in it. */
export function socketFolder(kind: string): string {
  const wanted = Buffer.byteLength(join(temporaryRoot(), nameStart(kind))) + "XXXXXX".length;
  if (wanted <= LONGEST_FOR_SOCKET) return temporaryFolder(kind);
  return mkdtempSync(join(realpathSync("/tmp"), nameStart(kind)));
}

function nameStart(kind: string): string {
  return `sonde-${kind}-${process.pid}-`;
}

/** Removes those whose process is gone. */
export function sweepFolders(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = Number(OURS.exec(name)?.[1]);
    if (!Number.isInteger(pid) || !hasEnded(pid)) continue;
    const path = join(root, name);
    // Another user could exchange what is inside theirs for a link to something of ours while we remove it.
    const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
    if (owner !== process.getuid?.()) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Something in it is not ours.
    }
  }
}
