/**
 * The baseline for the other languages: their debug adapters with nothing in between, with the launch settings Sonde gives them.
 * What depends on an answer waits for it, everything else goes out at once.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** Adapters left when we end, however we end. */
const adapters = new Set();
process.on("exit", () => {
  for (const child of adapters) child.kill("SIGKILL");
});

/** @param how {command, args, env?, callback?: true, launch: {…}} */
export async function startStopped(how, source, line) {
  const dap = await Dap.open(how);
  await dap.send("initialize", {
    adapterID: "bench",
    linesStartAt1: true,
    columnsStartAt1: true,
    pathFormat: "path",
  });
  const initialized = dap.event("initialized");
  const launched = dap.send("launch", how.launch);
  launched.catch(() => {});
  await Promise.race([initialized, launched.then(() => initialized)]);
  const stopped = dap.event("stopped");
  await dap.send("setBreakpoints", { source: { path: source }, breakpoints: [{ line }] });
  await dap.send("configurationDone", {});
  await launched;
  return { dap, stop: await stopped };
}

/** What a snapshot shows: stack, and the values of the top frame. */
export async function look(dap, { threadId }) {
  const { stackFrames } = await dap.send("stackTrace", { threadId, startFrame: 0, levels: 20 });
  const { scopes } = await dap.send("scopes", { frameId: stackFrames[0].id });
  const { variables } = await dap.send("variables", { variablesReference: scopes[0].variablesReference });
  return { frames: stackFrames, variables };
}

export async function step(dap, { threadId }) {
  const stopped = dap.event("stopped");
  void dap.send("next", { threadId });
  return stopped;
}

export async function end({ dap }) {
  await dap.send("disconnect", { terminateDebuggee: true }).catch(() => {});
  dap.close();
}

class Dap {
  #write;
  #child;
  #seq = 1;
  #buffer = Buffer.alloc(0);
  #waiting = new Map();
  #events = new Map();

  static async open({ command, args, env, cwd, callback }) {
    const server = callback ? await listening() : undefined;
    const address = server === undefined ? "" : `127.0.0.1:${server.address().port}`;
    const child = spawn(
      command,
      args.map((word) => word.replace("{address}", address)),
      {
        stdio: ["pipe", callback ? "ignore" : "pipe", "ignore"],
        cwd,
        env: { ...process.env, ...env },
      },
    );
    adapters.add(child);
    child.once("exit", () => adapters.delete(child));
    if (server === undefined) return new Dap(child, child.stdout, child.stdin);
    const socket = await new Promise((done) => server.once("connection", done));
    server.close();
    socket.setNoDelay(true);
    return new Dap(child, socket, socket);
  }

  constructor(child, read, write) {
    this.#child = child;
    this.#write = write;
    write.on("error", () => {});
    read.on("data", (chunk) => this.#data(chunk));
  }

  send(command, args) {
    const seq = this.#seq++;
    const text = JSON.stringify({ seq, type: "request", command, arguments: args });
    this.#write.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return new Promise((resolve, reject) => this.#waiting.set(seq, { resolve, reject }));
  }

  event(name) {
    return new Promise((resolve) => this.#events.set(name, resolve));
  }

  close() {
    this.#write.end();
    this.#child.kill("SIGKILL");
  }

  #data(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const head = this.#buffer.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.toString("latin1", 0, head))?.[1]);
      if (head < 0 || this.#buffer.length < head + 4 + length) return;
      const message = JSON.parse(this.#buffer.toString("utf8", head + 4, head + 4 + length));
      this.#buffer = this.#buffer.subarray(head + 4 + length);
      if (message.type === "event") this.#events.get(message.event)?.(message.body);
      if (message.type === "response") {
        const { resolve, reject } = this.#waiting.get(message.request_seq) ?? {};
        if (message.success) resolve?.(message.body);
        else reject?.(new Error(`${message.command}: ${message.message ?? message.body?.error?.format}`));
      }
    }
  }
}

function listening() {
  const server = createServer();
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}
