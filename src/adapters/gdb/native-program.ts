/** Which programs and processes gdb is for. */
import { SondeError } from "../../errors.ts";
import type { Host, LaunchPlan, Sample } from "../adapter.ts";
import { isMachineCode } from "../kit/files.ts";
import { onPath, probe, versionOf } from "../kit/find.ts";
import { runCargo } from "../native/cargo.ts";

/** A word of a gdb command, whatever it holds. */
export function gdbWord(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

export interface Runnable {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** The executable of a plan, however it was asked for. */
export async function programOf(plan: LaunchPlan, host: Host): Promise<Runnable> {
  const { program, args, cwd, env } = plan;
  if (program !== undefined) return checked({ program, args, cwd, env });
  const [first = "", ...rest] = plan.command ?? [];
  const path = onPath(first, host.where);
  if (path === undefined) throw new SondeError("LAUNCH_FAILED", `there is no program ${first}`);
  if (/(^|\/)cargo$/.test(first)) return runCargo(path, rest, { cwd, env }, host);
  return checked({ program: path, args: rest, cwd, env });
}

/** gdb would say much later, or never, that it cannot run it. */
function checked(runnable: Runnable): Runnable {
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

export const NATIVE_SAMPLE: Sample = {
  file: "sample.c",
  text: '#include <stdio.h>\nint main(void) {\n  int answer = 6 * 7;\n  printf("%d\\n", answer);\n  return 0;\n}\n',
  line: 4,
  shows: { name: "answer", value: "42" },
};
