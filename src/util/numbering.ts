/** Numbers of kept things: none is given twice, also when what had the highest was removed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = ".last-number";

/** The highest that was ever given in this folder, as far as is known. */
export function lastNumber(folder: string): number {
  try {
    const text = readFileSync(join(folder, FILE), "utf8").trim();
    return /^\d{1,15}$/.test(text) ? Number(text) : 0;
  } catch {
    return 0; // none yet, or not to be read: then those that are there say
  }
}

export function rememberNumber(folder: string, number: number): void {
  if (number <= lastNumber(folder)) return;
  try {
    writeFileSync(join(folder, FILE), `${number}\n`, { mode: 0o600 });
  } catch {
    // Then numbers may begin again after everything is removed; nothing else is lost.
  }
}
