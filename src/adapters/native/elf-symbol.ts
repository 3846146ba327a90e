/** The value of one symbol of a 64-bit ELF file, by its symbol tables. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const DYNAMIC = 3; // ET_DYN: loaded anywhere
const SYMTAB = 2;
const DYNSYM = 11;
const HEADER = 64;
const SYMBOL = 24;
const LARGEST_TABLE = 64 << 20;

export interface ElfSymbol {
  value: number;
  /** From where the file was loaded, not from 0. */
  moved: boolean;
}

/** Libraries are asked about again and again. */
const known = new Map<string, ElfSymbol | undefined>();
const MOST_KNOWN = 32;

export function symbolIn(path: string, name: string): ElfSymbol | undefined {
  const file = openSync(path, "r");
  try {
    const { dev, ino, mtimeMs } = fstatSync(file);
    const key = [dev, ino, mtimeMs, name].join(" ");
    if (known.has(key)) return known.get(key);
    if (known.size >= MOST_KNOWN) known.clear();
    const symbol = find((at, size) => bytes(file, at, size), name);
    known.set(key, symbol);
    return symbol;
  } finally {
    closeSync(file);
  }
}

function bytes(file: number, at: number, size: number): Buffer {
  if (size > LARGEST_TABLE) return Buffer.alloc(0);
  const buffer = Buffer.alloc(size);
  return buffer.subarray(0, readSync(file, buffer, 0, size, at));
}

function find(read: (at: number, size: number) => Buffer, name: string): ElfSymbol | undefined {
  const header = read(0, HEADER);
  if (header.length < HEADER || header.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") return undefined;
  const [size, count] = [header.readUInt16LE(58), header.readUInt16LE(60)];
  const table = read(Number(header.readBigUInt64LE(40)), size * count);
  const section = (index: number) => {
    const at = index * size;
    return {
      type: table.readUInt32LE(at + 4),
      offset: Number(table.readBigUInt64LE(at + 24)),
      size: Number(table.readBigUInt64LE(at + 32)),
      link: table.readUInt32LE(at + 40),
    };
  };
  for (let index = 0; (index + 1) * size <= table.length && size >= HEADER; index++) {
    const { type, offset, size: length, link } = section(index);
    if ((type !== DYNSYM && type !== SYMTAB) || (link + 1) * size > table.length) continue;
    const names = section(link);
    const value = symbolValue(read(offset, length), read(names.offset, names.size), name);
    if (value !== undefined) return { value, moved: header.readUInt16LE(16) === DYNAMIC };
  }
  return undefined;
}

function symbolValue(symbols: Buffer, names: Buffer, name: string): number | undefined {
  const wanted = names.indexOf(`\0${name}\0`, 0, "latin1") + 1;
  if (wanted === 0) return undefined;
  for (let at = 0; at + SYMBOL <= symbols.length; at += SYMBOL) {
    if (symbols.readUInt32LE(at) === wanted && symbols.readUInt16LE(at + 6) !== 0)
      return Number(symbols.readBigUInt64LE(at + 8));
  }
  return undefined;
}
