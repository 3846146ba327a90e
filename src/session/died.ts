/** Whether a process is no more, or only waits for its parent to notice. Where there is no /proc nothing is known. */
import { existsSync, readFileSync } from "node:fs";

/** …and no child of ours, whose end we are about to be told of. */
export function isOver(pid: number): boolean {
  return hasDied(pid) && parentOf(pid) !== process.pid;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

export function hasDied(pid: number): boolean {
  try {
    // The state follows the name, which is in parentheses and may hold any character.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return existsSync("/proc/self/stat");
  }
}
