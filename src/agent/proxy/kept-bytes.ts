/** The bytes of an answer, for the record: all of them or none, so that what is kept is never a piece that looks like a whole. */

const MOST = 16 * 2 ** 20;

export class KeptBytes {
  #chunks: Buffer[] | undefined = [];
  #length = 0;

  add(chunk: Buffer): void {
    if (!this.#chunks) return;
    this.#length += chunk.length;
    if (this.#length > MOST) this.#chunks = undefined;
    else this.#chunks.push(chunk);
  }

  /** Undefined: nothing is to be kept. */
  replace(bytes: Buffer | undefined): void {
    this.#chunks = bytes && [];
    this.#length = 0;
    if (bytes) this.add(bytes);
  }

  /** Undefined: there were too many. */
  bytes(): Buffer | undefined {
    if (!this.#chunks) return undefined;
    const [only] = this.#chunks;
    const whole = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [whole];
    return whole;
  }
}
