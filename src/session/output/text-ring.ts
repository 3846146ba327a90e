/**
 * Texts in a ring of bytes; the newest overwrite the oldest. Off the JavaScript heap on purpose: strings that are kept for a
 * little while grow that heap to many times what is kept, because it is cleaned of long-lived objects only now and then.
 */
export interface Span {
  /** Counted from the first byte ever written. */
  at: number;
  length: number;
}

export class TextRing {
  readonly #size: number;
  /** Made when first needed; its pages take no memory until they are written. */
  #bytes: Buffer | undefined;
  #end = 0;

  constructor(size: number) {
    this.#size = Math.max(1, Math.floor(size));
  }

  /** A text that begins before this has been overwritten. */
  get oldest(): number {
    return this.#end - this.#size;
  }

  /** Of a text longer than the ring only the end is kept. */
  put(text: string | Buffer): Span {
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#size);
    const ring = this.#bytes;
    const length = Buffer.byteLength(text);
    const from = this.#end % this.#size;
    if (from + length <= this.#size) {
      if (typeof text === "string") ring.write(text, from, "utf8");
      else text.copy(ring, from);
      return this.#advance(length);
    }
    const bytes = withinCharacters(typeof text === "string" ? Buffer.from(text) : text, this.#size);
    const first = bytes.copy(ring, from);
    bytes.copy(ring, 0, first);
    return this.#advance(bytes.length);
  }

  get({ at, length }: Span): string {
    const ring = this.#bytes ?? Buffer.alloc(0);
    const from = at % this.#size;
    const to = from + length;
    if (to <= this.#size) return ring.toString("utf8", from, to);
    return Buffer.concat([ring.subarray(from), ring.subarray(0, to - this.#size)]).toString("utf8");
  }

  #advance(length: number): Span {
    const at = this.#end;
    this.#end += length;
    return { at, length };
  }
}

/** At most `size` bytes from the end, beginning with a whole character. */
function withinCharacters(bytes: Buffer, size: number): Buffer {
  let from = Math.max(0, bytes.length - size);
  while (from > 0 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
