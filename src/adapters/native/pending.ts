/** Signals that were sent to a process and have reached none of its threads yet, by /proc: none are known where there is none. */
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** Whether it waits for the process as a whole, or for one of its threads. */
export function isPending(pid: number, signal: NodeJS.Signals): boolean {
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) =>
      pendingSets(`/proc/${pid}/task/${thread}/status`).some((set) => (set & bit) !== 0n),
    );
  } catch {
    return false; // it has ended
  }
}

function pendingSets(status: string): bigint[] {
  const lines = readFileSync(status, "latin1").matchAll(/^(?:Sig|Shd)Pnd:\s*([0-9a-f]+)$/gm);
  return [...lines].map(([, set]) => BigInt(`0x${set}`));
}
