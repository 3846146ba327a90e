/**
 * The program's streams as FIFOs: its input can be fed and ended, its two outputs are told apart, and neither passes through the
 * debugger, which would hold the program up and lose the end. Elsewhere than on Linux its standard output stays the debugger's
 * terminal: what a program holds back in its buffer can be read on Linux only.
 */

import { execFile } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../util/left-folders.ts";
import { deferred } from "../../util/wait.ts";
import type { StdinRoute } from "../adapter.ts";
import { type OnText, OutputFifo } from "../native/output-fifo.ts";

const { O_NONBLOCK, O_RDWR, O_WRONLY } = constants;

export class Fifos {
  readonly folder: string;
  readonly stdin: string;
  readonly stdout: string | undefined;
  readonly stderr: string;
  readonly #outputs: OutputFifo[];
  /** Keeps the input usable until the program has opened it: a FIFO without its other end blocks or ends at once. */
  #held: number | undefined;
  #writer: Socket | undefined;
  readonly #ready = deferred<void>();
  #closed = false;

  private constructor(folder: string, outputs: ("stdout" | "stderr")[]) {
    this.folder = folder;
    this.stdin = join(folder, "stdin");
    this.stdout = outputs.includes("stdout") ? join(folder, "stdout") : undefined;
    this.stderr = join(folder, "stderr");
    this.#outputs = outputs.map((category) => new OutputFifo(category, join(folder, category)));
    this.#held = openSync(this.stdin, O_RDWR | O_NONBLOCK);
    this.#ready.promise.catch(() => {}); // nobody may be waiting to write
  }

  static async create(): Promise<Fifos> {
    const folder = temporaryFolder("io");
    const outputs: ("stdout" | "stderr")[] = process.platform === "linux" ? ["stdout", "stderr"] : ["stderr"];
    try {
      await promisify(execFile)("mkfifo", [
        "-m",
        "600",
        ...["stdin", ...outputs].map((name) => join(folder, name)),
      ]);
      return new Fifos(folder, outputs);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Where what the program writes goes. */
  listen(onText: OnText): void {
    for (const output of this.#outputs) output.listen(onText);
  }

  /** The program runs, so it has all open; from here on their ends are its own doing, or ours. */
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
    for (const output of this.#outputs) output.drain();
  }

  gather(pid: number): void {
    for (const output of this.#outputs) output.gather(pid);
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

  /** `left`: the program runs on without us. */
  close({ left = false } = {}): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const output of this.#outputs) output.close({ left });
    this.#letGo();
    this.#ready.reject(new Error("the program has ended"));
    this.#writer?.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #letGo(): void {
    if (this.#held !== undefined) closeSync(this.#held);
    this.#held = undefined;
    rmSync(this.stdin, { force: true });
    for (const output of this.#outputs) output.opened();
  }
}
