/** Tests that Maven runs: surefire starts a JVM for them and takes the option with which that one calls us. Maven's own JVM is not debugged. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** It compiles first, and may download what it needs. */
const LAUNCH_MS = 600_000;
const MOST_FOLDERS = 2_000;
const ROOTS = ["src/main/java", "src/test/java"];
const SKIPPED = /^(?:node_modules|target|\..+|src)$/;

export function isMaven(command: string): boolean {
  return /^mvnw?$/.test(basename(command));
}

export function mavenCommand(java: string, args: string[], cwd: string) {
  return {
    java,
    args,
    sourceRoots: moduleRoots(cwd),
    launchMs: LAUNCH_MS,
    withAgent: (agent: string) => [`-Dmaven.surefire.debug=${agent}`, `-Dmaven.failsafe.debug=${agent}`],
  };
}

/** A project may have modules, each with sources of its own. */
function moduleRoots(cwd: string): string[] {
  const folders = [cwd];
  for (const folder of folders) {
    const below = existsSync(join(folder, "pom.xml")) || folder === cwd ? foldersIn(folder) : [];
    if (folders.length < MOST_FOLDERS) folders.push(...below);
  }
  return folders
    .flatMap((folder) => ROOTS.map((root) => join(folder, root)))
    .filter((root) => existsSync(root));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name))
      .map((entry) => join(folder, entry.name));
  } catch {
    return []; // not ours to read
  }
}
