/** The programs that are measured, copied to where they may be built. */
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAMS = join(dirname(fileURLToPath(import.meta.url)), "programs");

export function copied({ cwd }, name) {
  const target = join(cwd, name);
  copyFileSync(join(PROGRAMS, name), target);
  return target;
}

export function lineOf(source) {
  return (
    readFileSync(source, "utf8")
      .split("\n")
      .findIndex((line) => line.includes("@marker stop")) + 1
  );
}
