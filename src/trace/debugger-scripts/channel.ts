/** The pipe through which a script inside a debugger tells what it records: a JSON object a line. */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { wait } from "../../util/wait.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Whoever writes has ended or is about to; what it wrote is in the pipe. */
const DRAIN_MS = 2000;

export class Channel {
  readonly path: string;
  readonly #socket: Socket;
  /** Without a writer of our own it would end before the script has opened it. */
  #held: number | undefined;
  readonly #ended: Promise<void>;

  static async open(folder: string, onMessage: (message: unknown) => void): Promise<Channel> {
    const path = join(folder, "records");
    await promisify(execFile)("mkfifo", ["-m", "600", path]);
    return new Channel(path, onMessage);
  }

  private constructor(path: string, onMessage: (message: unknown) => void) {
    this.path = path;
    this.#socket = new Socket({ fd: openSync(path, O_RDONLY | O_NONBLOCK), writable: false });
    this.#held = openSync(path, O_WRONLY | O_NONBLOCK);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    this.#socket.on("data", (chunk) => {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onMessage(JSON.parse(line));
    });
    this.#socket.on("error", () => {});
    this.#ended = new Promise((resolve) => this.#socket.once("close", () => resolve()));
  }

  /** The script has it open, or never will: from here on its end is the script's. */
  letGo(): void {
    if (this.#held !== undefined) closeSync(this.#held);
    this.#held = undefined;
  }

  /**
   * We are about to end the program, or to leave it: a hit that is being read meanwhile would miss what is no longer there. The
   * script looks for this file when it has read one, and leaves it out.
   */
  cut(): void {
    writeFileSync(`${this.path}.cut`, "");
  }

  /** All that was written has been told. */
  async drained(): Promise<void> {
    this.letGo();
    await wait(this.#ended, { timeoutMs: DRAIN_MS });
    this.#socket.destroy();
  }
}
