/**
 * How the daemon comes by the start lock and whom it tells that it is ready. Started by a client: the lock is handed over
 * on a pipe and the answer goes back on it. Run by hand: it takes the lock itself, and a running daemon is an error.
 */
import { connect, Socket } from "node:net";
import { READY_ENV, READY_FD, RESTING_ENV, type ReadyMessage } from "../client/daemon-process.ts";
import { type RuntimeDir, socketAddress } from "../client/runtime-dir.ts";
import { acquire, releaseHanded } from "../client/start-lock.ts";
import { SondeError } from "../errors.ts";

export interface Starter {
  /** A daemon that ends when another takes its place would end a terminal's or a supervisor's command. */
  mayBeReplaced: boolean;
  /** Started in the place of one that had nothing to do: it loads nothing yet, and leaves after so long. */
  restsMs: number | undefined;
  /** Resolves when the start lock is this process's own. */
  lockHeld(dir: RuntimeDir): Promise<void>;
  /** The socket is in place (or never will be): the lock goes, the starter is told. */
  answer(message: ReadyMessage, dir?: RuntimeDir): Promise<void>;
}

export function findStarter(): Starter {
  const started = process.env[READY_ENV] === String(READY_FD);
  const rests = process.env[RESTING_ENV];
  delete process.env[READY_ENV];
  delete process.env[RESTING_ENV];
  return started ? clientStarter(rests === undefined ? undefined : Number(rests)) : byHand();
}

function clientStarter(restsMs: number | undefined): Starter {
  const pipe = new Socket({ fd: READY_FD, readable: true, writable: true });
  let open = true;
  const handed = new Promise<void>((done, fail) => {
    pipe.once("data", () => done());
    pipe.once("close", () =>
      fail(new SondeError("DAEMON_FAILED", "the client that started the daemon was killed")),
    );
  });
  handed.catch(() => {}); // looked at by lockHeld
  pipe.on("error", () => {}); // "close" follows
  pipe.on("close", () => {
    open = false;
  });
  return {
    mayBeReplaced: process.platform !== "win32", // where a name belongs to one pipe at a time
    restsMs,
    lockHeld() {
      // The one before us goes on serving until it has told us to go ahead, or does not want us any more.
      if (restsMs !== undefined && open) pipe.write(line({ prepared: true }));
      return handed;
    },
    async answer(message, dir) {
      if (dir) releaseHanded(dir.held);
      if (open) await new Promise<void>((done) => pipe.end(line(message), () => done()));
      pipe.destroy();
    },
  };
}

function line(message: ReadyMessage): string {
  return `${JSON.stringify(message)}\n`;
}

function byHand(): Starter {
  return {
    mayBeReplaced: false,
    restsMs: undefined,
    async lockHeld(dir) {
      const got = acquire(dir.held);
      if (!got.ok)
        throw new SondeError("DAEMON_FAILED", `process ${got.holder.pid} is already starting a daemon`);
      if (await answers(dir)) {
        got.lock.release();
        throw new SondeError("DAEMON_FAILED", `a daemon is already running in ${dir.path}`, {
          hint: "sonde daemon stop",
        });
      }
    },
    async answer(message, dir) {
      if (dir) releaseHanded(dir.held);
      if ("ready" in message) process.stderr.write("sonde daemon: ready\n");
    },
  };
}

function answers(dir: RuntimeDir): Promise<boolean> {
  const socket = connect(socketAddress(dir));
  return new Promise((done) => {
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
