/** gdb: one that speaks DAP itself, where there is one, and an older one through cdt-gdb-adapter. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { builtFolder } from "../../support/builds.ts";
import { TEST_ADAPTERS } from "../../support/sonde.ts";
import type { AdapterUnderTest } from "../adapter.ts";

const NO_CHILDREN = "gdb stays with the parent process, and the adapter has one process a session";

function row(
  own: Pick<AdapterUnderTest, "name" | "title" | "adapter"> & {
    config?: string;
    skip?: Record<string, string>;
  },
): AdapterUnderTest {
  return {
    fixtures: "c",
    folder: () => builtFolder("c"),
    // The threads' work is in the program's own file.
    file: (program) => `${program === "worker" ? "threads" : program}.c`,
    start: (program) => [program, "--adapter", own.adapter],
    run: (program) => ({ command: join(builtFolder("c"), program), args: [] }),
    uncaught: { type: "SIGSEGV", message: "Segmentation fault", exitCode: 139 },
    assign: (name, value) => `${name} = ${value}`,
    ...own,
    skip: {
      "caught exceptions stop only when asked for": "C has no exceptions",
      "a breakpoint in a child process": NO_CHILDREN,
      "stop leaves nothing but the daemon": NO_CHILDREN,
      ...own.skip,
    },
  };
}

function versionOf(gdb: string): string | undefined {
  const { status, stdout } = spawnSync(gdb, ["--version"], { encoding: "utf8" });
  return status === 0 ? /(\d+\.\d+)\s*$/m.exec(stdout)?.[1] : undefined;
}

/** A newer one than the system's, unpacked for the tests. */
const NEWER = resolve(import.meta.dirname, "../../../.adapters/gdb-16/gdb");

function native(): AdapterUnderTest[] {
  const path = [NEWER, "gdb"].find((one) => Number.parseInt(versionOf(one) ?? "0", 10) >= 14);
  if (path === undefined) return [];
  const config = `[adapters.gdb]\ncommand = "${path}"\n`;
  return [row({ name: `gdb ${versionOf(path)} (C)`, title: "C (gdb)", adapter: "gdb", config })];
}

function throughCdt(): AdapterUnderTest[] {
  const version = versionOf("gdb");
  if (version === undefined || !existsSync(join(TEST_ADAPTERS, "cdt-gdb"))) return [];
  const name = `cdt-gdb-adapter 1.7 (gdb ${Number.parseInt(version, 10)}, C)`;
  return [row({ name, title: "C (older gdb)", adapter: "cdt-gdb" })];
}

export const gdbRows: AdapterUnderTest[] = [...throughCdt(), ...native()];
