/** Whether a process is no more, or only waits for its parent to notice. Where there is no /proc nothing is known. */
import { existsSync, readFileSync } from "node:fs";

export function hasDied(pid: number): boolean {
  if (!existsSync("/proc/self/stat")) return false;
  try {
    // The state follows the name, which is in parentheses and may hold any character.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return true;
  }
}
