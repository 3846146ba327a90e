/**
 * Leaving a program that runs on. It is made to stand still first: dlv halts a program by sending it SIGTRAP and its threads SIGSTOP,
 * and where a thread meets a breakpoint in that moment the signals stay pending. Once dlv has gone, the first would kill the
 * program and the second would halt it.
 *
 * One that dlv has launched it always kills over DAP. So the breakpoints are taken out of its code, and then dlv itself is killed: the
 * system lets a program run on whose debugger is gone. But a thread that was last moved by a single step would trap at its next one.
 */
import { statOf } from "../../util/process-facts.ts";
import { wait } from "../../util/wait.ts";
import { isPending } from "../native/pending.ts";
import { resumed, untraced } from "../native/ptrace.ts";
import { Traps } from "../native/traps.ts";

/** How long it may take to stop, and dlv to be gone. */
const STOP_MS = 3000;

export interface Held {
  /** The program, and what it started that dlv debugs too. */
  pids: readonly number[];
  /** Resolves when it stands still, or has ended. */
  standstill(): Promise<void>;
  /** Lets the thread that stopped last take one instruction, or one pending signal if there is any. The others stand. */
  step(): Promise<void>;
}

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
  if (!settled) throw new Error("the program could not be stopped to take delve's breakpoints out of it");
  for (const pid of pids) Traps.of(pid, { isLaunched: true })?.takeOut();
  for (const pid of pids) dropHalts(pid);
  launched.kill();
  for (const pid of pids) {
    await wait(untraced(pid), { timeoutMs: STOP_MS });
    // Stopped by a signal of dlv's that it had no time to take back.
    if (statOf(pid)?.state === "T") process.kill(pid, "SIGCONT");
  }
}

/** `isHalted`: by a signal of somebody else, before dlv came. */
export async function leaveAttached(
  held: Held,
  disconnect: () => Promise<unknown>,
  isHalted: boolean,
): Promise<unknown> {
  await inTime((late) => settle(held, late));
  if (!isHalted) for (const pid of held.pids) dropHalts(pid);
  return disconnect();
}

type IsLate = () => boolean;

async function inTime(settling: (late: IsLate) => Promise<unknown>): Promise<boolean> {
  let late = false;
  const { done } = await wait(
    settling(() => late),
    { timeoutMs: STOP_MS },
  );
  late = true;
  return done;
}

/** Until it stands still and no trap of dlv's waits for it. Whether it took a step for that. */
async function settle({ pids, standstill, step }: Held, late: IsLate): Promise<boolean> {
  await standstill();
  let stepped = false;
  for (; !late() && pids.some((pid) => isPending(pid, "SIGTRAP")); stepped = true) await step();
  return stepped;
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

/** A signal to go on takes back all that halt, as long as no thread has got them: see signal(7). */
function dropHalts(pid: number): void {
  if (isPending(pid, "SIGSTOP")) process.kill(pid, "SIGCONT");
}

/** Where the system shows a process's code. */
export const canLeave = process.platform === "linux";
