/** Whether a pid that was written down is still the same process: numbers are used again. */
import { readFileSync } from "node:fs";

/** One word: the boot it lives in and when in it the process began. Undefined when it is gone, or where there is no /proc. */
export function identityOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // Counted from the last `)`, because the program's name may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended, though nobody has collected it yet.
  if (fields[0] === "Z" || fields[19] === undefined) return undefined;
  return `${(read("/proc/sys/kernel/random/boot_id") ?? "").trim()}:${fields[19]}`;
}

/** `identity`: what `identityOf` said of it, if it could. */
export function isSameProcess(pid: number, identity: string | undefined): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (identity !== undefined) return identityOf(pid) === identity;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
