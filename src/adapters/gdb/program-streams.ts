/**
 * The program's own standard streams under gdb. Left alone it would share gdb's: its input would be the pipe of the debugger's
 * commands, and its words would come mixed with gdb's. So it is started by a wrapper (`set exec-wrapper`) that opens three
 * FIFOs of ours in their place. The wrapper also holds the program's arguments: no quoting rule of gdb's applies to them.
 */

import { execFile } from "node:child_process";
import { closeSync, constants, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../util/left-folders.ts";
import { wait } from "../../util/wait.ts";
import type { StdinRoute } from "../adapter.ts";

/** A process that the program left behind may hold its streams open. */
const DRAIN_MS = 500;
const { O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

export interface WrappedProgram {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export class ProgramStreams {
  readonly stdin: StdinRoute;
  readonly #folder: string;
  readonly #input: Socket;
  /** We hold the far ends as well until the program has them: else there would be an end before the beginning. */
  #holding: number[];
  readonly #outputs: { category: "stdout" | "stderr"; socket: Socket }[];
  readonly #drained: Promise<unknown>;
  #begin: () => void = () => {};
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });

  static async open(program: WrappedProgram): Promise<ProgramStreams> {
    const folder = temporaryFolder("gdb");
    try {
      await promisify(execFile)("mkfifo", ["-m", "600", ...NAMES.map((name) => join(folder, name))]);
      writeFileSync(join(folder, "run"), wrapper(folder, program));
      return new ProgramStreams(folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(folder: string) {
    this.#folder = folder;
    const open = (name: string, flags: number) => openSync(join(folder, name), flags | O_NONBLOCK);
    this.#input = new Socket({ fd: open("in", O_RDWR), readable: false, writable: true });
    this.#input.on("error", () => {}); // the program may end without having read
    this.#outputs = [
      { category: "stdout", socket: new Socket({ fd: open("out", O_RDONLY), readable: true }) },
      { category: "stderr", socket: new Socket({ fd: open("err", O_RDONLY), readable: true }) },
    ];
    this.#holding = [open("out", O_RDWR), open("err", O_RDWR)];
    this.#drained = Promise.all(
      this.#outputs.map(
        ({ socket }) => new Promise<void>((resolve) => socket.once("close", () => resolve())),
      ),
    );
    this.stdin = {
      write: (bytes) =>
        new Promise((resolve, reject) =>
          this.#input.write(bytes, (error) => (error ? reject(error) : resolve())),
        ),
      // Not before the program has opened it: what was written would be lost, and its opening would wait for ever.
      end: () => this.#begun.then(() => void this.#input.end(() => this.#input.destroy())),
    };
  }

  /** For gdb's `set exec-wrapper`. */
  get wrapper(): string {
    return `/bin/sh ${quoted(join(this.#folder, "run"))}`;
  }

  read(onOutput: (category: "stdout" | "stderr", text: string) => void): void {
    for (const { category, socket } of this.#outputs) {
      socket.setEncoding("utf8");
      socket.on("data", (text: string) => onOutput(category, text));
      socket.on("error", () => {});
    }
  }

  /** The program runs, and so it has opened its streams. */
  started(): void {
    for (const fd of this.#holding.splice(0)) closeSync(fd);
    this.#begin();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** All that it has said is read. */
  async drained(): Promise<void> {
    await wait(this.#drained, { timeoutMs: DRAIN_MS });
  }

  close(): void {
    this.started();
    this.#input.destroy();
    for (const { socket } of this.#outputs) socket.destroy();
  }
}

const NAMES = ["in", "out", "err"];

/** gdb starts programs by $SHELL, which must be one it can quote for, and adds variables of its own: put right again here. */
function wrapper(folder: string, { args, env }: WrappedProgram): string {
  const restored = ["SHELL", "LINES", "COLUMNS"].map((name) => {
    const value = env[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${quoted(value)}`;
  });
  const [input, output, error] = NAMES.map((name) => quoted(join(folder, name)));
  return [...restored, `exec "$@" ${args.map(quoted).join(" ")} < ${input} > ${output} 2> ${error}`, ""].join(
    "\n",
  );
}

/** The environment gdb itself is to have. */
export function underGdb(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...env, SHELL: "/bin/sh" };
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
