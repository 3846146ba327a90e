/** How `sonde ui` speaks to the server that runs: one line each way, over a socket of mode 0600 in the runtime folder. */
import { chmodSync, linkSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { RuntimeDir } from "../../client/runtime-dir.ts";

export type ControlAsk =
  | { ask: "link"; build: string; readOnly: boolean; port?: number }
  | { ask: "status" }
  | { ask: "stop" };

export type ControlAnswer =
  | { url: string; port: number; pid: number }
  /** Of another build: it leaves, and a new one is to be started. `port`: where its tabs look for it. */
  | { leaving: true; port: number }
  | { port: number; pid: number; tabs: number; build: string };

const NAME = "ui.sock";

function addressIn(dir: RuntimeDir): string {
  return join(dir.held, NAME);
}

/** Undefined where no server is there to answer. */
export function askServer(dir: RuntimeDir, ask: ControlAsk): Promise<ControlAnswer | undefined> {
  return new Promise((done) => {
    const socket = connect(addressIn(dir));
    let text = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify(ask)}\n`));
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => {}); // nobody listens: "close" follows
    socket.on("close", () => done(text === "" ? undefined : (JSON.parse(text) as ControlAnswer)));
  });
}

/**
 * Takes the place of the only server of this user; undefined if another has it and answers. The name is linked to the socket once that is closed
 * to others, and never taken from somebody alive.
 */
export async function serveControl(
  dir: RuntimeDir,
  answer: (ask: ControlAsk) => ControlAnswer | undefined,
): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, answer));
  const bound = join(dir.held, `.ui.${process.pid}`);
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(bound, done);
  });
  chmodSync(bound, 0o600);
  for (;;) {
    try {
      linkSync(bound, addressIn(dir));
      return server;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    }
    if (await askServer(dir, { ask: "status" })) {
      server.close();
      return undefined;
    }
    withdraw(dir); // of one that was killed; the start lock keeps others out meanwhile
  }
}

export function withdraw(dir: RuntimeDir): void {
  try {
    unlinkSync(addressIn(dir));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
  }
}

const LONGEST_ASK = 4096;

function serve(socket: Socket, answer: (ask: ControlAsk) => ControlAnswer | undefined): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("error", () => {}); // who asked is gone
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (text.length > LONGEST_ASK) socket.destroy();
    if (!text.includes("\n")) return;
    const reply = answerTo(text, answer);
    socket.end(reply === undefined ? "" : JSON.stringify(reply));
  });
}

function answerTo(
  text: string,
  answer: (ask: ControlAsk) => ControlAnswer | undefined,
): ControlAnswer | undefined {
  try {
    return answer(JSON.parse(text) as ControlAsk);
  } catch {
    return undefined; // of another make
  }
}
