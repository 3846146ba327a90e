/** Starts the page's server, hands it the start lock and waits until it says that it is ready. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { StartLock } from "../../client/start-lock.ts";
import { type ErrorShape, SondeError } from "../../errors.ts";

const READY_DEADLINE_MS = 20_000;

/** Under this lock in the runtime folder. */
export const UI_LOCK = "ui.lock";
/** Over this descriptor the server is told that the lock is its own, and answers that it is ready, or why not. */
export const READY_FD = 3;

export async function startServer(port: number | undefined, cwd: string, lock: StartLock): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "web-server.mjs")], {
    detached: true,
    cwd: "/",
    env: {
      ...process.env,
      SONDE_UI_CWD: cwd,
      ...(port === undefined ? {} : { SONDE_UI_PORT: String(port) }),
    },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  try {
    const answer = await handed(child, lock);
    if (typeof answer === "object" && "ready" in answer) return;
    await ended(child);
    lock.removeAfterDeath();
    if (typeof answer === "object")
      throw new SondeError(answer.error.code, answer.error.message, answer.error);
    throw new SondeError("DAEMON_FAILED", `the page's server did not start: ${answer}`, {
      hint: "sonde daemon logs",
    });
  } finally {
    child.stdio[READY_FD]?.destroy();
    child.unref();
  }
}

type Answer = { ready: true } | { error: ErrorShape } | string;

async function handed(child: ChildProcess, lock: StartLock): Promise<Answer> {
  if (child.pid === undefined) {
    lock.release();
    const [error] = (await once(child, "error")) as [Error];
    throw new SondeError("DAEMON_FAILED", `the page's server could not be started: ${error.message}`);
  }
  const pipe = child.stdio[READY_FD] as Socket;
  const answer = readyMessage(pipe);
  lock.hand(child.pid);
  pipe.write("go\n"); // whoever ends us before this has started nothing
  return answer;
}

function readyMessage(pipe: Socket): Promise<Answer> {
  return new Promise((done) => {
    let text = "";
    const timer = setTimeout(() => done("it was not ready in time"), READY_DEADLINE_MS);
    const settle = (outcome: Answer) => {
      clearTimeout(timer);
      done(outcome);
    };
    pipe.setEncoding("utf8");
    pipe.on("error", () => {}); // "close" follows
    pipe.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) settle(JSON.parse(text) as Answer);
    });
    pipe.on("close", () => settle("it ended at once"));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
  child.kill("SIGKILL");
  await exit;
}
