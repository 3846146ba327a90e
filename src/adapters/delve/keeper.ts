/**
 * A shell that holds on to the connection of a dlv that has attached to a process, and to what dlv prints, so that dlv notices nothing when
 * this process is killed. It then becomes keeper.entry.cjs, which takes leave of the program in an orderly way.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { AdapterProcess } from "../../dap/process.ts";
import { ownFile } from "../../util/own-file.ts";

/** It reads a line when it is not needed any more, and the end of its input when this process has ended. */
const SCRIPT = 'read -r dismissed && exit 0; exec "$@"';

export function keep(
  { child: dlv }: AdapterProcess,
  connection: Socket,
  { pid, isHalted }: { pid: number; isHalted: boolean },
): void {
  const held = [connection, dlv.stdout, dlv.stderr].map(descriptorOf);
  if (process.platform === "win32" || held.includes(undefined)) return;
  const words = [
    process.execPath,
    ownFile("adapters/delve/keeper.entry.cjs"),
    String(pid),
    isHalted ? "halted" : "",
  ];
  const keeper = spawn("/bin/sh", ["-c", SCRIPT, "sonde-keeper", ...words], {
    stdio: ["pipe", "ignore", "ignore", ...(held as number[])],
    detached: true, // a signal to our group must not take it along
    cwd: "/",
  });
  keeper.on("error", () => {}); // without it dlv leaves in its own way
  keeper.stdin?.on("error", () => {});
  const dismiss = () => keeper.stdin?.end("dismissed\n");
  if (dlv.exitCode !== null || dlv.signalCode !== null) dismiss();
  else dlv.once("exit", dismiss);
  keeper.unref();
  (keeper.stdin as { unref?: () => void } | null)?.unref?.();
}

function descriptorOf(stream: Socket | Readable | null): number | undefined {
  const descriptor = (stream as { _handle?: { fd?: unknown } } | null)?._handle?.fd;
  return typeof descriptor === "number" && descriptor >= 0 ? descriptor : undefined;
}
