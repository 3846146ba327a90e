/** Whether a process can be attached to at all, asked before any debugger is started for it. */
import { readFileSync } from "node:fs";
import { SondeError } from "../errors.ts";

export function checkPid(pid: number): void {
  if (pid === process.pid)
    throw new SondeError("ATTACH_FAILED", `process ${pid} is sonde's own daemon`, {
      hint: "it cannot stop and answer at once; give the pid of your program",
    });
  try {
    process.kill(pid, 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPERM")
      throw new SondeError("PERMISSION", `process ${pid} belongs to another user`, {
        hint: "run sonde as that user; `ps -o user= -p <pid>` names it",
      });
    throw new SondeError("ATTACH_FAILED", `there is no process ${pid}`, {
      hint: "`pgrep -fl <name>` finds the pid of a running program",
    });
  }
  if (stateOf(pid) === "Z")
    throw new SondeError(
      "ATTACH_FAILED",
      `process ${pid} has ended; only its exit status is left, for its parent to read (a zombie)`,
    );
}

/** As ps shows it; nothing where there is no /proc. */
function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
