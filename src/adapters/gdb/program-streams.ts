/**
 * The program's own standard streams under gdb. Left alone it would share gdb's: its input would be the pipe of the debugger's
 * commands, and its words would come mixed with gdb's. So it is started by a wrapper (`set exec-wrapper`) that opens three
 * FIFOs of ours in their place. The wrapper also holds the program's arguments: no quoting rule of gdb's applies to them.
 */
import { execFile } from "node:child_process";
import { constants, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../util/left-folders.ts";
import { shellWord } from "../../util/shell-words.ts";
import { wait } from "../../util/wait.ts";
import type { StdinRoute } from "../adapter.ts";
import { type OnText, OutputFifo } from "../native/output-fifo.ts";

/** A process that the program left behind may hold its streams open. */
const DRAIN_MS = 500;
const { O_NONBLOCK, O_RDWR } = constants;

export interface WrappedProgram {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export class ProgramStreams {
  readonly stdin: StdinRoute;
  readonly #folder: string;
  readonly #input: Socket;
  readonly #outputs: OutputFifo[];
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
    const input = openSync(join(folder, "in"), O_RDWR | O_NONBLOCK);
    this.#input = new Socket({ fd: input, readable: false, writable: true });
    this.#input.on("error", () => {}); // the program may end without having read
    this.#outputs = [
      new OutputFifo("stdout", join(folder, "out")),
      new OutputFifo("stderr", join(folder, "err")),
    ];
    this.#drained = Promise.all(this.#outputs.map(({ ended }) => ended));
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
    return `/bin/sh ${shellWord(join(this.#folder, "run"))}`;
  }

  read(onText: OnText): void {
    for (const output of this.#outputs) output.listen(onText);
  }

  /** What has been written so far, told now: before a stop is. */
  drain(): void {
    for (const output of this.#outputs) output.drain();
  }

  gather(pid: number): void {
    for (const output of this.#outputs) output.gather(pid);
  }

  /** The program runs, and so it has opened its streams. */
  started(): void {
    for (const output of this.#outputs) output.opened();
    this.#begin();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** All that it has said is read. */
  async drained(): Promise<void> {
    await wait(this.#drained, { timeoutMs: DRAIN_MS });
    for (const output of this.#outputs) output.finished();
  }

  close(): void {
    this.started();
    this.#input.destroy();
    for (const output of this.#outputs) output.close();
  }
}

const NAMES = ["in", "out", "err"];

/** gdb starts programs by $SHELL, which must be one it can quote for, and adds variables of its own: put right again here. */
function wrapper(folder: string, { args, env }: WrappedProgram): string {
  const restored = ["SHELL", "LINES", "COLUMNS"].map((name) => {
    const value = env[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${shellWord(value)}`;
  });
  const [input, output, error] = NAMES.map((name) => shellWord(join(folder, name)));
  return [
    ...restored,
    `exec "$@" ${args.map(shellWord).join(" ")} < ${input} > ${output} 2> ${error}`,
    "",
  ].join("\n");
}

/** The environment gdb itself is to have. */
export function underGdb(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...env, SHELL: "/bin/sh" };
}
