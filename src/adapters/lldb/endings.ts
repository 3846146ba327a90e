/** How the program ended: by an exit code or by a signal, which lldb-dap reports as the same number. */

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../util/left-folders.ts";
import type { Wire } from "../kit/dialect.ts";
import { type Exit, killedBy, signalNumber } from "../native/signals.ts";
import { command } from "./ask.ts";

/** By the last packet from LLDB's server, `W03` or `X0b`; where those are not kept, by the signal it had stopped at. */
export async function howItEnded(
  wire: Wire,
  exitCode: number,
  known: { packets: boolean; lastSignal: string | undefined },
): Promise<Exit> {
  const packet = known.packets ? await lastPacket(wire) : undefined;
  if (packet?.startsWith("X")) return killedBy(Number.parseInt(packet.slice(1), 16));
  if (packet?.startsWith("W")) return { exitCode };
  const signal = known.lastSignal === undefined ? undefined : signalNumber(known.lastSignal);
  return signal === exitCode ? killedBy(exitCode) : { exitCode };
}

/** In a file: on its console the text arrives when it likes. */
async function lastPacket(wire: Wire): Promise<string | undefined> {
  const folder = temporaryFolder("end");
  const file = join(folder, "packets");
  try {
    await command(wire, `log dump -f "${file}" gdb-remote`);
    return [...readFileSync(file, "latin1").matchAll(/got packet: ([WX][0-9a-f]{2})/g)].at(-1)?.[1];
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
