/**
 * What brings debugpy into a running process by calling functions there: a script of ours, or a debugger where that cannot. Not every
 * one can on every machine: a gdb that does not know the size of the processor's registers ends the process it tries it with. So each
 * is tried on a process of ours first.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { ownFile } from "../../util/own-file.ts";
import { wait } from "../../util/wait.ts";
import type { Where } from "../adapter.ts";
import { askProgram, isExecutable, remembered, toolOnPath, toolVersioned } from "../kit/find.ts";
import { findLldb, runEnvironment } from "../lldb/find.ts";

export interface Injector {
  kind: "ptrace" | "lldb" | "gdb";
  /** The debugger, or the Python that runs the script. */
  path: string;
  /** Where its libraries are, if the system does not know. */
  libraries?: string;
}

export const LISTEN = advice`start the program with \`python -m debugpy --listen 5678 …\` and ${call("attach", { port: "5678", adapter: "debugpy" })}`;
const INSTALL = advice`${call("setup", { names: ["c"] })} installs LLDB, which can do it; or ${LISTEN}`;

/** The first that can; `python` is any that runs. */
export async function injectorFor(python: string, where: Where): Promise<Injector> {
  const unable: string[] = [];
  for await (const injector of candidates(python, where)) {
    const problem = await remembered(
      tried,
      `${injector.kind} ${injector.path} ${statSync(injector.path).mtimeMs}`,
      () => inability(injector, python),
      (answer) => answer === undefined,
    );
    if (problem === undefined) return injector;
    unable.push(`${injector.path}: ${problem}`);
  }
  if (unable.length === 0)
    throw new SondeError(
      "ATTACH_FAILED",
      "attaching to a running Python process needs LLDB or gdb, and neither is installed",
      { hint: INSTALL },
    );
  const forbidden = unable.every((one) => /not permitted|denied/i.test(one));
  throw new SondeError(
    forbidden ? "PERMISSION" : "ATTACH_FAILED",
    `no debugger here can inject debugpy into a running process; tried on one of sonde's own processes (${unable.join("; ")}); yours was not touched`,
    {
      hint: forbidden
        ? advice`allow debugging here (a container needs the SYS_PTRACE capability), or ${LISTEN}`
        : INSTALL,
    },
  );
}

const tried = new Map<string, Promise<string | undefined>>();

async function* candidates(python: string, where: Where): AsyncGenerator<Injector> {
  if (process.arch === "x64") yield { kind: "ptrace", path: python };
  const seen = new Set<string>();
  for (const find of [named, besideAdapter]) {
    const path = await find(where);
    if (path === undefined || seen.has(realpathSync(path))) continue;
    seen.add(realpathSync(path));
    const { LD_LIBRARY_PATH: libraries } = runEnvironment(path, {});
    yield { kind: "lldb", path, ...(libraries === undefined ? {} : { libraries }) };
  }
  const gdb = toolOnPath("gdb", where);
  if (gdb !== undefined) yield { kind: "gdb", path: gdb };
}

function named(where: Where): string | undefined {
  return toolVersioned(["lldb"], where);
}

async function besideAdapter({ settings: _, ...where }: Where): Promise<string | undefined> {
  const found = await findLldb(where);
  const path = found.ok ? join(dirname(realpathSync(found.path)), "lldb") : "";
  return isExecutable(path) ? path : undefined;
}

const TRY_MS = 30_000;

/** Why it cannot call a function of another process, seen on a process that ends with us. */
async function inability(injector: Injector, python: string): Promise<string | undefined> {
  const code = "import sys; print(flush=True); sys.stdin.read()";
  const child = spawn(python, ["-I", "-S", "-c", code], { stdio: ["pipe", "pipe", "ignore"] });
  try {
    const ready = Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    if (!(await wait(ready, { timeoutMs: TRY_MS })).done || child.exitCode !== null)
      return `${python} does not run`;
    const { pid = 0 } = child;
    const env = runEnvironment(injector.path, process.env as Record<string, string>);
    const said = await askProgram(injector.path, callOf(injector.kind, pid), { env, timeoutMs: TRY_MS });
    const words = `${said.stdout}\n${said.stderr}`;
    if (new RegExp(`= ${pid}$`, "m").test(words)) return undefined;
    return telling(words) ?? said.problem ?? "it did not call the function";
  } catch (error) {
    return (error as Error).message;
  } finally {
    child.kill("SIGKILL");
  }
}

/** What a debugger says of its failure, among the rest. */
export function telling(words: string): string | undefined {
  return words
    .split("\n")
    .map((line) => line.replace(/^error: /, "error ").trim())
    .find((line) => /^(unable:|error|Couldn't|Could not|Cannot|ptrace|No symbol)|not permitted/.test(line))
    ?.replace(/^(error|unable:) /, "");
}

function callOf(kind: Injector["kind"], pid: number): string[] {
  if (kind === "ptrace")
    return ["-I", ownFile("adapters/python/boot/sonde_ptrace.py"), JSON.stringify({ pid })];
  if (kind === "gdb") {
    const quiet = ["-nx", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off"];
    return [...quiet, "-p", String(pid), "-ex", "call (int)getpid()"];
  }
  const settings = [
    "target.preload-symbols false",
    "symbols.enable-external-lookup false",
    "target.load-script-from-symbol-file false",
  ].flatMap((one) => ["-O", `settings set ${one}`]);
  const call = "expression -l c -- ((int (*)(void))getpid)()";
  return ["--no-lldbinit", "--batch", ...settings, "-p", String(pid), "-o", call, "-o", "process detach"];
}
