/** The baseline of a step: the way Sonde itself reaches a program (a thread in it, a Unix socket, a JSON object a line), and nothing above it. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program stopped at a line (counted from 1). `boot`: the preload of the installation that is measured. */
export async function startStopped(program, line, boot) {
  const folder = mkdtempSync(join(tmpdir(), "bare-"));
  const server = createServer();
  const called = new Promise((done) => server.once("connection", done));
  await new Promise((done) => server.listen(join(folder, "s"), done));
  const env = { ...process.env, NODE_OPTIONS: `--require ${boot}`, SONDE_NODE_SOCKET: join(folder, "s") };
  const child = spawn("node", [program], { env, stdio: ["ignore", "ignore", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = new Promise((_, fail) =>
    child.once("exit", () => fail(new Error(`${program} ended before it called`))),
  );
  const cdp = new Lines(await Promise.race([called, ended]));
  ended.catch(() => {}); // when it is done
  server.close();
  rmSync(folder, { recursive: true });
  const stopped = cdp.paused();
  await Promise.all([
    cdp.send("Runtime.enable"),
    cdp.send("Debugger.enable"),
    cdp.send("Debugger.setBreakpointByUrl", {
      urlRegex: `${program.replace(/\W/g, "\\$&")}$`,
      lineNumber: line - 1,
    }),
    cdp.send("Runtime.runIfWaitingForDebugger"),
  ]);
  return { child, cdp, stop: await stopped };
}

/** The same as that of a WebSocket (cdp.mjs), so that the same functions step and read. */
class Lines {
  #socket;
  #lastId = 0;
  #answers = new Map();
  #onPaused;
  #rest = "";

  constructor(socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("error", () => {}); // the program was killed
    socket.on("data", (text) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop();
      for (const one of lines) this.#receive(JSON.parse(one));
    });
  }

  send(method, params) {
    const id = ++this.#lastId;
    return new Promise((done, fail) => {
      this.#answers.set(id, { done, fail });
      this.#socket.write(`${JSON.stringify({ id, method, params })}\n`);
    });
  }

  paused() {
    return new Promise((done) => {
      this.#onPaused = done;
    });
  }

  close() {
    this.#socket.destroy();
  }

  #receive({ id, method, params, result, error }) {
    if (id === undefined) {
      if (method === "Debugger.paused") this.#onPaused?.(params);
      return;
    }
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    if (error) answer?.fail(new Error(error.message));
    else answer?.done(result);
  }
}
