/** Processes that are not our children: are they there, and are they still the same ones? */
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, statOf } from "../../../util/process-facts.ts";

/** A pid together with what tells it from a later process of the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Ticks since boot; undefined where the system does not say. */
  started: string | undefined;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, started: statOf(pid)?.born };
}

export function lives({ pid, started }: ProcessIdentity): boolean {
  const stat = statOf(pid);
  return isAlive(pid) && started === stat?.born && stat?.state !== "Z";
}

/** Nothing announces the end of a process that is not our child, so this looks, ever less often. */
export async function whenGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 5; lives(identity); pause = Math.min(pause * 2, 250)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left), undefined, { ref: false });
  }
  return true;
}

/** Silent when it is gone already. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
