/** Starts the page's server and waits until it says that it is ready. */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { type ErrorShape, SondeError } from "../../errors.ts";

const READY_DEADLINE_MS = 20_000;

export async function startServer(port: number | undefined, cwd: string): Promise<void> {
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
  const answer = await new Promise<{ ready: true } | { error: ErrorShape } | string>((done) => {
    const pipe = child.stdio[3] as Socket;
    let text = "";
    const timer = setTimeout(() => done("it was not ready in time"), READY_DEADLINE_MS);
    const settle = (outcome: Parameters<typeof done>[0]) => {
      clearTimeout(timer);
      done(outcome);
    };
    child.once("error", (error) => settle(error.message));
    pipe.setEncoding("utf8");
    pipe.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) settle(JSON.parse(text) as { ready: true });
    });
    pipe.on("close", () => settle("it ended at once"));
  });
  child.stdio[3]?.destroy();
  child.unref();
  if (typeof answer === "string") {
    child.kill("SIGKILL");
    throw new SondeError("DAEMON_FAILED", `the page's server did not start: ${answer}`, {
      hint: "sonde daemon logs",
    });
  }
  if ("error" in answer) throw new SondeError(answer.error.code, answer.error.message, answer.error);
}
