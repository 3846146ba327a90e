/** One socket to the daemon, carrying any number of requests. Knows the wire, not how a daemon is found or started. */
import type { Socket } from "node:net";
import { Lines } from "./lines.ts";
import {
  ACCEPT_DEADLINE_MS,
  type CancelMessage,
  type ClientMessage,
  type ControlRequest,
  type DaemonMessage,
  type Hello,
  isFinal,
  LINE_LIMIT,
  PRODUCT,
  type RawRequest,
  type StdinMessage,
  type TypedRequest,
} from "./wire.ts";

export type Request = RawRequest | TypedRequest | ControlRequest;

export type Outcome =
  | { kind: "final"; message: DaemonMessage }
  /** The connection ended first. Not `accepted`: the request was certainly not begun. */
  | { kind: "lost"; accepted: boolean; why: NodeJS.ErrnoException | undefined }
  /** Connected, but nobody took the request in time. */
  | { kind: "silent"; pid: number | undefined };

export interface Listen {
  chunk?(text: string): void;
  needStdin?(): void;
}

interface Pending {
  /** With what it will be sent, as long as it has not been. */
  request: Request | undefined;
  accepted: boolean;
  listen: Listen;
  deadline: NodeJS.Timeout;
  settle(outcome: Outcome): void;
}

/**
 * Between a request and the word that it was taken nothing else is written, but its own cancel (and a cancelled request is never sent again).
 * A write to a daemon that has just ended fails, and then Node drops what has arrived unread: the word that another request was taken
 * could be in that. So "not accepted" is always read to the end of what the daemon wrote.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  /** Requests by their id, and messages, in the order in which they are to be sent. */
  #unsent: (number | ClientMessage)[] = [];
  /** The request that is sent, and of which nothing has been heard. */
  #untaken: number | undefined;
  #error: NodeJS.ErrnoException | undefined;
  #hello: Hello["hello"] | undefined;
  /** What the daemon has been told last. */
  #env: Record<string, string> | undefined;
  #closed = false;
  #whenClosed: (() => void)[] = [];

  /** The socket may still be connecting: what is sent meanwhile waits in its buffer. */
  constructor(socket: Socket) {
    this.#socket = socket;
    const lines = new Lines(LINE_LIMIT);
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) this.#receive(JSON.parse(line) as DaemonMessage);
      } catch (thrown) {
        socket.destroy(thrown as Error);
      }
    });
    socket.on("error", (error) => {
      this.#error = error;
    });
    socket.on("close", () => this.#lose());
  }

  get closed(): boolean {
    return this.#closed;
  }

  get daemon(): Hello["hello"] | undefined {
    return this.#hello;
  }

  ask(request: Request, listen: Listen = {}): Promise<Outcome> {
    return new Promise((settle) => {
      if (this.#closed) {
        settle({ kind: "lost", accepted: false, why: this.#error });
        return;
      }
      const deadline = setTimeout(() => {
        this.#pending.delete(request.id);
        settle({ kind: "silent", pid: this.#hello?.pid });
        this.close();
      }, ACCEPT_DEADLINE_MS);
      this.#pending.set(request.id, { request, accepted: false, listen, deadline, settle });
      this.#unsent.push(request.id);
      this.#sendNext();
    });
  }

  /** For a request of this connection: its input, or that it is not wanted any more. */
  send(message: StdinMessage | CancelMessage): void {
    if ("cancel" in message && message.id === this.#untaken) this.#write(message);
    else if ("cancel" in message && this.#pending.get(message.id)?.request) this.#drop(message.id);
    else {
      this.#unsent.push(message);
      this.#sendNext();
    }
  }

  /** It was never sent. */
  #drop(id: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.deadline);
    pending?.settle({ kind: "lost", accepted: false, why: undefined });
  }

  #sendNext(): void {
    while (this.#untaken === undefined && !this.#closed) {
      const next = this.#unsent.shift();
      if (next === undefined) return;
      if (typeof next !== "number") this.#write(next);
      else this.#sendRequest(next);
    }
  }

  #sendRequest(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending?.request) return; // given up meanwhile
    const { request } = pending;
    pending.request = undefined;
    this.#untaken = id;
    this.#write("command" in request ? this.#withoutKnown(request) : request);
  }

  #heardOf(id: number): void {
    if (id !== this.#untaken) return;
    this.#untaken = undefined;
    this.#sendNext();
  }

  /** An environment is long, and nearly always the one of the request before. */
  #withoutKnown(request: TypedRequest): TypedRequest {
    const { env, ...rest } = request;
    if (env === undefined || (this.#env !== undefined && isSame(env, this.#env))) return rest;
    this.#env = { ...env };
    return request;
  }

  #write(message: ClientMessage): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Resolves when the other side has closed too. */
  whenClosed(): Promise<void> {
    return this.#closed ? Promise.resolve() : new Promise((done) => this.#whenClosed.push(done));
  }

  /** A connection that only waits must not keep the process alive. */
  unref(): void {
    this.#socket.unref();
  }

  ref(): void {
    this.#socket.ref();
  }

  #receive(message: DaemonMessage): void {
    if ("hello" in message) {
      if (message.hello.product !== PRODUCT)
        throw new Error("the process listening on the socket is not a sonde daemon");
      this.#hello = message.hello;
      return;
    }
    if ("accepted" in message || isFinal(message)) this.#heardOf(message.id);
    const pending = this.#pending.get(message.id);
    if (!pending) return; // the answer to something we gave up on
    if ("accepted" in message) {
      pending.accepted = true;
      clearTimeout(pending.deadline);
    } else if ("chunk" in message) pending.listen.chunk?.(message.chunk);
    else if ("need" in message) pending.listen.needStdin?.();
    else if (isFinal(message)) {
      this.#pending.delete(message.id);
      clearTimeout(pending.deadline);
      pending.settle({ kind: "final", message });
    }
  }

  #lose(): void {
    this.#closed = true;
    for (const { accepted, deadline, settle } of this.#pending.values()) {
      clearTimeout(deadline);
      settle({ kind: "lost", accepted, why: this.#error });
    }
    this.#pending.clear();
    for (const done of this.#whenClosed) done();
    this.#whenClosed = [];
  }
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
