/**
 * What an engine has loaded and compiled is never given back. So a daemon that has had nothing to do for a while, and has nothing to
 * remember, starts a fresh one in its place, which is its socket and no more until the next command.
 */
import { type Resting, startDaemon } from "../client/daemon-process.ts";
import type { Places } from "../client/paths.ts";
import type { RuntimeDir } from "../client/runtime-dir.ts";
import { acquire } from "../client/start-lock.ts";

/** True: clients find the other one. False: it was called off, or someone is starting a daemon already. */
export async function startSuccessor(where: Places, dir: RuntimeDir, resting: Resting): Promise<boolean> {
  const got = acquire(dir.held);
  return got.ok && startDaemon(where, got.lock, resting);
}
