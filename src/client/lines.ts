/** Cuts a byte stream into lines. A line is held as chunks until its end arrives, so a long one costs no re-copying. */

export class LineTooLong extends Error {}

export class Lines {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines this chunk completes, without their newline; empty ones are left out. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, end));
      if (this.#length > 0) lines.push(this.#take());
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
    return lines;
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#limit) throw new LineTooLong(`a line is longer than ${this.#limit} bytes`);
    this.#parts.push(part);
  }

  #take(): string {
    const [only] = this.#parts;
    const whole = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return whole.toString("utf8");
  }
}
