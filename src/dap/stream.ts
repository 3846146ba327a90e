/** A transport over any pair of byte streams: what stdio and sockets have in common, and what serves DAP on our own stdio. */
import type { Readable, Writable } from "node:stream";
import { Decoder, encode, FramingError } from "./framing.ts";
import type { AdapterProcess } from "./process.ts";
import type { CloseReason, Message, Transport } from "./transport.ts";

export interface StreamOptions {
  /** Who is at the other end, for the reason of a close: "the debug adapter". */
  peer?: string;
  /** The process there, when we started it: the connection ends with it, and it can say why. */
  process?: AdapterProcess;
}

export class StreamTransport implements Transport {
  readonly #read: Readable;
  readonly #write: Writable;
  readonly #peer: string;
  readonly #process: AdapterProcess | undefined;
  readonly #decoder = new Decoder();
  #ended = false;
  /** An end that came before `start`. */
  #early: (() => void) | undefined;
  #onClose: ((reason: CloseReason) => void) | undefined;

  constructor(read: Readable, write: Writable, options: StreamOptions = {}) {
    this.#read = read;
    this.#write = write;
    this.#peer = options.peer ?? "the debug adapter";
    this.#process = options.process;
    // Listened to from the start: an unheard error event would end our process.
    read.on("error", (error) => this.#end(`the connection failed: ${error.message}`));
    if (write !== (read as unknown)) write.on("error", () => this.#end(`${this.#peer} closed its input`));
    // Not left to end-of-file: a program the adapter started may hold its pipes open.
    void options.process?.ended.then((why) => this.#end(why));
  }

  start(onMessage: (message: Message) => void, onClose: (reason: CloseReason) => void): void {
    this.#onClose = onClose;
    const over = () => this.#end(`${this.#peer} closed the connection`);
    this.#read.on("data", (chunk: Buffer) => {
      // After the end it is still drained, so that the other side cannot block on a full pipe.
      if (!this.#ended) this.#decode(chunk, onMessage);
    });
    this.#read.on("end", over);
    this.#read.on("close", over);
    if (this.#read.destroyed) over();
    this.#early?.();
  }

  send(message: Message): void {
    if (this.#ended || !this.#write.writable) return;
    if (this.#write.writableCorked === 0) {
      // What is said in one breath goes out in one write: each write wakes the other side.
      this.#write.cork();
      process.nextTick(() => this.#write.uncork());
    }
    this.#write.write(encode(message));
  }

  close(): void {
    this.#end("sonde closed the connection");
  }

  #decode(chunk: Buffer, onMessage: (message: Message) => void): void {
    try {
      for (const message of this.#decoder.push(chunk)) onMessage(message);
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      for (const message of error.decoded) onMessage(message);
      this.#end(`${this.#peer} sent something that is not DAP: ${error.message}`, true);
    }
  }

  #end(why: string, telling = false): void {
    if (this.#ended) return;
    this.#ended = true;
    // Half-closed only: an adapter that reads end-of-file has the chance to clean up.
    if (!this.#write.destroyed) this.#write.end();
    const announce = async () => this.#onClose?.((await this.#process?.explain(why, telling)) ?? { why });
    if (this.#onClose === undefined) this.#early = () => void announce();
    else void announce();
  }
}
