import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { builtFolder, compilerVersion } from "./builds.ts";
import { installed } from "./install.ts";
import { killAll, RUN_TAG, survivors } from "./leaks.ts";

declare module "vitest" {
  export interface ProvidedContext {
    run: string;
    /** The folder of the homes whose daemons serve many tests. */
    lent: string;
    /** The folder of the Python that `python3` is, where the one on the PATH is only a script that looks for it; empty elsewhere. */
    python: string;
    /** Where the product under test is, or why it could not be built: tests that do not need it still run. */
    install: { folder: string } | { error: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = randomUUID();
  const lent = mkdtempSync(join(tmpdir(), "sonde-lent-"));
  project.provide("run", run);
  project.provide("lent", lent);
  project.provide("python", pythonBehindShim());
  const given = process.env.SONDE_TEST_BIN;
  const install = given ? { folder: resolve(given, "../..") } : await installed().then(folderOf, errorOf);
  project.provide("install", install);

  // Before the tests' own clocks run: a cold C++ folder takes ten seconds.
  for (const language of ["c", "cpp", "rust", "go"] as const)
    if (compilerVersion(language) !== undefined) builtFolder(language);

  const watchdog = spawn("/bin/sh", [join(import.meta.dirname, "watchdog.sh"), `${RUN_TAG}=${run}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();

  return async () => {
    if ("folder" in install)
      for (const name of readdirSync(lent)) endDaemon(install.folder, join(lent, name));
    const left = await survivors(RUN_TAG, run);
    watchdog.stdin.end("done\n");
    rmSync(lent, { recursive: true, force: true });
    if (left.length === 0) return;
    process.exitCode = 1; // vitest reports an error of a teardown but exits with 0
    throw new Error(`the tests left processes behind (killed now):\n${killAll(left)}`);
  };
}

function pythonBehindShim(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.find((folder) => existsSync(join(folder, "python3")));
  if (found === undefined || basename(found) !== "shims") return "";
  const asked = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return asked.status === 0 ? dirname(asked.stdout.trim()) : "";
}

function endDaemon(product: string, around: string): void {
  const env = { ...process.env, SONDE_HOME: join(around, "home") };
  spawnSync(join(product, "bin/sonde"), ["daemon", "stop"], { env, timeout: 20_000 });
}

function folderOf(folder: string) {
  return { folder };
}

function errorOf(error: unknown) {
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
