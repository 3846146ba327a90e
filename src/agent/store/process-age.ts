/** When a process began, for sessions whose tool wrote down only its number. */
import { readFileSync } from "node:fs";
import { isAlive, statOf } from "../../util/process-facts.ts";

/** What the kernel counts in, for programs. */
const TICKS_A_SECOND = 100;
/** Clocks on the wall are set, and a session is written down a little after its process began. */
const TOLERANCE_MS = 60_000;

/** Whether a process of this number is alive and was there already at that time. Where it cannot be known, the number decides. */
export function wasAlive(pid: number, at: string): boolean {
  if (!isAlive(pid)) return false;
  const began = beginningOf(pid);
  const time = Date.parse(at);
  return began === undefined || Number.isNaN(time) || began <= time + TOLERANCE_MS;
}

function beginningOf(pid: number): number | undefined {
  try {
    const born = Number(statOf(pid)?.born);
    const uptime = Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]);
    const age = uptime - born / TICKS_A_SECOND;
    return Number.isFinite(age) ? Date.now() - age * 1000 : undefined;
  } catch {
    return undefined; // not Linux
  }
}
