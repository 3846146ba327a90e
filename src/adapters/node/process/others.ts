/** Who else is on this machine: a port on the loopback address is open to each of them. */
import { readdirSync, readFileSync } from "node:fs";

/** Below are the system's own services; the last is for those that are trusted with nothing. */
const FIRST_PERSON = 1000;

/** Uids of people, other than these, that have processes here. Only who has one can be quick enough to use a port that is open for a moment. */
export function othersHere(own: readonly number[]): number[] {
  const uids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? uidsOf(name) : []));
  return [...new Set(uids)].filter((uid) => uid >= FIRST_PERSON && !own.includes(uid)).sort((a, b) => a - b);
}

/** Its real and its effective one. */
function uidsOf(pid: string): number[] {
  try {
    const [, real, effective] =
      /^Uid:\s+(\d+)\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return [Number(real), Number(effective)];
  } catch {
    return []; // ended meanwhile
  }
}
