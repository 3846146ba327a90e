/** The daemon's socket file: put in place in one step, closed to others from the start, removed only while it is ours. */
import { chmodSync, lstatSync, renameSync, unlinkSync, watch } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { SOCKET_NAME } from "../client/paths.ts";
import { type RuntimeDir, socketAddress } from "../client/runtime-dir.ts";

const IS_PIPE = process.platform === "win32";

export interface Listener {
  /** Whether a client that looks for a daemon now finds this one. */
  isOurs(): boolean;
  /** Calls back when the socket file may have changed. */
  onChange(changed: () => void): void;
  /** No one finds this daemon from here on; connections not yet accepted are reset, which their clients take as "try again". */
  withdraw(): void;
}

export async function listen(
  dir: RuntimeDir,
  accept: (socket: Socket) => void,
  failed: (error: Error) => void,
): Promise<Listener> {
  const server = createServer(accept);
  const published = socketAddress(dir);
  // Bound under a name of its own and renamed: a stale file is replaced at once, nobody connects before the mode is set,
  // and libuv, which unlinks the name it bound when the server closes, cannot remove another daemon's socket.
  const bound = IS_PIPE ? published : join(dir.held, `.sock.${process.pid}`);
  await bind(server, bound);
  server.on("error", failed);
  if (!IS_PIPE) {
    chmodSync(bound, 0o600);
    renameSync(bound, published);
  }
  const path = join(dir.path, SOCKET_NAME);
  // In the folder that is held: by its name it may be another's for a moment.
  const own = inode(published);
  const isOurs = () => IS_PIPE || inode(path) === own;
  return {
    isOurs,
    onChange(changed) {
      if (IS_PIPE) return;
      try {
        const watcher = watch(dir.path, { persistent: false }, changed);
        watcher.on("error", failed);
      } catch (thrown) {
        failed(thrown as Error); // out of inotify watches: only an orphaned daemon would have needed it
      }
    },
    withdraw() {
      try {
        if (!IS_PIPE && own !== undefined && inode(published) === own) unlinkSync(published);
      } catch (thrown) {
        failed(thrown as Error); // gone meanwhile, or not ours to remove: no reason to stay
      }
      server.close();
    },
  };
}

function bind(server: Server, path: string): Promise<void> {
  const umask = process.umask(0o077); // restored at once: debuggees inherit it
  try {
    return new Promise((done, fail) => {
      server.once("error", fail);
      server.listen(path, () => {
        server.off("error", fail);
        done();
      });
    });
  } finally {
    process.umask(umask);
  }
}

function inode(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
