/** Whether the system lets us trace a process: asked before a debugger is started, because debuggers only say "lost connection". */
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { SondeError } from "../../errors.ts";
import { executableName, ptraceScope, statOf, statusOf, tracerOf } from "../../util/process-facts.ts";

/** Opening a process's memory needs the very permission that tracing it needs. Where there is no /proc the debugger is left to find out. */
export function checkTraceable(pid: number): void {
  const tracer = tracerOf(pid) ?? 0;
  if (tracer !== 0)
    throw new SondeError(
      "ATTACH_FAILED",
      `process ${pid} is already being traced by process ${tracer} (${executableName(tracer) ?? "unknown"})`,
      { hint: "a process can have only one debugger at a time; end that one first" },
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

const LOOK_MS = 10;

/** Resolves when nobody traces it any more. Nothing announces that, so it is looked for; never where there is no /proc. */
export async function untraced(pid: number): Promise<void> {
  let tracer = tracerOf(pid);
  for (; tracer; tracer = tracerOf(pid)) await delay(LOOK_MS);
  if (tracer === undefined) await new Promise(() => {});
}

/** Resolves when its debugger holds it no longer, or it has ended: looked for, as above. */
export async function resumed(pid: number): Promise<void> {
  while (statOf(pid)?.state === "t") await delay(LOOK_MS);
}

function reason(pid: number): string {
  const owner = Number.parseInt(statusOf(pid, "Uid") ?? "-1", 10);
  if (owner !== process.getuid?.()) return `it belongs to user ${owner}`;
  const scope = ptraceScope() ?? 0;
  if (scope > 0) return `kernel.yama.ptrace_scope is ${scope}, so only its parent may`;
  return "it has more privileges than you, or the container forbids it";
}
