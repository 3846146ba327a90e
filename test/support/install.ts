/**
 * The product as users get it, built from the sources of this moment into a folder of its own: a build that another
 * run (or person) makes meanwhile in dist/ changes nothing under a running test.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(import.meta.dirname, "../..");
const PLACE = join(ROOT, ".sonde-test");
const HOUR_MS = 60 * 60 * 1000;

/** The folder with `bin/sonde` and `dist/` in it. The same sources give the same folder. */
export async function installed(): Promise<string> {
  const folder = join(PLACE, `build-${stamp()}`);
  if (existsSync(folder)) return folder;
  mkdirSync(PLACE, { recursive: true });
  removeOld();
  const scratch = mkdtempSync(join(PLACE, "making-"));
  try {
    const url = pathToFileURL(join(ROOT, "scripts/build.mjs")).href;
    const { install } = (await import(url)) as { install(folder: string): Promise<unknown> };
    await install(scratch);
    if (!existsSync(folder)) renameSync(scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

function stamp(): string {
  const hash = createHash("sha256");
  for (const place of ["src", "scripts", "bin", "skills"]) {
    const files = readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const path = join(file.parentPath, file.name);
      const { mtimeMs, size } = statSync(path);
      hash.update(`${path} ${mtimeMs} ${size}\n`);
    }
  }
  hash.update(String(statSync(join(ROOT, "package.json")).mtimeMs));
  return hash.digest("hex").slice(0, 12);
}

function removeOld(): void {
  for (const name of readdirSync(PLACE)) {
    const path = join(PLACE, name);
    if (Date.now() - statSync(path).mtimeMs > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
}
