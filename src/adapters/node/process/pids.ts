/** Processes that are not our children: are they there, and are they still the same ones? */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A pid together with what tells it from a later process of the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Ticks since boot; undefined where the system does not say. */
  started: string | undefined;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, started: statField(pid, STARTED) };
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return started === statField(pid, STARTED) && statField(pid, STATE) !== "Z";
}

export function isGroupAlive(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Nothing announces the end of a process that is not our child, so this looks, ever less often. */
export async function whenGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 5; isAlive(identity); pause = Math.min(pause * 2, 250)) {
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

// Fields of /proc/<pid>/stat after the command name, which is in parentheses and may hold anything.
const STATE = 0;
const STARTED = 19;

function statField(pid: number, index: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[index];
  } catch {
    return undefined;
  }
}
