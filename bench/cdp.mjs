/**
 * The baseline: V8's inspector with nothing in between. As quick as a bare client can be made: requests that do not
 * depend on each other go out together, and while an answer is awaited each message is answered with a no-op request, whose
 * packet carries the acknowledgement that the inspector's Nagle waits for (44 → 2 ms a step).
 */
import { spawn } from "node:child_process";
import { WebSocket } from "ws";

const NUDGE = JSON.stringify({ id: 1_000_000_000, method: "Nudge.noop" });
const MAX_NUDGES = 12;

/** Programs left when we end, however we end. */
const programs = new Set();
process.on("exit", () => {
  for (const child of programs) child.kill("SIGKILL");
});

/** A program under `--inspect-brk`, stopped at a line (counted from 1). */
export async function startStopped(program, line, args = []) {
  const child = spawn("node", ["--inspect-brk=127.0.0.1:0", program, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  programs.add(child);
  child.once("exit", () => programs.delete(child));
  const cdp = await Cdp.connect(await inspectorUrl(child));
  const ready = [
    cdp.send("Runtime.enable"),
    cdp.send("Debugger.enable"),
    cdp.send("Debugger.setBreakpointByUrl", { url: `file://${program}`, lineNumber: line - 1 }),
    cdp.send("Runtime.runIfWaitingForDebugger"),
  ];
  await cdp.paused();
  await Promise.all(ready);
  void cdp.send("Debugger.resume");
  const stop = await cdp.paused();
  return { child, cdp, stop };
}

/** The values a snapshot shows: every scope of the top frame but the global one. */
export async function readValues(cdp, stop) {
  const scopes = stop.callFrames[0].scopeChain.filter(({ type }) => type !== "global");
  const read = scopes.map(({ object }) =>
    cdp.send("Runtime.getProperties", {
      objectId: object.objectId,
      ownProperties: true,
      generatePreview: true,
    }),
  );
  return (await Promise.all(read)).flatMap(({ result }) => result);
}

export async function step(cdp) {
  void cdp.send("Debugger.stepOver");
  return cdp.paused();
}

/** Ends the program, by its pid. */
export async function end({ child, cdp }) {
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  cdp.close();
  await gone;
}

function inspectorUrl(child) {
  return new Promise((done, fail) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const url = /ws:\/\/\S+/.exec(said)?.[0];
      if (url) done(url);
    });
    child.once("exit", () => fail(new Error(`the program ended: ${said}`)));
  });
}

class Cdp {
  #socket;
  #lastId = 0;
  #answers = new Map();
  #onPaused;
  #nudges = 0;

  static async connect(url) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await new Promise((done, fail) => socket.once("open", done).once("error", fail));
    return new Cdp(socket);
  }

  constructor(socket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data))));
    socket.on("error", () => {}); // the program was killed
  }

  send(method, params) {
    const id = ++this.#lastId;
    this.#nudges = 0;
    return new Promise((done, fail) => {
      this.#answers.set(id, { done, fail });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** Asked for right after what causes the pause has been sent. */
  paused() {
    return new Promise((done) => {
      this.#onPaused = done;
    });
  }

  close() {
    this.#socket.terminate();
  }

  #receive({ id, method, params, result, error }) {
    if (id === undefined) {
      if (method === "Debugger.paused") {
        this.#onPaused?.(params);
        this.#onPaused = undefined;
      }
    } else {
      const answer = this.#answers.get(id);
      this.#answers.delete(id);
      if (error) answer?.fail(new Error(error.message));
      else answer?.done(result);
    }
    const waiting = this.#answers.size > 0 || this.#onPaused;
    if (waiting && this.#nudges++ < MAX_NUDGES) this.#socket.send(NUDGE);
  }
}
