/** commands.jsonl: each line that is added to it is run once, in order. Any program can write it: `echo '{"type":"pause","id":"t1"}' >> …` */
import { closeSync, fstatSync } from "node:fs";
import { asSondeError } from "../../errors.ts";
import { endsLine } from "../store/ends-line.ts";
import { type FollowProgress, followLines } from "../store/follow.ts";
import { openPlain } from "../store/plain-file.ts";
import { LONGEST_COMMAND, parseCommand } from "./parse-command.ts";
import type { CommandRunner } from "./runner.ts";

export interface BadLine {
  message: string;
  /** As far as it could be read. */
  commandId?: string;
}

export interface CommandFileOptions {
  /** A line that is no command; the lines after it still work. */
  onBad(bad: BadLine): void;
  /** Byte offset from which on lines are new: where the file ends now, if left out. */
  from?: number;
}

export class CommandFile {
  readonly #path: string;
  readonly #runner: CommandRunner;
  readonly #onBad: (bad: BadLine) => void;
  readonly #stop = new AbortController();
  readonly #progress: FollowProgress;
  readonly #done: Promise<void>;
  #skipsFirst: boolean;
  #count = 0;

  constructor(path: string, runner: CommandRunner, options: CommandFileOptions) {
    this.#path = path;
    this.#runner = runner;
    this.#onBad = options.onBad;
    const end = endOf(path);
    const from = options.from ?? end.size;
    // Of a line that was begun before us the end comes later, and is no line.
    this.#skipsFirst = options.from === undefined && !end.isWhole;
    this.#progress = { offset: from, skipped: 0, restarts: 0 };
    this.#done = this.#follow(from);
  }

  /** Up to where the file has been read. */
  get offset(): number {
    return this.#progress.offset;
  }

  /** Resolves when no further line will be run. */
  close(): Promise<void> {
    this.#stop.abort();
    return this.#done;
  }

  async #follow(from: number): Promise<void> {
    const { signal } = this.#stop;
    const progress = this.#progress;
    try {
      const batches = followLines(this.#path, {
        from,
        signal,
        progress,
        longest: LONGEST_COMMAND,
        persistent: false,
      });
      let tooLong = 0;
      for await (const lines of batches) {
        if (progress.skipped > tooLong) this.#sayTooLong(progress.skipped - tooLong);
        tooLong = progress.skipped;
        for (const line of lines) {
          if (signal.aborted) return;
          this.#take(line);
        }
      }
    } catch (thrown) {
      this.#onBad({ message: `${this.#path} can no longer be read: ${asSondeError(thrown).message}` });
    }
  }

  #sayTooLong(count: number): void {
    for (let at = 0; at < count; at++)
      this.#onBad({ message: `invalid command: the line is longer than ${LONGEST_COMMAND} bytes` });
  }

  #take(line: string): void {
    if (this.#skipsFirst) {
      this.#skipsFirst = false;
      return;
    }
    const text = line.replace(/^\ufeff/, "").trim();
    if (text === "") return;
    this.#count += 1;
    const parsed = parseCommand(text, `line-${this.#count}`);
    if (!parsed.ok) {
      this.#onBad({ message: parsed.problem, ...(parsed.id !== "" && { commandId: parsed.id }) });
      return;
    }
    const { command } = parsed;
    // Begun in order, not waited for: one that waits for a stop must not hold up the one that ends it.
    this.#runner.command(command, "file").catch((thrown: unknown) => {
      this.#onBad({ message: `${command.type}: ${asSondeError(thrown).message}`, commandId: command.id });
    });
  }
}

interface End {
  size: number;
  isWhole: boolean;
}

function endOf(path: string): End {
  let file: number;
  try {
    file = openPlain(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return { size: 0, isWhole: true };
    throw thrown;
  }
  try {
    const { size } = fstatSync(file);
    return { size, isWhole: endsLine(file, size) };
  } finally {
    closeSync(file);
  }
}
