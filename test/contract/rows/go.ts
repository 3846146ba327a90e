/** Go by delve, where both are installed. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { builtFolder, compilerVersion } from "../../support/builds.ts";
import { TEST_ADAPTERS } from "../../support/sonde.ts";
import type { AdapterUnderTest } from "../adapter.ts";

const dlv = join(TEST_ADAPTERS, "delve", "dlv");

/** The goroutines' work is in the program's own file. */
const FILES: Record<string, string> = { worker: "threads.go" };

function row(version: string): AdapterUnderTest {
  return {
    name: `delve ${version}`,
    title: "Go (delve)",
    adapter: "delve",
    fixtures: "go",
    folder: () => builtFolder("go"),
    file: (program) => FILES[program] ?? `${program}.go`,
    start: (program) => [program],
    run: (program) => ({ command: join(builtFolder("go"), program), args: [] }),
    uncaught: { type: "panic", message: "cannot read 9 characters", exitCode: 2 },
    assign: (name, value) => `${name} = ${value}`,
    skip: {},
  };
}

function versions(): string[] {
  if (!existsSync(dlv) || compilerVersion("go") === undefined) return [];
  const said = spawnSync(dlv, ["version"], { encoding: "utf8" }).stdout;
  return [/^Version: (\S+)/m.exec(said)?.[1] ?? "unknown"];
}

export const goRows: AdapterUnderTest[] = versions().map(row);
