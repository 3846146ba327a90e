/** gdb's command language, and the programs it takes. */
import { SondeError } from "../../errors.ts";
import type { Host, LaunchPlan } from "../adapter.ts";
import { isMachineCode } from "../kit/files.ts";
import { probe, versionOf } from "../kit/find.ts";
import { type Runnable, runnableOf } from "../native/runnable.ts";

/** The executable of a plan, however it was asked for. */
export async function programOf(plan: LaunchPlan, host: Host): Promise<Runnable> {
  const runnable = await runnableOf(plan, host);
  // gdb would say much later, or never, that it cannot run it.
  if (isMachineCode(runnable.program)) return runnable;
  throw new SondeError("BAD_ARGUMENT", `${runnable.program} is not an executable of this system`, {
    hint: "build it with debug information (-g), then start the result",
  });
}

/** `13.1` of `GNU gdb (Debian 13.1-3) 13.1`. */
export async function gdbVersion(gdb: string): Promise<string | undefined> {
  const line = (await probe(gdb, ["--version"]))?.split("\n")[0];
  return versionOf(line?.replace(/\(.*\)/, ""));
}

/** What its user may type where an expression is wanted. */
export const GDB_WORDS = [
  "info",
  "p",
  "print",
  "x",
  "ptype",
  "whatis",
  "bt",
  "backtrace",
  "frame",
  "thread",
  "disassemble",
  "break",
  "watch",
  "show",
  "list",
];
