/** Reads the numbers of debug information one after the other. */
export class Cursor {
  readonly data: Buffer;
  at: number;

  constructor(data: Buffer, at: number) {
    this.data = data;
    this.at = at;
  }

  byte(): number {
    return this.data.readUInt8(this.at++);
  }

  /** Of eight bytes as much as a number holds exactly: addresses and offsets are less. */
  fixed(size: 1 | 2 | 3 | 4 | 8): number {
    const { data, at } = this;
    this.at += size;
    if (size === 8) return data.readUInt32LE(at) + data.readUInt32LE(at + 4) * 2 ** 32;
    return data.readUIntLE(at, size);
  }

  /** Up to the zero that ends it. */
  text(): string {
    const end = this.data.indexOf(0, this.at);
    const text = this.data.toString("utf8", this.at, end);
    this.at = end + 1;
    return text;
  }

  bytes(size: number): Buffer {
    this.at += size;
    return this.data.subarray(this.at - size, this.at);
  }

  /** A block, by its length in front. */
  skip(): void {
    const length = this.unsigned();
    this.at += length;
  }

  unsigned(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  signed(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return byte & 0x40 ? value - scale : value;
    }
  }

  /** The same, exactly, however large. */
  signedWhole(): bigint {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte < 0x80) return byte & 0x40 ? value - (1n << shift) : value;
    }
  }
}
