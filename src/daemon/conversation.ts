/** One client's connection: its lines in, its answers out, and what it has in flight. Ends what it began when it ends. */
import type { Socket } from "node:net";
import { Lines } from "../client/lines.ts";
import { type ClientMessage, type DaemonMessage, REQUEST_LIMIT, STDIN_LIMIT } from "../client/wire.ts";
import type { RequestIo } from "../engine/engine.ts";
import { asSondeError, SondeError } from "../errors.ts";
import { parseMessage } from "./parse-message.ts";
import { plainFrame } from "./plain-frame.ts";

/** A reader that falls this far behind loses chunks, and is told how much. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** What is written at the reader's pace may be so far ahead of it. */
const AHEAD_BYTES = 256 * 1024;

export type Request = Exclude<ClientMessage, { stdin: string } | { cancel: true }>;

/** What a request is given: the engine's view of its caller, and how to answer. */
export interface InFlight extends RequestIo {
  /** Resolves once the client can know that the request has begun; false when it is gone. */
  accept(): Promise<boolean>;
  finish(message: DaemonMessage): void;
}

interface StdinAsked {
  parts: Buffer[];
  bytes: number;
  done(bytes: Buffer): void;
  fail(error: SondeError): void;
}

export class Conversation {
  readonly #socket: Socket;
  readonly #begin: (request: Request, io: InFlight) => void;
  readonly #aborts = new Map<number, AbortController>();
  readonly #stdin = new Map<number, StdinAsked>();
  #unsent = 0;
  /** Of the last request that had one. */
  #env: Record<string, string> | undefined;
  /** The request that is answered in plain frames. */
  #plain: number | undefined;

  constructor(socket: Socket, begin: (request: Request, io: InFlight) => void) {
    this.#socket = socket;
    this.#begin = begin;
    const lines = new Lines(REQUEST_LIMIT);
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) this.#receive(parseMessage(line));
      } catch (thrown) {
        // Where the next message begins is no longer certain.
        const { message } = asSondeError(thrown);
        this.send({ id: -1, ok: false, error: { code: "BAD_ARGUMENT", message } });
        void this.close();
      }
    });
    socket.on("drain", () => this.#sayUnsent());
    socket.on("error", () => {}); // "close" follows
    socket.on("close", () => this.#abandon());
  }

  send(message: DaemonMessage, written?: (error?: Error | null) => void): void {
    const plain = "id" in message && message.id === this.#plain ? plainFrame(message) : undefined;
    this.#socket.write(plain ?? `${JSON.stringify(message)}\n`, written);
  }

  /** What was written still arrives; what was not read never does. */
  close(): Promise<void> {
    this.#socket.removeAllListeners("data");
    return new Promise((done) => {
      if (this.#socket.destroyed) return done();
      this.#socket.once("close", () => done());
      this.#socket.end(() => this.#socket.destroy());
    });
  }

  /** A request that is not taken gets no word at all, which tells the client that it was not begun. */
  refuse(): void {
    if (this.#aborts.size <= 1) this.#socket.destroy(); // otherwise other answers are still to come, then the end
  }

  #receive(message: ClientMessage): void {
    if ("cancel" in message) {
      this.#aborts.get(message.id)?.abort();
    } else if ("stdin" in message) {
      this.#takeStdin(message.id, String(message.stdin), message.more === true);
    } else if (this.#aborts.has(message.id)) {
      throw new SondeError("BAD_ARGUMENT", `request ${message.id} is already in flight`);
    } else {
      if ("plain" in message) this.#plain = message.id;
      this.#begin(this.#withEnv(message), this.#inFlight(message.id));
    }
  }

  #withEnv(request: Request): Request {
    if (!("command" in request)) return request;
    this.#env = request.env ?? this.#env;
    return this.#env === undefined ? request : { ...request, env: this.#env };
  }

  #inFlight(id: number): InFlight {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    return {
      signal: abort.signal,
      accept: () =>
        new Promise((done) => {
          this.send({ id, accepted: true }, (error) => done(!error && !abort.signal.aborted));
          // With the system already: the client reads it whatever becomes of us.
          const { writableLength, destroyed, errored } = this.#socket;
          if (writableLength === 0 && !destroyed && !errored) done(!abort.signal.aborted);
        }),
      chunk: (text) => this.#chunk(id, text),
      write: (text) => this.#write(id, text),
      stdin: () => this.#askStdin(id, abort.signal),
      finish: (message) => {
        this.#aborts.delete(id);
        this.#stdin.delete(id);
        this.#sayUnsent();
        if (!this.#socket.destroyed) this.send(message);
      },
    };
  }

  #lastChunkId = 0;

  #chunk(id: number, text: string): void {
    this.#lastChunkId = id;
    if (this.#unsent > 0 || this.#socket.writableLength > MAX_UNREAD_BYTES)
      this.#unsent += Buffer.byteLength(text);
    else this.send({ id, chunk: text });
  }

  async #write(id: number, text: string): Promise<void> {
    this.send({ id, chunk: text });
    if (this.#socket.writableLength <= AHEAD_BYTES || this.#socket.destroyed) return;
    await new Promise<void>((done) => {
      const go = () => {
        this.#socket.off("drain", go).off("close", go);
        done();
      };
      this.#socket.on("drain", go).on("close", go);
    });
  }

  #sayUnsent(): void {
    if (this.#unsent === 0) return;
    this.send({
      id: this.#lastChunkId,
      chunk: `\n[sonde: ${this.#unsent} bytes omitted: the reader was too slow]\n`,
    });
    this.#unsent = 0;
  }

  #askStdin(id: number, signal: AbortSignal): Promise<Buffer> {
    return new Promise((done, reject) => {
      const fail = (error: SondeError) => {
        this.#stdin.delete(id);
        reject(error);
      };
      if (signal.aborted) return fail(cancelled());
      signal.addEventListener("abort", () => fail(cancelled()), { once: true });
      this.#stdin.set(id, { parts: [], bytes: 0, done, fail });
      this.send({ id, need: "stdin" });
    });
  }

  #takeStdin(id: number, base64: string, more: boolean): void {
    const asked = this.#stdin.get(id);
    if (!asked) return; // the request has ended meanwhile
    const part = Buffer.from(base64, "base64");
    asked.parts.push(part);
    asked.bytes += part.length;
    if (asked.bytes > STDIN_LIMIT) {
      asked.fail(new SondeError("BAD_ARGUMENT", `standard input is longer than ${STDIN_LIMIT} bytes`));
    } else if (!more) {
      this.#stdin.delete(id);
      asked.done(Buffer.concat(asked.parts));
    }
  }

  #abandon(): void {
    for (const abort of this.#aborts.values()) abort.abort();
    this.#aborts.clear();
  }
}

function cancelled(): SondeError {
  return new SondeError("CANCELLED", "the caller disconnected");
}
