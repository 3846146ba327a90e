/** Lines of text out of chunks of bytes, however long. Each is decoded alone: one character beyond Latin-1 doubles the memory that a string takes. */

const NEWLINE = 10;

export class LineReader {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#onLine(this.#take(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (from < chunk.length) this.#parts.push(chunk.subarray(from));
  }

  #take(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString("utf8");
    const whole = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return whole.toString("utf8");
  }
}
