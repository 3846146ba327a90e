/** The lines of a file as they are written, without asking for them again and again. */
import { type FSWatcher, unwatchFile, watch, watchFile } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { WholeLines } from "../../util/whole-lines.ts";
import { openPlainLater } from "./plain-file.ts";

export interface FollowOptions {
  /** Byte offset of the beginning of a line, or where the file ends now. */
  from: number | "end";
  signal?: AbortSignal;
  /** Lines longer than this are left out and counted. */
  longest?: number;
  /** Whether waiting for lines keeps the process alive; it does if left out. */
  persistent?: boolean;
  /** Kept up to date. */
  progress?: FollowProgress;
}

export interface FollowProgress {
  /** Where the last whole line ended. */
  offset: number;
  /** Lines that were too long. */
  skipped: number;
  /** How often the file was cut or replaced, and read from its beginning again. */
  restarts: number;
}

const CHUNK = 1 << 16;
/** Only where the system can watch no more files. */
const LOOK_EVERY_MS = 250;

/** In batches, until it is aborted. A line that is not finished waits for its end. The file need not be there yet. */
export async function* followLines(path: string, options: FollowOptions): AsyncGenerator<string[]> {
  const { signal, longest } = options;
  const progress = options.progress ?? { offset: 0, skipped: 0, restarts: 0 };
  // Before the first look, so that nothing is written in between unseen.
  const changes = new Changes(path, signal, options.persistent ?? true);
  const chunk = Buffer.allocUnsafe(CHUNK);
  let inode: string | undefined;
  const from = options.from === "end" ? await endOf(path) : options.from;
  let lines = new WholeLines(from, longest);
  progress.offset = from;
  try {
    while (!signal?.aborted) {
      changes.forget();
      const file = await openIfThere(path);
      try {
        for (let more = file !== undefined; more && file !== undefined && !signal?.aborted; ) {
          const { size, dev, ino } = await file.stat();
          const now = `${dev}:${ino}`;
          if ((inode !== undefined && inode !== now) || size < lines.end) {
            lines = new WholeLines(0, longest);
            progress.restarts += 1;
          }
          inode = now;
          const { bytesRead } = await file.read(chunk, 0, CHUNK, lines.end);
          more = bytesRead > 0;
          if (!more) continue;
          const whole = lines.push(chunk.subarray(0, bytesRead));
          progress.offset = lines.offset;
          progress.skipped += lines.takeTooLong();
          if (whole.length > 0) yield whole;
        }
      } finally {
        await file?.close();
      }
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await openPlainLater(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

async function endOf(path: string): Promise<number> {
  const file = await openIfThere(path);
  try {
    return file === undefined ? 0 : (await file.stat()).size;
  } finally {
    await file?.close();
  }
}

/** That something may have happened to a file, since the last time somebody asked. */
class Changes {
  readonly #path: string;
  readonly #signal: AbortSignal | undefined;
  readonly #persistent: boolean;
  #watcher: FSWatcher | undefined;
  #changed = true;
  #wake: (() => void) | undefined;
  readonly #note = () => {
    this.#changed = true;
    this.#wake?.();
  };

  constructor(path: string, signal: AbortSignal | undefined, persistent: boolean) {
    this.#path = path;
    this.#signal = signal;
    this.#persistent = persistent;
    signal?.addEventListener("abort", this.#note);
    const name = basename(path);
    try {
      // The folder: it also tells of a file that is made or replaced.
      this.#watcher = watch(dirname(path), { persistent }, (_, changed) => {
        if (changed === null || changed === name) this.#note();
      });
      this.#watcher.on("error", () => this.#look());
    } catch {
      this.#look();
    }
  }

  #look(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    watchFile(this.#path, { interval: LOOK_EVERY_MS, persistent: this.#persistent }, this.#note);
  }

  forget(): void {
    this.#changed = false;
  }

  async next(): Promise<void> {
    if (this.#changed || this.#signal?.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  close(): void {
    this.#signal?.removeEventListener("abort", this.#note);
    this.#watcher?.close();
    unwatchFile(this.#path, this.#note);
  }
}
