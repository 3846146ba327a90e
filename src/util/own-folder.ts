/**
 * Folders and files that must be the user's own. Whoever else can write where we keep things reads what our programs said, or has us run what they
 * put there.
 */
import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { SondeError } from "../errors.ts";

const CHECKED = process.getuid !== undefined;

/** There afterwards, the user's, and closed to everybody else. Links are followed: the user may keep it elsewhere. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (!CHECKED) return;
  for (const stats of [lstatSync(path), statSync(path)]) {
    const owner = ownerProblem(stats, false);
    if (owner !== undefined) throw unsafe(path, owner);
  }
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** What says which programs we run, or is run by us: the user's or the system's, and nobody else can write to it. Nothing there is fine. */
export function checkTrusted(path: string): void {
  if (!CHECKED) return;
  const link = lstatSync(path, { throwIfNoEntry: false });
  const target = link && statSync(path, { throwIfNoEntry: false });
  for (const stats of [link, target]) {
    if (stats === undefined) continue;
    const problem = ownerProblem(stats, true) ?? openProblem(stats);
    if (problem !== undefined) throw unsafe(path, problem);
  }
}

/** Of `sudo`, the one who called it has root's rights anyway. */
function ownerProblem({ uid }: Stats, system: boolean): string | undefined {
  const own = process.getuid?.();
  const isTrusted =
    uid === own || (system && (uid === 0 || (own === 0 && uid === Number(process.env.SUDO_UID))));
  return isTrusted ? undefined : `it belongs to uid ${uid}, not to you (uid ${own})`;
}

function openProblem(stats: Stats): string | undefined {
  if (stats.isSymbolicLink() || (stats.mode & 0o002) === 0) return undefined;
  return `every user can write to it (mode ${(stats.mode & 0o7777).toString(8).padStart(4, "0")})`;
}

function unsafe(path: string, rule: string): SondeError {
  return new SondeError("PERMISSION", `${path} is not safe to use: ${rule}`, {
    hint: "remove it or change its owner and mode, or set SONDE_HOME to a folder of your own",
  });
}
