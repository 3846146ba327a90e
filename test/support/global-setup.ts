import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { builtFolder, compilerVersion } from "./builds.ts";
import { installed } from "./install.ts";
import { killAll, RUN_TAG, survivors } from "./leaks.ts";

declare module "vitest" {
  export interface ProvidedContext {
    run: string;
    /** Where the product under test is, or why it could not be built: tests that do not need it still run. */
    install: { folder: string } | { error: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = randomUUID();
  project.provide("run", run);
  project.provide("install", await installed().then(folderOf, errorOf));

  // Before the tests' own clocks run: a cold C++ folder takes ten seconds.
  for (const language of ["c", "cpp", "rust", "go"] as const)
    if (compilerVersion(language) !== undefined) builtFolder(language);

  const watchdog = spawn("/bin/sh", [join(import.meta.dirname, "watchdog.sh"), `${RUN_TAG}=${run}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();

  return async () => {
    const left = await survivors(RUN_TAG, run);
    watchdog.stdin.end("done\n");
    if (left.length === 0) return;
    process.exitCode = 1; // vitest reports an error of a teardown but exits with 0
    throw new Error(`the tests left processes behind (killed now):\n${killAll(left)}`);
  };
}

function folderOf(folder: string) {
  return { folder };
}

function errorOf(error: unknown) {
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
