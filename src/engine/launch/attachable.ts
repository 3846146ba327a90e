/** Whether a process can be attached to at all, asked before any debugger is started for it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { SondeError } from "../../errors.ts";
import { processIds, statOf } from "../../util/process-facts.ts";

export function checkPid(pid: number): void {
  if (pid === process.pid)
    throw new SondeError("ATTACH_FAILED", `process ${pid} is sonde's own daemon`, {
      hint: "it cannot debug itself; give the pid of your program",
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
  if (statOf(pid)?.state === "Z")
    throw new SondeError(
      "ATTACH_FAILED",
      `process ${pid} has ended; it is a zombie: its parent has not read its exit status`,
    );
}

const LISTENING = "0A";

/**
 * The process that listens on a port of this machine, by what the kernel says of it: a debugger that waits for one caller would take
 * a look for that caller. Nothing if it cannot be told (another user's process, no /proc).
 */
export function listenerAt(port: number): number | undefined {
  const inodes = listenersOn(port);
  if (inodes === undefined) return undefined;
  if (inodes.size === 0)
    throw new SondeError("ATTACH_FAILED", `nothing listens on port ${port} of this machine`, {
      hint: "give the port that the program's debugger printed; `ss -ltn` lists the open ones",
    });
  return processIds().find((pid) =>
    entriesOf(`/proc/${pid}/fd`).some((fd) => inodes.has(linkOf(`/proc/${pid}/fd/${fd}`))),
  );
}

/** As the links to them are called; https://docs.kernel.org/networking/proc_net_tcp.html */
function listenersOn(port: number): Set<string> | undefined {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const found = new Set<string>();
  try {
    for (const table of ["/proc/net/tcp", "/proc/net/tcp6"])
      for (const row of readFileSync(table, "latin1").split("\n").slice(1)) {
        const columns = row.trim().split(/\s+/);
        if (columns[1]?.endsWith(end) && columns[3] === LISTENING) found.add(`socket:[${columns[9]}]`);
      }
    return found;
  } catch {
    return undefined; // no such tables
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone, or another user's
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
