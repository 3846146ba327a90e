/**
 * What an engine has loaded and compiled is never given back. So a daemon that has had nothing to do for a while, and has nothing to
 * remember, starts a fresh one in its place, which is its socket and no more until the next command.
 */
import { startDaemon } from "../client/daemon-process.ts";
import type { Places } from "../client/paths.ts";
import type { RuntimeDir } from "../client/runtime-dir.ts";
import { acquire } from "../client/start-lock.ts";

/** When it resolves with true, clients find the other one. False: someone is starting a daemon already. */
export async function startSuccessor(where: Places, dir: RuntimeDir, idleMs: number): Promise<boolean> {
  const got = acquire(dir.held);
  if (!got.ok) return false;
  await startDaemon(where, got.lock, { idleMs });
  return true;
}
