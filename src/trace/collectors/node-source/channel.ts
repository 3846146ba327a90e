/** Our end of the FIFO that the program's threads write to: packets with their sender in front, put together to lines again. */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { deferred } from "../../../util/wait.ts";

const { O_NONBLOCK, O_RDWR, O_WRONLY } = constants;
const HEAD = 10;

export type LineListener = (pid: number, thread: number, line: string) => void;

export class Channel {
  readonly #path: string;
  readonly #onLine: LineListener;
  readonly #socket: Socket;
  /** Bytes that are no whole packet yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Lines that have only begun, by sender. */
  readonly #begun = new Map<string, Buffer[]>();
  readonly #drained = deferred<void>();
  #marker: number | undefined;

  private constructor(path: string, onLine: LineListener) {
    this.#path = path;
    this.#onLine = onLine;
    // Open for writing, too: it does not end when a process of the program does.
    this.#socket = new Socket({ fd: openSync(path, O_RDWR | O_NONBLOCK), writable: false });
    this.#socket.on("data", (chunk: Buffer) => this.#data(chunk));
    this.#socket.on("error", () => this.#drained.resolve());
    this.#socket.on("close", () => this.#drained.resolve());
  }

  static async create(path: string, onLine: LineListener): Promise<Channel> {
    await promisify(execFile)("mkfifo", ["-m", "600", path]);
    return new Channel(path, onLine);
  }

  /** Everything written up to now has been taken: a mark of our own is sent after it, and waited for. */
  async drain(): Promise<void> {
    this.#marker = openSync(this.#path, O_WRONLY | O_NONBLOCK);
    this.#mark();
    await this.#drained.promise;
  }

  /** What the program still writes fails from here on, and its recorders fall silent. */
  close(): void {
    if (this.#marker !== undefined) closeSync(this.#marker);
    this.#marker = undefined;
    this.#socket.destroy();
  }

  #marked = false;

  #mark(): void {
    if (this.#marker === undefined || this.#marked) return;
    try {
      this.#marked = writeSync(this.#marker, Buffer.alloc(HEAD)) === HEAD;
    } catch {
      // Full: tried again when something has been read.
    }
  }

  #data(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= HEAD) {
      const pid = bytes.readUInt32LE(at);
      const thread = bytes.readUInt32LE(at + 4);
      const end = at + HEAD + bytes.readUInt16LE(at + 8);
      if (end > bytes.length) break;
      if (pid === 0) this.#drained.resolve();
      else this.#packet(pid, thread, bytes.subarray(at + HEAD, end));
      at = end;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    this.#mark();
  }

  #packet(pid: number, thread: number, payload: Buffer): void {
    const key = `${pid} ${thread}`;
    const last = payload.lastIndexOf(10);
    const begun = this.#begun.get(key) ?? [];
    if (last < 0) {
      this.#begun.set(key, [...begun, Buffer.from(payload)]);
      return;
    }
    const text = Buffer.concat([...begun, payload.subarray(0, last)]).toString();
    const rest = payload.subarray(last + 1);
    if (rest.length > 0) this.#begun.set(key, [Buffer.from(rest)]);
    else this.#begun.delete(key);
    for (const line of text.split("\n")) this.#onLine(pid, thread, line);
  }
}
