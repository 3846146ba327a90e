/** Fields of a protocol buffer, one after the other, without copies. Throws on what is not one. Pure. */

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
/** So many bytes of a number are exact in ours. */
const EXACT_BYTES = 7;
const MOST_NUMBER_BYTES = 10;

export class WireReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  /** Of the field that was read last. */
  field = 0;
  #wire = VARINT;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Reads what the next field is; false at the end. Its value must be read, or skipped. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.#varint();
    this.field = Math.floor(tag / 8);
    this.#wire = tag % 8;
    return true;
  }

  number(): number {
    if (this.#wire !== VARINT) throw new Error("not a number");
    return this.#varint();
  }

  /** As it was written, whatever its size. */
  address(): bigint {
    if (this.#wire !== VARINT) throw new Error("not a number");
    return BigInt.asUintN(64, this.#long());
  }

  /** What is within it. */
  inner(): WireReader {
    if (this.#wire !== BYTES) throw new Error("not a message");
    const length = this.#varint();
    const at = this.at;
    this.#skipBytes(length);
    return new WireReader(this.bytes, at, this.at);
  }

  /** Of a list of numbers, which is written whole or one by one. */
  numbers(into: number[]): void {
    if (this.#wire === VARINT) {
      into.push(this.#varint());
      return;
    }
    const list = this.inner();
    while (list.at < list.end) into.push(list.#varint());
  }

  text(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at, this.end - this.at).toString(
      "utf8",
    );
  }

  skip(): void {
    if (this.#wire === VARINT) this.#long();
    else if (this.#wire === FIXED64) this.#skipBytes(8);
    else if (this.#wire === FIXED32) this.#skipBytes(4);
    else if (this.#wire === BYTES) this.#skipBytes(this.#varint());
    else throw new Error(`no field has the type ${this.#wire}`);
  }

  #skipBytes(length: number): void {
    if (!(length >= 0 && this.at + length <= this.end)) throw new Error("it is cut");
    this.at += length;
  }

  #varint(): number {
    const start = this.at;
    let value = 0;
    let factor = 1;
    for (let read = 0; read < EXACT_BYTES; read++) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    this.at = start;
    return Number(this.#long());
  }

  #long(): bigint {
    let value = 0n;
    for (let read = 0n; read < MOST_NUMBER_BYTES; read++) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << (7n * read);
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new Error("a number is too long");
  }

  #byte(): number {
    if (this.at >= this.end) throw new Error("it is cut");
    return this.bytes[this.at++] ?? 0;
  }
}
