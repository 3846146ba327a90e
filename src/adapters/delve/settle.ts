/**
 * Leaving a program that runs on. It is made to stand still first: dlv halts a program by sending it SIGTRAP and its threads SIGSTOP,
 * and where a thread meets a breakpoint in that moment the signals stay pending. Once dlv has gone, the first would kill the
 * program and the second would halt it.
 */
import { wait } from "../../util/wait.ts";
import { isPending } from "../native/pending.ts";

/** How long it may take to stop, and dlv to be gone. */
export const STOP_MS = 3000;

export interface Held {
  /** The program, and what it started that dlv debugs too. */
  pids: readonly number[];
  /** Resolves when it stands still, or has ended. */
  standstill(): Promise<void>;
  /** Lets the thread that stopped last take one instruction, or one pending signal if there is any. The others stand. */
  step(): Promise<void>;
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

export type IsLate = () => boolean;

export async function inTime(settling: (late: IsLate) => Promise<unknown>): Promise<boolean> {
  let late = false;
  const { done } = await wait(
    settling(() => late),
    { timeoutMs: STOP_MS },
  );
  late = true;
  return done;
}

/** Until it stands still and no trap of dlv's waits for it. Whether it took a step for that. */
export async function settle({ pids, standstill, step }: Held, late: IsLate): Promise<boolean> {
  await standstill();
  let stepped = false;
  for (; !late() && pids.some((pid) => isPending(pid, "SIGTRAP")); stepped = true) await step();
  return stepped;
}

/** A signal to go on takes back all that halt, as long as no thread has got them: see signal(7). */
export function dropHalts(pid: number): void {
  try {
    if (isPending(pid, "SIGSTOP")) process.kill(pid, "SIGCONT");
  } catch {
    // It has ended meanwhile; the others are still to be left.
  }
}
