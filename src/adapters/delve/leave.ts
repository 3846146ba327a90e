/**
 * Leaving a program that dlv launched: over DAP it always kills those. So it is made to stand still, the breakpoints are taken out of
 * its code, and then dlv itself is killed: the system lets a program run on whose debugger is gone.
 */
import { statOf } from "../../util/process-facts.ts";
import { wait } from "../../util/wait.ts";
import { untraced } from "../native/ptrace.ts";
import { Traps } from "../native/traps.ts";

/** How long it may take to stop, and dlv to be gone. */
const STOP_MS = 3000;

export interface Launched {
  /** The program, and what it started that dlv debugs too. */
  pids: readonly number[];
  /** Resolves when it stands still, or has ended. */
  standstill(): Promise<void>;
  kill(): void;
}

export async function leave({ pids, standstill, kill }: Launched): Promise<void> {
  const held = await wait(standstill(), { timeoutMs: STOP_MS });
  if (!held.done) throw new Error("the program could not be stopped to take delve's breakpoints out of it");
  for (const pid of pids) Traps.of(pid, { isLaunched: true })?.takeOut();
  kill();
  for (const pid of pids) {
    await wait(untraced(pid), { timeoutMs: STOP_MS });
    // Stopped by a signal of dlv's that it had no time to take back.
    if (statOf(pid)?.state === "T") process.kill(pid, "SIGCONT");
  }
}

/** Where the system shows a process's code. */
export const canLeave = process.platform === "linux";
