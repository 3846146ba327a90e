/** What a running process is, by /proc where there is one. */
import { readlinkSync } from "node:fs";
import { basename } from "node:path";

export function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
  } catch {
    return undefined; // not Linux, another user's, or gone
  }
}

export function executableName(pid: number): string | undefined {
  const path = executableOf(pid);
  return path === undefined ? undefined : basename(path);
}
