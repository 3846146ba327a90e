/**
 * Where the recorders of a run's processes send their batches. What a process had not sent when it ended, however it ended, is in
 * the file that its memory was mapped to.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { ProcessRecords, type Whole } from "./records.ts";

/** A socket's path has room for about a hundred bytes. */
const LONGEST_ADDRESS = 100;
/** Before each batch: its number, and its length. */
const BATCH_HEAD = 8;
/** In the file: the number of the batch that was being filled, and its length. */
const TAIL_HEAD = 16;
/** After the program's end, how long its other processes may be silent before they are not waited for. */
const QUIET_MS = 300;
/** …and those that are not silent. */
const DRAIN_MS = 3000;

export class Reader {
  readonly address: string;
  readonly #server: Server;
  readonly #own: string | undefined;
  readonly #folder: string;
  readonly #connections = new Set<Connection>();
  /** The files of those that have said so. */
  readonly #known = new Set<string>();
  #changed: () => void = () => {};

  private constructor(folder: string, whole: Whole) {
    this.#folder = folder;
    const near = join(folder, "s");
    this.#own = Buffer.byteLength(near) > LONGEST_ADDRESS ? mkdtempSync("/tmp/sonde-") : undefined;
    this.address = this.#own === undefined ? near : join(this.#own, "s");
    this.#server = createServer((socket) => {
      const connection = new Connection(socket, folder, whole, () => {
        if (connection.file !== undefined) this.#known.add(connection.file);
        this.#changed();
      });
      this.#connections.add(connection);
      socket.once("close", () => {
        connection.finish();
        this.#connections.delete(connection);
        this.#changed();
      });
    });
  }

  static async listen(folder: string, whole: Whole): Promise<Reader> {
    const reader = new Reader(folder, whole);
    await new Promise<void>((resolve, reject) => {
      reader.#server.once("error", reject);
      reader.#server.listen(reader.address, resolve);
    });
    return reader;
  }

  /** When every process has said its last, or only silent ones are left. */
  async drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, DRAIN_MS).unref();
      let timer: NodeJS.Timeout | undefined;
      this.#changed = () => {
        clearTimeout(timer);
        if (!this.#allKnown()) return;
        timer = setTimeout(resolve, this.#connections.size === 0 ? 0 : QUIET_MS);
      };
      this.#changed();
    });
    this.#changed = () => {};
    for (const connection of this.#connections) connection.finish();
  }

  /** Whoever has a file has called, though it may not have been heard yet. */
  #allKnown(): boolean {
    const files = readdirSync(this.#folder).filter((name) => name.startsWith("tail-"));
    return files.every((name) => this.#known.has(name));
  }

  /** Whoever still writes learns that nobody reads. */
  close(): void {
    for (const connection of this.#connections) connection.drop();
    this.#server.close();
    if (this.#own !== undefined) rmSync(this.#own, { recursive: true, force: true });
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #folder: string;
  readonly #records: ProcessRecords;
  #pending: Buffer = Buffer.alloc(0);
  /** The last batch that came whole. */
  #batch = 0;
  #finished = false;

  constructor(socket: Socket, folder: string, whole: Whole, onData: () => void) {
    this.#socket = socket;
    this.#folder = folder;
    this.#records = new ProcessRecords(whole);
    socket.on("data", (chunk: Buffer) => {
      if (this.#finished) return;
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      this.#takeWhole();
      onData();
    });
    socket.on("error", () => {}); // a process that was killed; what it left is in its file
  }

  #takeWhole(): void {
    while (this.#pending.length >= BATCH_HEAD) {
      const end = BATCH_HEAD + this.#pending.readUInt32LE(4);
      if (this.#pending.length < end) return;
      this.#batch = this.#pending.readUInt32LE(0);
      this.#records.take(this.#pending.subarray(BATCH_HEAD, end));
      this.#pending = this.#pending.subarray(end);
    }
  }

  get file(): string | undefined {
    return this.#records.file;
  }

  finish(): void {
    const { file } = this.#records;
    if (this.#finished || file === undefined) return;
    this.#finished = true;
    const tail = readFileSync(join(this.#folder, file));
    const length = Number(tail.readBigUInt64LE(8));
    if (Number(tail.readBigUInt64LE(0)) === this.#batch + 1)
      this.#records.take(tail.subarray(TAIL_HEAD, TAIL_HEAD + length));
    this.#records.end();
  }

  drop(): void {
    this.#socket.destroy();
  }
}
