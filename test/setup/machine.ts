/** Machines that lack things: a home without adapters, and a PATH that holds just what a test puts there. */
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Sonde } from "../support/sonde.ts";

/** This sonde has nothing installed, and does not see what the other tests use. */
export function withoutAdapters(sonde: Sonde): void {
  rmSync(join(sonde.home, "share", "adapters"));
}

/** A folder for a PATH: Node, a shell and `sleep`, then programs by name and script. */
export function pathWith(sonde: Sonde, programs: Record<string, string> = {}): string {
  const folder = join(sonde.home, "..", "path");
  mkdirSync(folder, { recursive: true });
  symlinkSync(process.execPath, join(folder, "node"));
  for (const tool of ["sh", "sleep"]) symlinkSync(`/bin/${tool}`, join(folder, tool));
  for (const [name, script] of Object.entries(programs))
    chmodSync(sonde.write(join(folder, name), `#!/bin/sh\n${script}\n`), 0o755);
  return folder;
}
