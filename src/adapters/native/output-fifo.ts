/**
 * One of the program's two outputs as a FIFO, read by us alone: it is never blocked longer than by a plain pipe, and what it
 * wrote is there to be read when its debugger says that it has ended.
 */
import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { readOn } from "../../util/read-on.ts";
import { wholeCharacters } from "../../util/utf8.ts";
import { Unwritten } from "./unwritten.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** As much as a pipe can be made to hold; only what is read takes memory. */
const CHUNK = 1024 * 1024;
/** Of a program that prints this much at a time most is dropped: it is not made text that nobody reads. */
const FLOOD = 32 * 1024;
/** A process that the program left behind may write for ever. */
const MOST_DRAINED = 1 << 20;

export type Category = "stdout" | "stderr";
/** `bytes`: instead of a text, whole characters of UTF-8; they are there only during the call. */
export type OnText = (category: Category | "important", text: string, bytes?: Buffer) => void;

const NOTHING: Buffer = Buffer.alloc(0);

export class OutputFifo {
  readonly category: Category;
  readonly path: string;
  /** It has been read to its end: nobody has it open any more. */
  readonly ended: Promise<void>;
  #onText: OnText = () => {};
  /** The beginning of a character whose end has not come yet. */
  #begun = NOTHING;
  /** Keeps it from ending before the program has opened it. */
  #held: number | undefined;
  /** A descriptor of our own to read what is there now, beside the socket that reads what comes. */
  #drain: number | undefined;
  readonly #reader: Socket;
  readonly #inode: number;
  /** Kept from one read to the next. */
  #chunk: Buffer | undefined;
  #unwritten: Unwritten | undefined;
  /** Told already, though it has not been written: see `gather`. */
  #ahead = NOTHING;

  constructor(category: Category, path: string) {
    this.category = category;
    this.path = path;
    this.#drain = openSync(path, O_RDONLY | O_NONBLOCK);
    this.#inode = fstatSync(this.#drain).ino;
    // One buffer for all that is read: a new one for each piece would cost more than the reading.
    const onread = {
      buffer: Buffer.allocUnsafeSlow(CHUNK),
      callback: (length: number, buffer: Uint8Array) => {
        this.#arrived(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    };
    const reading = { fd: openSync(path, O_RDONLY | O_NONBLOCK), writable: false, onread };
    this.#reader = new Socket(reading);
    this.#reader.resume();
    this.#reader.on("error", () => {});
    this.ended = new Promise((resolve) => this.#reader.once("close", () => resolve()));
    this.#held = openSync(path, O_WRONLY | O_NONBLOCK);
  }

  listen(onText: OnText): void {
    this.#onText = onText;
  }

  /** The program has it open: from here on its end is the program's. */
  opened(): void {
    if (this.#held !== undefined) closeSync(this.#held);
    this.#held = undefined;
    rmSync(this.path, { force: true });
  }

  /** What has been written so far, told now. Whether there was anything. */
  drain(): boolean {
    this.#chunk ??= Buffer.allocUnsafeSlow(CHUNK);
    const buffer = this.#chunk;
    let total = 0;
    while (this.#drain !== undefined && total < MOST_DRAINED) {
      try {
        const read = readSync(this.#drain, buffer, 0, CHUNK, null);
        if (read === 0) break;
        total += read;
        this.#arrived(buffer.subarray(0, read));
      } catch {
        break; // EAGAIN: nothing there
      }
    }
    return total > 0;
  }

  /**
   * Also what the program has printed and its C library holds back until a buffer is full, as it does where there is no
   * terminal. It is told once: when it is written it is passed over.
   */
  gather(pid: number): void {
    if (this.#drain === undefined || this.category !== "stdout") return;
    this.#unwritten ??= new Unwritten();
    this.drain();
    const text = this.#unwritten.read(pid, this.#inode);
    // One that is writing at this very moment will have it arrive.
    if (text === undefined || this.drain() || !this.#unwritten.read(pid, this.#inode)?.equals(text)) return;
    const known = text.subarray(0, this.#ahead.length).equals(this.#ahead) ? this.#ahead.length : 0;
    this.#ahead = text;
    this.#tell(text.subarray(known));
  }

  /** The program has ended: what it wrote is told, and what it never did. */
  finished(): void {
    this.drain();
    if (this.#begun.length > 0) this.#onText(this.category, this.#begun.toString("utf8"));
    this.#begun = NOTHING;
    const lost = this.#ahead.length;
    this.#ahead = NOTHING;
    if (lost === 0) return;
    const why = "they were in the program's buffer when it ended";
    const text = `the last ${lost} bytes of stdout were printed but never written: ${why}\n`;
    this.#onText("important", text);
  }

  /** `left`: the program runs on without us. */
  close({ left = false } = {}): void {
    if (this.#drain === undefined) return;
    if (!left) this.finished();
    this.#onText = () => {};
    this.opened();
    closeSync(this.#drain);
    this.#drain = undefined;
    if (left) {
      this.#reader.unref();
      readOn(this.#reader);
    } else this.#reader.destroy();
  }

  #arrived(chunk: Buffer): void {
    const length = Math.min(chunk.length, this.#ahead.length);
    const told = length > 0 && chunk.subarray(0, length).equals(this.#ahead.subarray(0, length));
    this.#ahead = told ? this.#ahead.subarray(length) : NOTHING;
    this.#tell(told ? chunk.subarray(length) : chunk);
  }

  #tell(bytes: Buffer): void {
    const all = this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]);
    const length = wholeCharacters(all);
    this.#begun = length === all.length ? NOTHING : Buffer.from(all.subarray(length));
    if (length >= FLOOD) this.#onText(this.category, "", all.subarray(0, length));
    else if (length > 0) this.#onText(this.category, all.toString("utf8", 0, length));
  }
}
