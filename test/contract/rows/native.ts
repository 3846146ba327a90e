/** LLDB's adapter: today's, for three languages, and the oldest that is still about, under the name it had. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findLldb } from "../../../src/adapters/lldb/find.ts";
import { builtFolder, compilerVersion, type Language } from "../../support/builds.ts";
import { TEST_ADAPTERS } from "../../support/sonde.ts";
import type { AdapterUnderTest } from "../adapter.ts";

const EXTENSIONS = { c: ".c", cpp: ".cpp", rust: ".rs" };

const NO_CHILDREN = "LLDB follows one process; a child it starts runs undebugged";
const ONE_PROCESS = { "a breakpoint in a child process": NO_CHILDREN };

function lldb(
  language: Exclude<Language, "go">,
  row: Pick<AdapterUnderTest, "name" | "title" | "uncaught" | "skip"> & { config?: string },
): AdapterUnderTest {
  const file = (program: string) => `${program === "worker" ? "threads" : program}${EXTENSIONS[language]}`;
  return {
    adapter: "lldb",
    fixtures: language,
    folder: () => builtFolder(language),
    file,
    start: (program) => [program, "--adapter", "lldb"],
    run: (program) => ({ command: join(builtFolder(language), program), args: [] }),
    assign: (name, value) => `${name} = ${value}`,
    ...row,
  };
}

const segfault = { type: "SIGSEGV", message: "address", exitCode: 139 };
const cSkips = {
  ...ONE_PROCESS,
  "stop leaves nothing but the daemon": NO_CHILDREN,
  "caught exceptions stop only when asked for": "C has no exceptions",
};

/** Unpacked by the recipe that needs no root: two packages of LLDB cannot be installed at once. */
const OLD = resolve(import.meta.dirname, "../../../.adapters/lldb-16/usr/lib/llvm-16/bin/lldb-vscode");

const env = process.env as Record<string, string>;
const lldbDap = await findLldb({ env, cwd: "/", adapters: TEST_ADAPTERS });

const ofToday = (version: string): AdapterUnderTest[] => [
  lldb("c", {
    name: `lldb-dap ${version} (C)`,
    title: "C (LLDB)",
    uncaught: segfault,
    skip: cSkips,
  }),
  lldb("cpp", {
    name: `lldb-dap ${version} (C++)`,
    title: "C++ (LLDB)",
    uncaught: { type: "std::range_error", message: "cannot read 9 characters", exitCode: 134 },
    skip: { ...ONE_PROCESS, "stop leaves nothing but the daemon": NO_CHILDREN },
  }),
  lldb("rust", {
    name: `lldb-dap ${version} (Rust)`,
    title: "Rust (LLDB)",
    uncaught: { type: "panic", message: "cannot read 9 characters", exitCode: 101 },
    skip: { ...ONE_PROCESS, "stop leaves nothing but the daemon": NO_CHILDREN },
  }),
];

const canBuild = (row: AdapterUnderTest) => compilerVersion(row.fixtures as Language) !== undefined;

export const nativeRows: AdapterUnderTest[] = [
  ...(lldbDap.ok ? ofToday(String(Number.parseInt(lldbDap.version, 10))).filter(canBuild) : []),
  ...(existsSync(OLD)
    ? [
        lldb("c", {
          name: "lldb-vscode 16 (C)",
          title: "C (LLDB 16)",
          config: `[adapters.lldb]\ncommand = "${OLD}"\n`,
          uncaught: segfault,
          skip: cSkips,
        }),
      ]
    : []),
];
