/** Of an executable: its sections, as far as they are needed to say what it was built from. */
import { closeSync, openSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";

interface Section {
  offset: number;
  size: number;
  flags: number;
}

const COMPRESSED = 0x800;
const ZLIB = 1;
const COMPRESSION_HEADER = 24;
/** More than this of a section is not read: it is for a sentence, and the daemon has others to answer. */
const MOST = 64 << 20;

export class ElfFile {
  /** The address of its first instruction, as linked. */
  readonly entry: bigint;
  readonly #path: string;
  readonly #sections = new Map<string, Section>();

  /** Nothing if it is not a 64-bit ELF file of this byte order. */
  static open(path: string): ElfFile | undefined {
    try {
      return new ElfFile(path);
    } catch {
      return undefined; // not there, or something else: nothing is said of it
    }
  }

  private constructor(path: string) {
    this.#path = path;
    const head = this.#read(0, 64);
    if (head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2 || head[5] !== 1) throw new Error("no ELF");
    this.entry = head.readBigUInt64LE(24);
    const [size, count, names] = [head.readUInt16LE(58), head.readUInt16LE(60), head.readUInt16LE(62)];
    const table = this.#read(Number(head.readBigUInt64LE(40)), size * count);
    const field = (section: number, at: number) => Number(table.readBigUInt64LE(section * size + at));
    const texts = this.#read(field(names, 24), field(names, 32));
    for (let one = 0; one < count; one++) {
      const start = table.readUInt32LE(one * size);
      const name = texts.toString("latin1", start, texts.indexOf(0, start));
      this.#sections.set(name, { flags: field(one, 8), offset: field(one, 24), size: field(one, 32) });
    }
  }

  has(name: string): boolean {
    return this.#sections.has(name);
  }

  /** Where its bytes are in the file, if they are there as they are. */
  place(name: string): { offset: number; size: number } | undefined {
    const found = this.#sections.get(name);
    return found === undefined || found.flags & COMPRESSED ? undefined : found;
  }

  /** Empty where there is none, or too much. */
  section(name: string): Buffer {
    const found = this.#sections.get(name);
    if (found === undefined || found.size > MOST) return Buffer.alloc(0);
    const data = this.#read(found.offset, found.size);
    if (!(found.flags & COMPRESSED)) return data;
    if (data.readUInt32LE(0) !== ZLIB || Number(data.readBigUInt64LE(8)) > MOST) return Buffer.alloc(0);
    return inflateSync(data.subarray(COMPRESSION_HEADER));
  }

  #read(offset: number, size: number): Buffer {
    const file = openSync(this.#path, "r");
    try {
      const data = Buffer.alloc(size);
      if (readSync(file, data, 0, size, offset) < size) throw new Error("cut off");
      return data;
    } finally {
      closeSync(file);
    }
  }
}
