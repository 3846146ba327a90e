/** What is needed of an ELF file: where its parts are in memory, and the sections with what debuggers read. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";

export interface Section {
  name: string;
  address: number;
  data: Buffer;
}

interface Segment {
  offset: number;
  address: number;
  size: number;
}

const LOAD = 1;
const COMPRESSED = 0x800;
const ZLIB = 1;
const COMPRESSION_HEADER = 24;

export class Elf {
  readonly segments: Segment[] = [];
  readonly #sections: { name: string; address: number; offset: number; size: number; flags: number }[] = [];
  readonly #path: string;

  /** Nothing if it is not a 64-bit file of this byte order. */
  static open(path: string): Elf | undefined {
    try {
      return new Elf(path);
    } catch {
      return undefined; // not there, or not what it seems: its frames stay unknown
    }
  }

  private constructor(path: string) {
    this.#path = path;
    const head = this.#read(0, 64);
    if (head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2 || head[5] !== 1) throw new Error("no ELF");
    const at = { segments: Number(head.readBigUInt64LE(32)), sections: Number(head.readBigUInt64LE(40)) };
    const [segmentSize, segments] = [head.readUInt16LE(54), head.readUInt16LE(56)];
    const [sectionSize, sections, names] = [
      head.readUInt16LE(58),
      head.readUInt16LE(60),
      head.readUInt16LE(62),
    ];
    const table = this.#read(at.segments, segmentSize * segments);
    for (let one = 0; one < table.length; one += segmentSize)
      if (table.readUInt32LE(one) === LOAD)
        this.segments.push({
          offset: Number(table.readBigUInt64LE(one + 8)),
          address: Number(table.readBigUInt64LE(one + 16)),
          size: Number(table.readBigUInt64LE(one + 32)),
        });
    this.#index(this.#read(at.sections, sectionSize * sections), sectionSize, names);
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

  /** Nothing where there is none, or it is packed in a way that we do not read. */
  section(name: string): Section | undefined {
    const found = this.#sections.find((one) => one.name === name);
    if (found === undefined) return undefined;
    const data = this.#read(found.offset, found.size);
    if (!(found.flags & COMPRESSED)) return { name, address: found.address, data };
    if (data.readUInt32LE(0) !== ZLIB) return undefined;
    return { name, address: found.address, data: inflateSync(data.subarray(COMPRESSION_HEADER)) };
  }

  #index(headers: Buffer, size: number, names: number): void {
    const field = (section: number, at: number) => Number(headers.readBigUInt64LE(section * size + at));
    const texts = this.#read(field(names, 24), field(names, 32));
    for (let section = 0; section * size < headers.length; section++) {
      const start = headers.readUInt32LE(section * size);
      this.#sections.push({
        name: texts.toString("latin1", start, texts.indexOf(0, start)),
        flags: field(section, 8),
        address: field(section, 16),
        offset: field(section, 24),
        size: field(section, 32),
      });
    }
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
