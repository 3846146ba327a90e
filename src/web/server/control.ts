/** How `sonde ui` speaks to the server that runs: one line each way, over a socket of mode 0600 in the runtime folder. */
import { chmodSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { RuntimeDir } from "../../client/runtime-dir.ts";
import { SondeError } from "../../errors.ts";

/** Where `sonde ui` was called: programs that its page starts run there. */
export interface Opener {
  cwd: string;
  env: Record<string, string>;
}

export type ControlAsk =
  /** `from`: left out for a server of another build, which only leaves. */
  | { ask: "link"; build: string; readOnly: boolean; port?: number; from?: Opener }
  | { ask: "status" }
  | { ask: "stop" };

export type ControlAnswer =
  | { url: string; port: number; pid: number }
  /** Of another build: it leaves, and a new one is to be started. `port`: where its tabs look for it. */
  | { leaving: true; port: number }
  | { port: number; pid: number; tabs: number; build: string };

const NAME = "ui.sock";
/** Which process it is, for when it does not answer. */
const PID_NAME = "ui.pid";
/** What the socket is called until it is in place. */
const BOUND = ".ui.";

/** It answers at once; one that is asked to end answers, then gives back what is in a person's hands, then ends. */
const ANSWER_MS = 5_000;
const END_MS = 15_000;

function addressIn(dir: RuntimeDir): string {
  return join(dir.held, NAME);
}

/** Undefined where no server is there to answer. Of one that is asked to stop: once it has ended. */
export function askServer(dir: RuntimeDir, ask: ControlAsk): Promise<ControlAnswer | undefined> {
  return new Promise((done, fail) => {
    const socket = connect(addressIn(dir));
    const late = setTimeout(
      () => {
        socket.destroy();
        fail(silent(dir));
      },
      ask.ask === "stop" ? END_MS : ANSWER_MS,
    );
    let text = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify(ask)}\n`));
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => {}); // nobody listens: "close" follows
    socket.on("close", () => {
      clearTimeout(late);
      done(parsed(text));
    });
  });
}

/** One that ends in the middle of its answer has not answered. */
function parsed(text: string): ControlAnswer | undefined {
  try {
    return JSON.parse(text) as ControlAnswer;
  } catch {
    return undefined;
  }
}

function silent(dir: RuntimeDir): SondeError {
  const pid = pidIn(dir);
  return new SondeError(
    "DAEMON_FAILED",
    `the page's server${pid === undefined ? "" : ` (pid ${pid})`} does not answer`,
    {
      hint: `it is stopped or stuck; end it${pid === undefined ? "" : ` with \`kill -9 ${pid}\``}, then run this again`,
    },
  );
}

function pidIn(dir: RuntimeDir): number | undefined {
  try {
    const pid = Number(readFileSync(join(dir.held, PID_NAME), "utf8"));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined; // a convenience
  }
}

/**
 * Takes the place of the only server of this user; undefined if another has it and answers. The name is linked to the socket once that is closed
 * to others, and never taken from somebody alive. Under the start lock: what others have left of a start is of the dead.
 */
export async function serveControl(
  dir: RuntimeDir,
  answer: (ask: ControlAsk) => ControlAnswer | undefined,
): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, answer));
  for (const left of readdirSync(dir.held)) if (left.startsWith(BOUND)) removeIn(dir, left);
  const bound = join(dir.held, `${BOUND}${process.pid}`);
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(bound, done);
  });
  try {
    chmodSync(bound, 0o600);
    for (;;) {
      if (linked(bound, addressIn(dir))) break;
      if (await askServer(dir, { ask: "status" })) {
        server.close();
        return undefined;
      }
      withdraw(dir); // of one that was killed; the start lock keeps others out meanwhile
    }
  } finally {
    rmSync(bound, { force: true });
  }
  removeIn(dir, PID_NAME); // if it is a link, it is not written through
  writeFileSync(join(dir.held, PID_NAME), String(process.pid), { mode: 0o600, flag: "wx" });
  return server;
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

export function withdraw(dir: RuntimeDir): void {
  removeIn(dir, NAME);
  removeIn(dir, PID_NAME);
}

function removeIn(dir: RuntimeDir, name: string): void {
  rmSync(join(dir.held, name), { force: true });
}

/** Room for any environment that the system hands to a program. */
const LONGEST_ASK = 4 * 1024 * 1024;

function serve(socket: Socket, answer: (ask: ControlAsk) => ControlAnswer | undefined): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("error", () => {}); // who asked is gone
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (text.length > LONGEST_ASK) socket.destroy();
    if (!text.includes("\n")) return;
    const ask = parsedAsk(text);
    const reply = ask && answer(ask);
    const line = reply === undefined ? "" : JSON.stringify(reply);
    if (ask?.ask === "stop")
      socket.write(line); // our end closes it
    else socket.end(line);
  });
}

function parsedAsk(text: string): ControlAsk | undefined {
  try {
    return JSON.parse(text) as ControlAsk;
  } catch {
    return undefined; // of another make
  }
}
