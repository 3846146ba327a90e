/** A file that is there whole or not at all, whoever else writes it at the same time. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PRIVATE_FILE } from "./layout.ts";

let count = 0;

/** A name beside it that nobody else uses. */
export function nameAside(path: string): string {
  count += 1;
  return join(dirname(path), `.${basename(path)}.${process.pid}.${count}`);
}

export function writeWhole(path: string, content: string | Uint8Array): void {
  const aside = nameAside(path);
  try {
    // A file of this name can only be left from a process that had our number.
    rmSync(aside, { force: true });
    writeFileSync(aside, content, { mode: PRIVATE_FILE, flag: "wx" });
    renameSync(aside, path);
  } catch (thrown) {
    rmSync(aside, { force: true });
    throw thrown;
  }
}
