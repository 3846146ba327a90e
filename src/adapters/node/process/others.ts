/** Who else can reach a port that a process opens on its loopback address: everybody on the same network of the machine. */
import { readdirSync, readFileSync, statSync } from "node:fs";

/** People; the numbers below and between are for services of the system. */
function isPerson(uid: number): boolean {
  return (uid >= 1000 && uid <= 60_000) || uid >= 65_536;
}

/** Uids of people, other than these, with processes beside `pid`. Only who has one can be quick enough for a port that is open for a moment. */
export function othersBeside(pid: number, own: readonly number[]): number[] {
  const network = networkOf(String(pid));
  const strangers = readdirSync("/proc").flatMap((name) => {
    const uids = /^\d+$/.test(name) ? uidsOf(name).filter((uid) => isPerson(uid) && !own.includes(uid)) : [];
    // A container's processes have a loopback address of their own.
    return uids.length > 0 && networkOf(name) === network ? uids : [];
  });
  return [...new Set(strangers)].sort((a, b) => a - b);
}

/** Its real and its effective one. */
function uidsOf(pid: string): number[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const [, real, effective] = /^Uid:\s+(\d+)\s+(\d+)/m.exec(status) ?? [];
    return [Number(real), Number(effective)];
  } catch {
    return []; // ended meanwhile
  }
}

/** Each network has tables of its own. Unlike its name, they can be looked at for processes of others. */
function networkOf(pid: string): number | undefined {
  return statSync(`/proc/${pid}/net/tcp`, { throwIfNoEntry: false })?.ino;
}
