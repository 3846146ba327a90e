/**
 * Who is still alive of what the tests started. Every such process carries a tag in its environment, inherited by
 * all its descendants, so none is missed for having left its parent or group, and no stranger is ever counted.
 * Linux only; elsewhere nothing is found.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Tags all processes of a run. */
export const RUN_TAG = "SONDE_TEST_RUN";
/** Tags those of one test's sonde. */
export const SONDE_TAG = "SONDE_TEST_ID";

export interface Survivor {
  pid: number;
  command: string;
}

export function tagged(name: string, value: string): Survivor[] {
  const entry = `${name}=${value}\0`;
  return processIds().flatMap((pid) => {
    try {
      if (!environment(pid).includes(entry)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
      return [{ pid, command }];
    } catch {
      return []; // gone meanwhile, or another user's
    }
  });
}

const room = Buffer.alloc(256 * 1024);

/** Every test looks at all processes several times: without a buffer for each it takes a third less time. */
function environment(pid: number): Buffer {
  const path = `/proc/${pid}/environ`;
  const file = openSync(path, "r");
  try {
    const length = readSync(file, room, 0, room.length, 0);
    return length < room.length ? room.subarray(0, length) : readFileSync(path);
  } finally {
    closeSync(file);
  }
}

/** Those left after a while, if any, but for those that may stay. Exits take a moment, so they are waited for. */
export async function survivors(
  name: string,
  value: string,
  { patienceMs = 5000, staying = [] }: { patienceMs?: number; staying?: number[] } = {},
): Promise<Survivor[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = tagged(name, value).filter(({ pid }) => !staying.includes(pid));
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(50);
  }
}

/** Kills survivors by pid and describes them, one a line. */
export function killAll(found: Survivor[]): string {
  for (const { pid } of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // gone meanwhile
    }
  }
  return found.map(({ pid, command }) => `  ${pid}  ${command.slice(0, 200)}`).join("\n");
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
