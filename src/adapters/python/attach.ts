/** Whether debugpy may get into a running process, and what becomes of that process. */
import { statSync } from "node:fs";
import { platform } from "node:process";
import { SondeError } from "../../errors.ts";
import { ptraceScope, statOf, statusOf, tracerOf } from "../../util/process-facts.ts";
import { LISTEN } from "./injectors.ts";

export function checkPid(pid: number): void {
  if (platform !== "linux") return;
  const stat = statOf(pid);
  if (stat === undefined) throw new SondeError("BAD_ARGUMENT", `there is no process ${pid}`);
  const tracer = tracerOf(pid) ?? 0;
  if (tracer > 0)
    throw new SondeError("ATTACH_FAILED", `process ${pid} is already being debugged by process ${tracer}`);
  if (stat.state === "T")
    throw new SondeError(
      "ATTACH_FAILED",
      `process ${pid} is halted by a signal (SIGSTOP or similar), so nothing can run in it`,
      { hint: `\`kill -CONT ${pid}\` resumes it; then attach` },
    );
  const refused = refusal(pid);
  if (refused !== undefined)
    throw new SondeError("PERMISSION", `process ${pid} cannot be debugged: ${refused}`, {
      hint: LISTEN,
    });
}

/** CAP_SYS_PTRACE overrides the owner and all of Yama's modes but the last. */
function refusal(pid: number): string | undefined {
  const effective = statusOf("self", "CapEff") ?? "0";
  const capable = ((BigInt(`0x${effective}`) >> 19n) & 1n) === 1n;
  const scope = ptraceScope() ?? 0;
  if (scope >= 3) return "kernel.yama.ptrace_scope is 3, which forbids it to everyone";
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
