/** Whether debugpy may get into a running process, and what becomes of that process. */
import { readFileSync, statSync } from "node:fs";
import { platform } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { SondeError } from "../../errors.ts";
import { LISTEN } from "./injectors.ts";

export function checkPid(pid: number): void {
  if (platform !== "linux") return;
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) throw new SondeError("BAD_ARGUMENT", `there is no process ${pid}`);
  const tracer = tracerOf(status);
  if (tracer > 0)
    throw new SondeError("ATTACH_FAILED", `process ${pid} is being debugged by process ${tracer} already`);
  if (/^State:\s*T/m.test(status))
    throw new SondeError(
      "ATTACH_FAILED",
      `process ${pid} is halted by a signal (SIGSTOP or the like), so nothing can run in it`,
      { hint: `\`kill -CONT ${pid}\` lets it run on; then attach` },
    );
  const refused = refusal(pid);
  if (refused !== undefined)
    throw new SondeError("PERMISSION", `process ${pid} may not be debugged: ${refused}`, {
      hint: LISTEN,
    });
}

const LET_GO_MS = 5000;
const LOOK_MS = 20;

/** When the debugger that brought debugpy in has let go of the process; the system tells nobody, so it is looked at. */
export async function untraced(pid: number): Promise<void> {
  const deadline = performance.now() + LET_GO_MS;
  while (tracerOf(read(`/proc/${pid}/status`) ?? "") > 0 && performance.now() < deadline)
    await delay(LOOK_MS);
}

/** Ended, or ended and not yet waited for by its parent. */
export function isGone(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  if (stat !== undefined) return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function tracerOf(status: string): number {
  return Number(/^TracerPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
}

/** CAP_SYS_PTRACE overrides the owner and all of Yama's modes but the last. */
function refusal(pid: number): string | undefined {
  const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(read("/proc/self/status") ?? "")?.[1] ?? "0";
  const capable = ((BigInt(`0x${effective}`) >> 19n) & 1n) === 1n;
  const scope = Number(read("/proc/sys/kernel/yama/ptrace_scope")?.trim() ?? 0);
  if (scope >= 3) return "kernel.yama.ptrace_scope is 3, which forbids it to everybody";
  if (capable) return undefined;
  if (ownerOf(pid) !== process.getuid?.()) return "it belongs to another user";
  if (scope >= 1)
    return `kernel.yama.ptrace_scope is ${scope}, so only ${scope === 1 ? "its own parent" : "root"} may (\`sudo sysctl kernel.yama.ptrace_scope=0\` allows it)`;
  return undefined;
}

export function ownerOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
