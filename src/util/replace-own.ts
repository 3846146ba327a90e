/**
 * Writes a file where the user wants it, which may be a folder that others can write to: nothing is written through a link or into what belongs to
 * somebody else. It is there whole or not at all.
 */
import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SondeError } from "../errors.ts";
import { naming } from "./file-errors.ts";

/** Whether a file of the user's was there before. */
export function replaceOwn(path: string, content: string): boolean {
  const before = naming(path, () => lstatSync(path, { throwIfNoEntry: false }));
  const wrong = before && whyNotOwn(before);
  if (wrong !== undefined)
    throw new SondeError("PERMISSION", `${path} ${wrong}, and is left as it is`, {
      hint: "give another name, or remove it first",
    });
  const aside = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}`);
  try {
    naming(path, () => {
      writeFileSync(aside, content, { mode: 0o600, flag: "wx" });
      renameSync(aside, path); // takes the place of what is there, and never writes into it
    });
  } finally {
    rmSync(aside, { force: true });
  }
  return before !== undefined;
}

function whyNotOwn(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (stats.isDirectory()) return "is a folder";
  if (!stats.isFile()) return "is no ordinary file";
  const uid = process.getuid?.();
  return uid === undefined || stats.uid === uid ? undefined : "belongs to another user";
}
