/** Cuts bytes that come in parts into lines, and knows where in the file each part of them was. */

/** No event and no command is this long: long texts are kept elsewhere. */
const LONGEST_LINE = 64 << 20;
const NEWLINE = 10;

export class WholeLines {
  readonly #longest: number;
  #parts: Buffer[] = [];
  #held = 0;
  #offset: number;
  #dropping = false;
  #tooLong = 0;

  constructor(from: number, longest: number = LONGEST_LINE) {
    this.#offset = from;
    this.#longest = longest;
  }

  /** Where the last whole line ended. */
  get offset(): number {
    return this.#offset;
  }

  /** Where the bytes that were pushed end. */
  get end(): number {
    return this.#offset + this.#held;
  }

  /** The lines that this completes, without their newlines. The bytes may be used again afterwards. */
  push(bytes: Buffer): string[] {
    const last = bytes.lastIndexOf(NEWLINE);
    if (last === -1) {
      this.#hold(bytes);
      return [];
    }
    const lines = this.#complete(bytes.subarray(0, last)).split("\n");
    this.#offset += this.#held + last + 1;
    this.#held = 0;
    if (this.#dropping) {
      lines.shift(); // the end of the one that was too long
      this.#dropping = false;
      this.#tooLong += 1;
    }
    this.#hold(bytes.subarray(last + 1));
    return lines;
  }

  /** How many lines were too long to be read, since the last time. */
  takeTooLong(): number {
    const count = this.#tooLong;
    this.#tooLong = 0;
    return count;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held += bytes.length;
    if (this.#held > this.#longest) {
      this.#parts = [];
      this.#dropping = true;
    }
    if (!this.#dropping) this.#parts.push(Buffer.from(bytes));
  }

  #complete(rest: Buffer): string {
    if (this.#parts.length === 0) return rest.toString("utf8");
    const whole = Buffer.concat([...this.#parts, rest]);
    this.#parts = [];
    return whole.toString("utf8");
  }
}
