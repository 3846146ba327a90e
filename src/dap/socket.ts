/** DAP over TCP on loopback or a Unix socket: we dial the adapter, or it dials us. */
import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { SondeError } from "../errors.ts";
import { lastWords } from "../util/last-words.ts";
import { isOwnPort, isSameUser } from "../util/same-user.ts";
import type { AdapterProcess } from "./process.ts";
import { StreamTransport } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** How long the other side may take to close after we did. */
const LINGER_MS = 2000;
const RETRY_MS = 50;

export type Address = { host: string; port: number } | { path: string };

export interface SocketOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  /** The process that listens or dials, when we started it: its end ends the wait, and explains a lost connection. */
  process?: AdapterProcess;
}

export interface ConnectOptions extends SocketOptions {
  /** Keep trying while nobody listens: for a server we have just started that does not say when it is ready. */
  retry?: boolean;
}

export async function connectSocket(address: Address, options: ConnectOptions): Promise<Transport> {
  const what = `connect to the debug adapter at ${"path" in address ? address.path : `${address.host}:${address.port}`}`;
  return withDeadline(what, options, async (signal) => {
    for (;;) {
      const socket = createConnection("path" in address ? { path: address.path } : address);
      try {
        await once(socket, "connect", { signal });
        // Ours was to listen there: whoever was quicker would be asked to run the program.
        if (options.process && "port" in address && !isOwnPort(address.port))
          throw new Error("another user of this machine listens there");
        return transportOf(socket, options.process);
      } catch (error) {
        socket.destroy();
        const code = (error as NodeJS.ErrnoException).code;
        if (!options.retry || (code !== "ECONNREFUSED" && code !== "ENOENT")) throw error;
        await delay(RETRY_MS, undefined, { signal });
      }
    }
  });
}

export interface AcceptOptions extends SocketOptions {
  /** Called with the connection as soon as there is one. */
  connected?: (socket: Socket) => void;
}

export interface Listener {
  host: string;
  port: number;
  /** The first process of this user to dial gets the connection; nobody after it. */
  accept(options: AcceptOptions): Promise<Transport>;
  close(): void;
}

/** For an adapter that dials us: give it the port, then `accept`. */
export async function listenForAdapter(): Promise<Listener> {
  const host = "127.0.0.1";
  const server = createServer();
  const calls = firstCall(server);
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server without a port");
  return { host, port: address.port, ...calls };
}

/** The same on a Unix socket: a third quicker than TCP. Its folder must be the user's own. */
export async function listenAt(path: string): Promise<Pick<Listener, "accept" | "close">> {
  const server = createServer();
  const calls = firstCall(server);
  server.listen(path);
  await once(server, "listening");
  return calls;
}

function firstCall(server: Server): Pick<Listener, "accept" | "close"> {
  let taken = false;
  const connected = new Promise<Socket>((resolve) => {
    server.on("connection", (socket) => {
      socket.on("error", () => {}); // until a transport listens
      if (isSameUser(socket)) resolve(socket);
      else socket.destroy();
    });
  });
  const close = () => {
    server.close();
    void connected.then((socket) => taken || socket.destroy());
  };
  return {
    accept: async (options) => {
      try {
        return await withDeadline("be called by the debug adapter", options, async (signal) => {
          const socket = await abortable(connected, signal);
          taken = true;
          options.connected?.(socket);
          return transportOf(socket, options.process);
        });
      } finally {
        close();
      }
    },
    close,
  };
}

function transportOf(socket: Socket, process: AdapterProcess | undefined): Transport {
  socket.setNoDelay(true);
  socket.once("finish", () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  return new StreamTransport(socket, socket, process === undefined ? {} : { process });
}

async function withDeadline<T>(
  what: string,
  { timeoutMs, signal, process }: SocketOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const stop = (error: SondeError) => over.abort(error);
  const cancel = () => stop(new SondeError("CANCELLED", `could not ${what}: cancelled`));
  const timer = setTimeout(
    () => stop(new SondeError("TIMEOUT", `could not ${what} within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  void process?.ended.then((why) => {
    stop(
      new SondeError("ADAPTER_FAILED", `could not ${what}: ${why}${lastWords(process.stderr)}`, {
        details: { why, stderr: process.stderr },
      }),
    );
  });
  try {
    return await work(over.signal);
  } catch (cause) {
    if (over.signal.aborted) throw over.signal.reason;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new SondeError("ADAPTER_FAILED", `could not ${what}: ${message}`, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
