/** Whether the system lets us trace a process: asked before a debugger is started, because debuggers only say "lost connection". */
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { SondeError } from "../../errors.ts";
import { executableName } from "../kit/pid.ts";

/** Opening a process's memory needs the very permission that tracing it needs. Where there is no /proc the debugger is left to find out. */
export function checkTraceable(pid: number): void {
  const tracer = tracerOf(pid) ?? 0;
  if (tracer !== 0)
    throw new SondeError(
      "ATTACH_FAILED",
      `process ${pid} is being traced by process ${tracer} (${executableName(tracer) ?? "unknown"}) already`,
      { hint: "a process has one debugger at a time; end that one first" },
    );
  try {
    closeSync(openSync(`/proc/${pid}/mem`, "r"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") return;
    throw new SondeError("PERMISSION", `the system does not let you trace process ${pid}: ${reason(pid)}`, {
      hint: "start the program under sonde instead, or as root: `sysctl kernel.yama.ptrace_scope=0`; in a container: --cap-add=SYS_PTRACE",
    });
  }
}

/** Nothing where there is no /proc. */
export function tracerOf(pid: number): number | undefined {
  const tracer = /^TracerPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return tracer === undefined ? undefined : Number(tracer);
}

/** As ps shows it: `t` is one that its debugger holds, `Z` one that is dead. Nothing when it is gone, or where there is no /proc. */
export function processState(pid: number): string | undefined {
  return /^State:\s*(\w)/m.exec(read(`/proc/${pid}/status`))?.[1];
}

const LOOK_MS = 10;

/** Resolves when nobody traces it any more. Nothing announces that, so it is looked for; never where there is no /proc. */
export async function untraced(pid: number): Promise<void> {
  let tracer = tracerOf(pid);
  for (; tracer; tracer = tracerOf(pid)) await delay(LOOK_MS);
  if (tracer === undefined) await new Promise(() => {});
}

function reason(pid: number): string {
  const owner = Number(/^Uid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? -1);
  if (owner !== process.getuid?.()) return `it belongs to user ${owner}`;
  const scope = Number(read("/proc/sys/kernel/yama/ptrace_scope") || 0);
  if (scope > 0) return `kernel.yama.ptrace_scope is ${scope}, so only its parent may`;
  return "it has more privileges than you, or the container forbids it";
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
