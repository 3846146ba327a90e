/** What the debug information says of each file that was compiled: its path, and by what. */
import { isAbsolute, join } from "node:path";
import type { ElfFile } from "./elf-file.ts";

export interface CompiledUnit {
  path: string;
  /** The compiler, and with some its options. */
  producer: string;
}

const AT = { name: 0x03, folder: 0x1b, producer: 0x25, strOffsets: 0x72 } as const;
/** Of DWARF's forms, those of a fixed size that the first entry of a unit has. */
const SIZES: Record<number, number> = {
  ...{
    1: 8,
    5: 2,
    6: 4,
    7: 8,
    11: 1,
    12: 1,
    14: 4,
    16: 4,
    17: 1,
    18: 2,
    19: 4,
    20: 8,
    23: 4,
    25: 0,
    31: 4,
    32: 8,
  },
  ...{ 37: 1, 38: 2, 39: 3, 40: 4, 41: 1, 42: 2, 43: 3, 44: 4, 33: 0 },
};
const STRING = 0x08;
const [STRP, LINE_STRP] = [0x0e, 0x1f];
const NUMBERS = new Set([0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23, 0x0d]);
const INDEXED = new Set([0x1a, 0x25, 0x26, 0x27, 0x28]);
const IMPLICIT = 0x21;
const MOST_UNITS = 5000;

class Reader {
  readonly data: Buffer;
  at: number;

  constructor(data: Buffer, at: number) {
    this.data = data;
    this.at = at;
  }

  fixed(size: number): number {
    this.at += size;
    if (size === 0) return 0;
    return size === 8
      ? Number(this.data.readBigUInt64LE(this.at - 8))
      : this.data.readUIntLE(this.at - size, size);
  }

  unsigned(): number {
    for (let [value, scale] = [0, 1]; ; scale *= 128) {
      const byte = this.fixed(1);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const end = this.data.indexOf(0, this.at);
    const text = this.data.toString("utf8", this.at, end);
    this.at = end + 1;
    return text;
  }
}

/** As far as they can be read: what is not understood is left out. */
export function compiledUnits(elf: ElfFile): CompiledUnit[] {
  const info = elf.bytes(".debug_info");
  const tables = new Tables(elf);
  const units: CompiledUnit[] = [];
  try {
    for (let at = 0; at + 11 < info.length && units.length < MOST_UNITS; ) {
      const length = info.readUInt32LE(at);
      if (length >= 0xfffffff0) break;
      const unit = readUnit(info, at, tables);
      if (unit) units.push(unit);
      at += 4 + length;
    }
  } catch {
    // of a kind that is not known here: what was read is true
  }
  return units;
}

class Tables {
  readonly abbreviations: Buffer;
  readonly #strings: Buffer;
  readonly #lineStrings: Buffer;
  readonly #offsets: Buffer;

  constructor(elf: ElfFile) {
    this.abbreviations = elf.bytes(".debug_abbrev");
    this.#strings = elf.bytes(".debug_str");
    this.#lineStrings = elf.bytes(".debug_line_str");
    this.#offsets = elf.bytes(".debug_str_offsets");
  }

  string(form: number, value: number, base: number): string {
    if (form === STRP) return new Reader(this.#strings, value).text();
    if (form === LINE_STRP) return new Reader(this.#lineStrings, value).text();
    return new Reader(this.#strings, this.#offsets.readUInt32LE(base + 4 * value)).text();
  }
}

function readUnit(info: Buffer, offset: number, tables: Tables): CompiledUnit | undefined {
  const reader = new Reader(info, offset + 4);
  const version = reader.fixed(2);
  if (version < 3 || version > 5) return undefined;
  const kind = version === 5 ? reader.fixed(1) : 1;
  if (version === 5) reader.fixed(1);
  const abbreviations = reader.fixed(4);
  if (version < 5) reader.fixed(1);
  if (kind !== 1) return undefined;
  const attributes = attributesOf(tables.abbreviations, abbreviations, reader.unsigned());
  const texts = new Map<number, { form: number; value: number } | string>();
  let base = 8;
  for (const [name, form] of attributes) {
    const value = attributeValue(reader, form);
    if (value === undefined) break;
    if (name === AT.strOffsets && typeof value === "number") base = value;
    texts.set(name, typeof value === "string" ? value : { form, value });
  }
  const text = (name: number) => {
    const found = texts.get(name);
    if (found === undefined || typeof found === "string") return found ?? "";
    const { form, value } = found;
    return form === STRP || form === LINE_STRP || INDEXED.has(form) ? tables.string(form, value, base) : "";
  };
  // rustc adds the part of the crate that a unit is.
  const path = text(AT.name).replace(/\/@\/[^/]*$/, "");
  if (path === "") return undefined;
  return { path: isAbsolute(path) ? path : join(text(AT.folder), path), producer: text(AT.producer) };
}

/** Of the entry with this code, in the table at this place: names and forms. */
function attributesOf(data: Buffer, at: number, wanted: number): [number, number][] {
  const reader = new Reader(data, at);
  for (;;) {
    const code = reader.unsigned();
    if (code === 0) return [];
    reader.unsigned();
    reader.fixed(1);
    const attributes: [number, number][] = [];
    for (;;) {
      const [name, form] = [reader.unsigned(), reader.unsigned()];
      if (form === IMPLICIT) reader.unsigned();
      if (name === 0 && form === 0) break;
      attributes.push([name, form]);
    }
    if (code === wanted) return attributes;
  }
}

function attributeValue(reader: Reader, form: number): number | string | undefined {
  if (form === STRING) return reader.text();
  const size = SIZES[form];
  if (size !== undefined) return reader.fixed(size);
  return NUMBERS.has(form) ? reader.unsigned() : undefined;
}
