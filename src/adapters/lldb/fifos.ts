/**
 * The program's standard input and standard error, as FIFOs: its input can then be fed and ended, and its two outputs are told
 * apart. Its standard output stays the debugger's terminal, so that the program writes it line by line.
 */

import { execFile } from "node:child_process";
import { closeSync, constants, openSync, readSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { temporaryFolder } from "../../util/left-folders.ts";
import { deferred } from "../../util/wait.ts";
import type { StdinRoute } from "../adapter.ts";

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const CHUNK = 64 * 1024;
/** A process that the program left behind may write for ever. */
const MOST_DRAINED = 1 << 20;

export class Fifos {
  readonly folder: string;
  readonly stdin: string;
  readonly stderr: string;
  #onText: (text: string) => void = () => {};
  readonly #decoder = new StringDecoder("utf8");
  /** Keep the FIFOs usable until the program has opened them: a FIFO without its other end blocks or ends at once. */
  #held: number[];
  /** A descriptor of our own to read what is there now, beside the socket that reads what comes. */
  #drain: number | undefined;
  /** Kept from one stop to the next. */
  #chunk: Buffer | undefined;
  readonly #reader: Socket;
  #writer: Socket | undefined;
  readonly #ready = deferred<void>();
  #closed = false;

  private constructor(folder: string) {
    this.folder = folder;
    this.stdin = join(folder, "in");
    this.stderr = join(folder, "err");
    this.#drain = openSync(this.stderr, O_RDONLY | O_NONBLOCK);
    this.#reader = new Socket({ fd: openSync(this.stderr, O_RDONLY | O_NONBLOCK), writable: false });
    this.#reader.on("data", (chunk) => this.#text(chunk));
    this.#reader.on("error", () => {});
    this.#held = [openSync(this.stderr, O_WRONLY | O_NONBLOCK), openSync(this.stdin, O_RDWR | O_NONBLOCK)];
    this.#ready.promise.catch(() => {}); // nobody may be waiting to write
  }

  static async create(): Promise<Fifos> {
    const folder = temporaryFolder("io");
    try {
      await promisify(execFile)("mkfifo", ["-m", "600", join(folder, "in"), join(folder, "err")]);
      return new Fifos(folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Where what the program writes to its standard error goes. */
  listen(onText: (text: string) => void): void {
    this.#onText = onText;
  }

  /** The program runs, so it has both open; from here on the ends of both are its own doing, or ours. */
  opened(): void {
    if (this.#writer || this.#closed) return;
    try {
      this.#writer = new Socket({ fd: openSync(this.stdin, O_WRONLY | O_NONBLOCK), readable: false });
      this.#writer.on("error", () => {}); // the program closed its input; each write says so
      this.#ready.resolve();
    } catch {
      this.#ready.reject(new Error("the program has closed its standard input"));
    }
    this.#letGo();
  }

  /** What has been written so far, told now: before a stop is. */
  drain(): void {
    this.#chunk ??= Buffer.alloc(CHUNK);
    const buffer = this.#chunk;
    for (let total = 0; this.#drain !== undefined && total < MOST_DRAINED; ) {
      try {
        const read = readSync(this.#drain, buffer, 0, CHUNK, null);
        if (read === 0) return;
        total += read;
        this.#text(buffer.subarray(0, read));
      } catch {
        return; // EAGAIN: nothing there
      }
    }
  }

  route(): StdinRoute {
    return {
      write: async (bytes) => {
        await this.#ready.promise;
        await new Promise<void>((resolve, reject) => {
          const writer = this.#writer;
          if (!writer?.writable) return reject(new Error("the program has closed its standard input"));
          writer.write(bytes, (error) => (error ? reject(error) : resolve()));
        });
      },
      end: async () => {
        await this.#ready.promise;
        await new Promise<void>((resolve) => this.#writer?.end(resolve) ?? resolve());
      },
    };
  }

  /** `left`: the program runs on without us. What it writes is still read, or it would die of writing. */
  close({ left = false } = {}): void {
    if (this.#closed) return;
    this.#closed = true;
    this.drain();
    this.#onText = () => {};
    this.#letGo();
    this.#ready.reject(new Error("the program has ended"));
    if (this.#drain !== undefined) closeSync(this.#drain);
    this.#drain = undefined;
    this.#writer?.destroy();
    if (left) this.#reader.unref();
    else this.#reader.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #letGo(): void {
    for (const fd of this.#held.splice(0)) closeSync(fd);
    for (const path of [this.stdin, this.stderr]) rmSync(path, { force: true });
  }

  #text(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    if (text !== "") this.#onText(text);
  }
}
