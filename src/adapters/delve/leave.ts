/**
 * Leaving a program that dlv has launched, and that runs on (settle.ts). dlv always kills it over DAP. So the breakpoints are taken out of its
 * code, and then dlv itself is killed: the system lets a program run on whose debugger is gone. But a thread that was last moved by a
 * single step would trap at its next one.
 */
import { statOf } from "../../util/process-facts.ts";
import { wait } from "../../util/wait.ts";
import { resumed, untraced } from "../native/ptrace.ts";
import { Traps } from "../native/traps.ts";
import { dropHalts, type Held, type IsLate, inTime, STOP_MS, settle } from "./settle.ts";

export interface Launched extends Held {
  /** The client's last move was a step. */
  isStepped: boolean;
  clearBreakpoints(): Promise<void>;
  /** Lets all of its threads run. */
  run(): Promise<void>;
  kill(): void;
}

export async function leaveLaunched(launched: Launched): Promise<void> {
  const { pids } = launched;
  const settled = await inTime((late) => settleUnstepped(launched, late));
  if (!settled)
    throw new Error("the program could not be stopped, so delve's breakpoints could not be removed from it");
  for (const pid of pids) Traps.of(pid, { isLaunched: true })?.takeOut();
  for (const pid of pids) dropHalts(pid);
  launched.kill();
  for (const pid of pids) {
    await wait(untraced(pid), { timeoutMs: STOP_MS });
    // Stopped by a signal of dlv's that it had no time to take back.
    if (statOf(pid)?.state === "T") process.kill(pid, "SIGCONT");
  }
}

/** The same; and the last that its threads were told was to run, with no breakpoint that could meet the halt. */
async function settleUnstepped(launched: Launched, late: IsLate): Promise<void> {
  let stepped = (await settle(launched, late)) || launched.isStepped;
  if (stepped) await launched.clearBreakpoints();
  while (stepped && !late()) {
    await launched.run();
    await Promise.all(launched.pids.map(resumed));
    stepped = await settle(launched, late);
  }
}

/** Where the system shows a process's code. */
export const canLeave = process.platform === "linux";
