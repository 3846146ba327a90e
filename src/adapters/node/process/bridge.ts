/**
 * The way to V8 in a process: a thread of ours in there (boot/bridge.cjs) speaks CDP, a JSON object a line, on a Unix socket that only
 * the user can open. It calls us; where a client in another process takes over, it is called.
 */
import { connect, type Socket } from "node:net";
import { deferred, wait } from "../../../util/wait.ts";
import { CdpSession } from "./cdp-session.ts";
import { LineReader } from "./lines.ts";

const HELLO_MS = 5000;
/** What the program sent last is read to its end. */
const GONE = "the program has ended";

/** What the thread says of its process. */
export interface Hello {
  pid: number;
  version: string;
  /** Absolute path of the main script; empty for `node -e`. */
  script: string;
}

export interface Bridge extends Hello {
  cdp: CdpSession;
  /** Leaves the process: it goes on, if it is stopped or held, and the thread in it ends. */
  close(): void;
  /** From now on another process of the user's may come to this path, in place of us. */
  handOver(path: string): Promise<void>;
}

/** Resolves with the thread's first words. */
export async function meet(socket: Socket, log: (message: string) => void): Promise<Bridge> {
  const hello = deferred<Hello>();
  const write = (text: string) => {
    if (!socket.writableEnded) socket.write(`${text}\n`);
  };
  const cdp = new CdpSession(write, log);
  cdp.onRaw("Sonde.hello", (params) => hello.resolve(params as Hello));
  const lines = new LineReader((line) => cdp.receive(line));
  socket.on("data", (chunk: Buffer) => lines.push(chunk));
  // The end that follows says it all.
  socket.on("error", () => {});
  socket.on("close", () => cdp.end(GONE));
  const close = () => {
    cdp.end("the debugger left");
    socket.end();
    socket.destroySoon();
  };
  const met = await wait(Promise.race([hello.promise, cdp.closed]), { timeoutMs: HELLO_MS });
  if (!met.done || met.value === undefined) {
    close();
    throw new Error("a process called and said nothing");
  }
  const handOver = async (path: string) => void (await cdp.sendRaw("Sonde.listen", { path }));
  return { ...met.value, cdp, close, handOver };
}

/** To one that was handed over. */
export async function callBridge(path: string, log: (message: string) => void): Promise<Bridge> {
  const socket = connect(path);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return meet(socket, log);
}
