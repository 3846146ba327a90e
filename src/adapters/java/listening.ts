/** Where a running JVM listens for a debugger: one that was not started with the agent cannot be given it later. */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";

const AGENT = /-(?:agentlib:|Xrun)jdwp[=:](\S*)/;

export function debugPort(pid: number): number {
  const options = AGENT.exec(commandLine(pid))?.[1];
  if (options === undefined || !/server=y/.test(options))
    throw new SondeError(
      "UNSUPPORTED",
      `process ${pid} was started without Java's debug agent, which cannot be added later`,
      {
        hint: "start it with -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:5005, or under sonde",
      },
    );
  const port = Number(/address=(?:[^,]*:)?(\d+)/.exec(options)?.[1] ?? 0);
  if (port > 0) return port;
  const [only, ...others] = listeningPorts(pid);
  if (only !== undefined && others.length === 0) return only;
  throw new SondeError("BAD_ARGUMENT", `process ${pid} chose its own debug port, and listens on several`, {
    hint: advice`${call("attach", { port: blank("the port it printed"), adapter: "java" })}`,
  });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    throw new SondeError("ATTACH_FAILED", `there is no process ${pid}, or its command line cannot be read`, {
      hint: advice`${call("attach", { port: blank("its debug port"), adapter: "java" })}`,
    });
  }
}

/** By the kernel's tables: sockets of this process that listen. */
function listeningPorts(pid: number): number[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    }),
  );
  const rows = ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n").slice(1),
  );
  const ports = rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
    return state === "0A" && own.has(inode) ? [Number.parseInt(local.split(":").at(-1) ?? "", 16)] : [];
  });
  return [...new Set(ports)];
}
