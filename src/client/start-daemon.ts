/** Connects to the daemon, starting it first when there is none. Cold path: loaded only when a plain connect failed. */
import { type FSWatcher, watch } from "node:fs";
import { connect, type Socket } from "node:net";
import { SondeError } from "../errors.ts";
import { startDaemon } from "./daemon-process.ts";
import type { Places } from "./paths.ts";
import { makeRuntimeDir, type RuntimeDir, socketAddress } from "./runtime-dir.ts";
import { acquire, type Holder, LOCK_NAME } from "./start-lock.ts";

/** Long enough for someone else's start to run into its own deadline and for ours after it. */
const DEADLINE_MS = 30_000;

/** Nothing in the folder changes when a lock's holder is killed, so now and then it is looked at without being told. */
const LOOK_AGAIN_MS = 500;

export async function connectOrStart(places: Places): Promise<Socket> {
  const dir = makeRuntimeDir(places.runtime);
  const deadline = performance.now() + DEADLINE_MS;
  using changes = watchFolder(dir.path);
  for (;;) {
    const change = changes.next(); // before looking, so that nothing is missed
    const socket = await tryConnect(dir);
    if (socket) return socket;
    const got = acquire(dir.held);
    if (got.ok) {
      // Whoever held the lock before us may have just finished.
      const theirs = await tryConnect(dir);
      if (theirs) {
        got.lock.release();
        return theirs;
      }
      await startDaemon(places, got.lock);
    } else await change;
    if (performance.now() > deadline) throw stuck(dir, got.ok ? undefined : got.holder);
  }
}

async function tryConnect(dir: RuntimeDir): Promise<Socket | undefined> {
  const socket = connect(socketAddress(dir));
  try {
    await new Promise<void>((done, fail) => {
      socket.once("connect", done);
      socket.once("error", fail);
    });
    socket.removeAllListeners("error");
    return socket;
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    // ECONNREFUSED: a socket file nobody listens on. The next daemon puts its own in its place, under the lock.
    if (code === "ENOENT" || code === "ECONNREFUSED") return undefined;
    throw new SondeError("PERMISSION", `cannot connect to the daemon: ${message}`);
  }
}

export interface Changes extends Disposable {
  next(): Promise<void>;
}

/** Tells when something in the folder is different, and now and then without being told. */
export function watchFolder(path: string): Changes {
  let wake = () => {};
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(path, () => wake());
    watcher.on("error", () => {}); // out of inotify watches: looking again still works
  } catch {
    // as above
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    next: () =>
      new Promise((done) => {
        clearTimeout(timer);
        timer = setTimeout(done, LOOK_AGAIN_MS);
        wake = done;
      }),
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

function stuck(dir: RuntimeDir, holder: Holder | undefined): SondeError {
  if (!holder)
    return new SondeError("DAEMON_FAILED", "the daemon starts, but exits at once", {
      hint: "sonde daemon logs",
    });
  return new SondeError("DAEMON_FAILED", `process ${holder.pid} has been starting the daemon for too long`, {
    hint: `end it, or remove ${dir.path}/${LOCK_NAME}`,
  });
}
