/** A started command: its process group, its output as it comes, its standard input, its end. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isAlive } from "../../../util/process-facts.ts";
import { readOn } from "../../../util/read-on.ts";
import { wait } from "../../../util/wait.ts";
import { signalProcess } from "./pids.ts";
import { openStdio } from "./stdio.ts";

/** A grandchild may hold the pipe open after the command has ended. */
const DRAIN_MS = 200;
/** Even a killed process may hang in the kernel, on a dead network disk. */
const KILLED_MS = 2000;
const MAX_OUTPUT = 64 * 1024;
const LAST_WORDS = 2048;

export interface Exit {
  /** 128 + signal number after death by a signal, as a shell has it. */
  code: number;
  signal?: NodeJS.Signals;
}

export interface CommandLine {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

export type OutputListener = (category: "stdout" | "stderr", text: string) => void;

/** Rejects when the system refuses to start it. */
export async function startCommand(line: CommandLine, onOutput: OutputListener): Promise<Command> {
  const { file, args, cwd, env } = line;
  const pipes = await openStdio();
  try {
    // A process group of its own, so that the whole command can be ended, and Ctrl-C in a terminal of ours spares it.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: pipes?.theirs ?? "pipe" });
    await once(child, "spawn");
    return new Command(child, pipes ?? (child as ChildProcessWithoutNullStreams), onOutput);
  } catch (error) {
    for (const stream of [pipes?.stdin, pipes?.stdout, pipes?.stderr]) stream?.destroy();
    throw new Error(`cannot start ${file}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    pipes?.closeTheirs();
  }
}

interface Streams {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
}

export class Command {
  readonly pid: number;
  /** The command itself has ended. */
  readonly exit: Promise<Exit>;
  /** …and what it had written has been handed on. */
  readonly drained: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  readonly #outputs: Readable[];
  #lastWords = "";
  #ended = false;

  constructor(child: ChildProcess, { stdin, stdout, stderr }: Streams, onOutput: OutputListener) {
    this.#child = child;
    this.#stdin = stdin;
    this.#outputs = [stdout, stderr];
    this.pid = child.pid ?? 0;
    this.exit = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#ended = true;
        stdin.destroy();
        resolve(asExit(code, signal));
      });
    });
    const closed = Promise.all([
      decode(stdout, (text) => onOutput("stdout", text)),
      decode(stderr, (text) => {
        this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
        onOutput("stderr", text);
      }),
    ]);
    // A program that ends without reading its input breaks this pipe; `write` reports it to whoever writes.
    stdin.on("error", () => {});
    this.drained = this.exit.then(async (exit) => {
      await wait(closed, { timeoutMs: DRAIN_MS });
      return exit;
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The end of what it wrote to stderr, for an error message. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  /** Resolves when the bytes are on their way, so that a slow reader slows the writer. */
  write(bytes: Buffer): Promise<void> {
    const stdin = this.#stdin;
    return new Promise((resolve, reject) => {
      if (this.#ended)
        return reject(new Error("the program has exited; its standard input is no longer read"));
      if (!stdin.writable) return reject(new Error("the program's standard input is closed"));
      stdin.write(bytes, (error) => {
        if (error) reject(new Error(`the program no longer reads its standard input: ${error.message}`));
        else resolve();
      });
    });
  }

  endInput(): void {
    this.#stdin.end();
  }

  /** To every process of its group. */
  signal(name: NodeJS.Signals): void {
    signalProcess(-this.pid, name);
  }

  /** Asks the group to end, and kills what is left of it after a while. */
  async end(graceMs: number): Promise<void> {
    this.signal("SIGTERM");
    const started = performance.now();
    await wait(this.exit, { timeoutMs: graceMs });
    // The group outlives its leader; nothing announces its end.
    while (isAlive(-this.pid) && performance.now() - started < graceMs) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.signal("SIGKILL");
    await wait(this.exit, { timeoutMs: KILLED_MS });
  }

  /** The daemon does not stay up for it any longer. */
  forget(): void {
    this.#child.unref();
    for (const output of this.#outputs) readOn(output);
  }
}

/** Resolves at the end of the stream. */
function decode(stream: Readable, emit: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder("utf8");
  const emitBounded = (text: string) => {
    for (let from = 0; from < text.length; from += MAX_OUTPUT) emit(text.slice(from, from + MAX_OUTPUT));
  };
  stream.on("data", (chunk: Buffer) => emitBounded(decoder.write(chunk)));
  stream.on("error", () => {});
  return new Promise((resolve) => {
    stream.once("close", () => {
      emitBounded(decoder.end());
      resolve();
    });
  });
}

function asExit(code: number | null, signal: NodeJS.Signals | null): Exit {
  if (signal === null) return { code: code ?? 0 };
  return { code: 128 + constants.signals[signal], signal };
}
