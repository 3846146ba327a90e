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
  /** It is to run as without a debugger: it is measured. */
  unchanged?: boolean;
}

export interface Bridge extends Hello {
  cdp: CdpSession;
  /** For what is not answered. */
  tell(method: string, params: object): void;
  /** Leaves the process: it goes on, if it is stopped or held, and the thread in it ends. */
  close(): void;
  /** From now on another process of the user's may come to this path, in place of us. */
  handOver(path: string): Promise<void>;
}

/** Resolves with the thread's first words. */
export async function meet(socket: Socket, log: (message: string) => void): Promise<Bridge> {
  const hello = deferred<Hello>();
  const write = outbox((text) => {
    if (!socket.writableEnded) socket.write(text);
  });
  const cdp = new CdpSession(write, log);
  cdp.onRaw("Sonde.hello", (params) => hello.resolve(params as Hello));
  const inbox = new Inbox(cdp);
  const lines = new LineReader((line) => inbox.add(line));
  socket.on("data", (chunk: Buffer) => {
    lines.push(chunk);
    inbox.deliver();
  });
  // The end that follows says it all.
  socket.on("error", () => {});
  socket.on("close", () => inbox.end(GONE));
  const close = () => {
    cdp.end("the debugger disconnected");
    socket.end();
    socket.destroySoon();
  };
  const met = await wait(Promise.race([hello.promise, cdp.closed]), { timeoutMs: HELLO_MS });
  if (!met.done || met.value === undefined) {
    close();
    throw new Error("a process connected and sent nothing");
  }
  const handOver = async (path: string) => void (await cdp.sendRaw("Sonde.listen", { path }));
  const tell = (method: string, params: object) => write(JSON.stringify({ method, params }));
  return { ...met.value, cdp, tell, close, handOver };
}

/** Each write wakes the thread in the program: what is sent in one breath goes in one. */
function outbox(write: (text: string) => void): (line: string) => void {
  let unsent = "";
  return (line) => {
    if (unsent === "")
      void Promise.resolve().then(() => {
        const text = unsent;
        unsent = "";
        write(text);
      });
    unsent += `${line}\n`;
  };
}

/**
 * An answer and the events behind it may come in one chunk. Whoever awaits the answer goes on before the next event is delivered: the
 * stop at a breakpoint must not come before the breakpoint is known.
 */
class Inbox {
  readonly #cdp: CdpSession;
  readonly #lines: string[] = [];
  #answered = false;
  #waits = false;
  #ended: string | undefined;

  constructor(cdp: CdpSession) {
    this.#cdp = cdp;
  }

  add(line: string): void {
    this.#lines.push(line);
  }

  end(why: string): void {
    this.#ended = why;
    this.deliver();
  }

  deliver(): void {
    if (this.#waits) return;
    for (let line = this.#lines[0]; line !== undefined; line = this.#lines[0]) {
      const isAnswer = line.startsWith('{"id"');
      if (this.#answered && !isAnswer) {
        this.#deliverLater();
        return;
      }
      this.#answered = isAnswer;
      this.#lines.shift();
      this.#cdp.receive(line);
    }
    if (this.#ended !== undefined) this.#cdp.end(this.#ended);
  }

  #deliverLater(): void {
    this.#answered = false;
    this.#waits = true;
    // Behind all that is to be done now that the answer is there, and before anything else comes in.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#waits = false;
        this.deliver();
      }),
    );
  }
}

/** To one that was handed over. */
export async function callBridge(path: string, log: (message: string) => void): Promise<Bridge> {
  const socket = connect(path);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return meet(socket, log);
}
