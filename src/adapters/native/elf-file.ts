/** What is needed of an ELF file: where its parts are in the file and in memory, and its sections. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";

export interface Section {
  name: string;
  /** As linked. */
  address: number;
  data: Buffer;
}

interface Segment {
  offset: number;
  address: number;
  size: number;
}

interface Header {
  address: number;
  offset: number;
  size: number;
  flags: number;
}

const LOAD = 1;
const COMPRESSED = 0x800;
const ZLIB = 1;
const COMPRESSION_HEADER = 24;
/** More than this is not read where it is for a sentence: the daemon has others to answer. */
const MOST = 64 << 20;

export class ElfFile {
  /** The address of its first instruction, as linked. */
  readonly entry: bigint;
  /** Those that are loaded. */
  readonly segments: Segment[];
  readonly #path: string;
  readonly #sections = new Map<string, Header>();

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
    this.segments = this.#loaded(
      Number(head.readBigUInt64LE(32)),
      head.readUInt16LE(54),
      head.readUInt16LE(56),
    );
    const [size, count, names] = [head.readUInt16LE(58), head.readUInt16LE(60), head.readUInt16LE(62)];
    const table = this.#read(Number(head.readBigUInt64LE(40)), size * count);
    const field = (section: number, at: number) => Number(table.readBigUInt64LE(section * size + at));
    const texts = this.#read(field(names, 24), field(names, 32));
    for (let one = 0; one < count; one++) {
      const start = table.readUInt32LE(one * size);
      const name = texts.toString("latin1", start, texts.indexOf(0, start));
      if (this.#sections.has(name)) continue;
      this.#sections.set(name, {
        ...{ flags: field(one, 8), address: field(one, 16), offset: field(one, 24), size: field(one, 32) },
      });
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

  /** Nothing where there is none, or it is packed in a way that we do not read. */
  section(name: string): Section | undefined {
    const found = this.#sections.get(name);
    if (found === undefined) return undefined;
    const data = this.#read(found.offset, found.size);
    if (!(found.flags & COMPRESSED)) return { name, address: found.address, data };
    if (data.readUInt32LE(0) !== ZLIB) return undefined;
    return { name, address: found.address, data: inflateSync(data.subarray(COMPRESSION_HEADER)) };
  }

  /** Of a section; none where there is none, or too much. */
  bytes(name: string): Buffer {
    const found = this.#sections.get(name);
    const none = Buffer.alloc(0);
    if (found === undefined || found.size > MOST) return none;
    if (found.flags & COMPRESSED && this.#unpackedSize(found) > MOST) return none;
    return this.section(name)?.data ?? none;
  }

  /** As linked, of a place in the file. */
  addressOf(offset: number): number | undefined {
    const segment = this.segments.find((one) => offset >= one.offset && offset < one.offset + one.size);
    return segment && offset - segment.offset + segment.address;
  }

  /** In the file, of an address as linked. */
  offsetOf(address: number): number | undefined {
    const segment = this.segments.find((one) => address >= one.address && address < one.address + one.size);
    return segment && address - segment.address + segment.offset;
  }

  #unpackedSize({ offset }: Header): number {
    return Number(this.#read(offset, COMPRESSION_HEADER).readBigUInt64LE(8));
  }

  #loaded(at: number, size: number, count: number): Segment[] {
    const table = this.#read(at, size * count);
    const starts = Array.from({ length: count }, (_, one) => one * size);
    return starts
      .filter((one) => table.readUInt32LE(one) === LOAD)
      .map((one) => ({
        offset: Number(table.readBigUInt64LE(one + 8)),
        address: Number(table.readBigUInt64LE(one + 16)),
        size: Number(table.readBigUInt64LE(one + 32)),
      }));
  }

  #read(offset: number, size: number): Buffer {
    const file = openSync(this.#path, "r");
    try {
      if (offset + size > fstatSync(file).size) throw new Error("cut off");
      const data = Buffer.alloc(size);
      readSync(file, data, 0, size, offset);
      return data;
    } finally {
      closeSync(file);
    }
  }
}
