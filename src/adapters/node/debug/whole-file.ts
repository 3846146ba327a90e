/** A file that is there with all that was written to it, or not at all: a disk may be full. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { DapError } from "./host.ts";

export class WholeFile {
  readonly #path: string;
  #file: number | undefined;
  #bytes = 0;
  #problem: unknown;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "wx", 0o600);
  }

  /** Throws nothing, for who listens to events; `finish` does. */
  append(text: string): void {
    if (this.#file === undefined || this.#problem !== undefined) return;
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; ) {
        const written = writeSync(this.#file, bytes, at);
        if (written === 0) throw new Error("nothing more can be written");
        at += written;
      }
      this.#bytes += bytes.length;
    } catch (error) {
      this.#problem = error;
    }
  }

  /** How many bytes there are. */
  finish(): number {
    if (this.#problem === undefined)
      try {
        this.#close();
        return this.#bytes;
      } catch (error) {
        this.#problem = error; // some file systems say only now that there is no room
      }
    const why = this.#problem instanceof Error ? this.#problem.message : String(this.#problem);
    rmSync(this.#path, { force: true });
    throw new DapError(`the snapshot could not be written: ${why}`);
  }

  /** Removes it, unless it was finished. */
  abandon(): void {
    if (this.#file === undefined) return;
    rmSync(this.#path, { force: true });
    try {
      this.#close();
    } catch {} // it is removed anyway
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }
}
