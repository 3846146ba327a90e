/**
 * The call frame information of one module: for an address, where its caller's registers are. By the tables that exceptions are
 * unwound with (`.eh_frame`), or else by those for debuggers (`.debug_frame`), which Go has alone.
 */

import type { ElfFile, Section } from "../../adapters/native/elf-file.ts";
import { Cursor } from "./cursor.ts";

/** At an address: the frame's fixed end, and where registers were saved, as offsets from it. */
export interface Row {
  register: number;
  offset: number;
  /** By DWARF's numbers, the caller's address first. */
  saved: { number: number; offset: number }[];
  /** No caller: the outermost frame. */
  outermost: boolean;
  /** Made by a signal: the caller's address is where it stood, not where it returns to. */
  signal: boolean;
}

export const RETURN = 16;

interface Common {
  codeAlign: number;
  dataAlign: number;
  encoding: number;
  augmented: boolean;
  signal: boolean;
  start: number;
  end: number;
}

interface Range {
  from: number;
  to: number;
  common: Common;
  data: Buffer;
  start: number;
  end: number;
}

/** In `.eh_frame` it is the distance to an entry's common part; and in both, a mark of such a part. */
const COMMON = { ".eh_frame": 0, ".debug_frame": 0xffffffff } as const;

export class CallFrames {
  readonly #tables: Range[][];

  constructor(elf: ElfFile) {
    this.#tables = ([".eh_frame", ".debug_frame"] as const).map((name) => {
      const section = elf.section(name);
      const ranges = section ? indexed(section, name) : [];
      return ranges.sort((a, b) => a.from - b.from);
    });
  }

  /** Nothing where the tables say nothing, or more than we read. */
  at(address: number): Row | undefined {
    for (const ranges of this.#tables) {
      const range = find(ranges, address);
      if (range === undefined) continue;
      try {
        return new Machine(range).run(address);
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
      }
    }
    return undefined;
  }
}

function find(ranges: readonly Range[], address: number): Range | undefined {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return undefined;
    if (address < range.from) high = middle - 1;
    else if (address >= range.to) low = middle + 1;
    else return range;
  }
  return undefined;
}

function indexed({ data, address }: Section, name: keyof typeof COMMON): Range[] {
  const commons = new Map<number, Common>();
  const ranges: Range[] = [];
  for (let at = 0; at + 8 <= data.length; ) {
    const length = data.readUInt32LE(at);
    if (length === 0 || length === 0xffffffff) break;
    const [id, end] = [data.readUInt32LE(at + 4), at + 4 + length];
    if (id === COMMON[name]) commons.set(at, common(new Cursor(data, at + 8), end));
    else {
      const shared = commons.get(name === ".eh_frame" ? at + 4 - id : id);
      if (shared) ranges.push(...range(data, address, at + 8, end, shared));
    }
    at = end;
  }
  return ranges;
}

class Unknown extends Error {}

const PC_RELATIVE = 0x10;

function encoded(cursor: Cursor, encoding: number, base: number): number {
  const place = base + cursor.at;
  const { data, at } = cursor;
  const format = encoding & 0x0f;
  const size = format === 0x0b || format === 0x03 ? 4 : 8;
  cursor.at += size;
  const value =
    format === 0x0b
      ? data.readInt32LE(at)
      : format === 0x03
        ? data.readUInt32LE(at)
        : Number(format === 0x0c ? data.readBigInt64LE(at) : data.readBigUInt64LE(at));
  return (encoding & 0x70) === PC_RELATIVE ? place + value : value;
}

function common(cursor: Cursor, end: number): Common {
  const version = cursor.byte();
  const zero = cursor.data.indexOf(0, cursor.at);
  const augmentation = cursor.data.toString("latin1", cursor.at, zero);
  cursor.at = zero + 1;
  if (version >= 4) cursor.at += 2; // sizes of addresses and segments: 8 and 0 here
  const codeAlign = cursor.unsigned();
  const dataAlign = cursor.signed();
  if (version === 1) cursor.byte();
  else cursor.unsigned();
  let encoding = 0;
  let start = cursor.at;
  if (augmentation.startsWith("z")) {
    const size = cursor.unsigned();
    start = cursor.at + size;
    for (const letter of augmentation.slice(1)) {
      if (letter === "R") encoding = cursor.byte();
      else if (letter === "L") cursor.byte();
      else if (letter === "P") encoded(cursor, cursor.byte(), 0);
    }
  }
  return {
    ...{ codeAlign, dataAlign, encoding, start, end },
    augmented: augmentation.startsWith("z"),
    signal: augmentation.includes("S"),
  };
}

function range(data: Buffer, base: number, at: number, end: number, shared: Common): Range[] {
  const cursor = new Cursor(data, at);
  const from = encoded(cursor, shared.encoding, base);
  const size = encoded(cursor, shared.encoding & 0x0f, 0);
  if (shared.augmented) cursor.skip();
  return size > 0 ? [{ from, to: from + size, common: shared, data, start: cursor.at, end }] : [];
}

interface State {
  register: number;
  offset: number;
  saved: Map<number, number>;
  undefined: Set<number>;
}

/** Runs the instructions of one function's table up to an address. */
class Machine {
  readonly #range: Range;
  #state: State = { register: 7, offset: 8, saved: new Map(), undefined: new Set() };
  #initial: State | undefined;
  readonly #kept: State[] = [];
  #place: number;

  constructor(one: Range) {
    this.#range = one;
    this.#place = one.from;
  }

  run(address: number): Row {
    const { common: shared, start, end } = this.#range;
    this.#through(shared.start, shared.end, Number.POSITIVE_INFINITY);
    this.#initial = copy(this.#state);
    this.#through(start, end, address);
    const { register, offset, saved } = this.#state;
    if (register < 0) throw new Unknown();
    const rows = [...saved].map(([number, from]) => ({ number, offset: from }));
    return {
      ...{ register, offset },
      saved: rows.filter(({ number }) => number <= RETURN).sort((a, b) => b.number - a.number),
      outermost: this.#state.undefined.has(RETURN) || !saved.has(RETURN),
      signal: shared.signal,
    };
  }

  #through(start: number, end: number, address: number): void {
    const cursor = new Cursor(this.#range.data, start);
    while (cursor.at < end) {
      const byte = cursor.byte();
      const [high, low] = [byte >> 6, byte & 0x3f];
      if (high === 1) this.#place += low * this.#range.common.codeAlign;
      else if (high === 2) this.#save(low, cursor.unsigned());
      else if (high === 3) this.#restore(low);
      else this.#other(low, cursor);
      if (this.#place > address) return;
    }
  }

  #save(register: number, factored: number): void {
    this.#state.saved.set(register, factored * this.#range.common.dataAlign);
    this.#state.undefined.delete(register);
  }

  #restore(register: number): void {
    const before = this.#initial?.saved.get(register);
    if (before === undefined) this.#state.saved.delete(register);
    else this.#state.saved.set(register, before);
  }

  /** By the numbers of DWARF's DW_CFA instructions. */
  #other(code: number, cursor: Cursor): void {
    const { codeAlign, dataAlign } = this.#range.common;
    const state = this.#state;
    switch (code) {
      case 0x00: // nop
        return;
      case 0x02: // advance_loc1, 2, 4
        this.#place += cursor.byte() * codeAlign;
        return;
      case 0x03:
        this.#place += cursor.fixed(2) * codeAlign;
        return;
      case 0x04:
        this.#place += cursor.fixed(4) * codeAlign;
        return;
      case 0x05: // offset_extended
        this.#save(cursor.unsigned(), cursor.unsigned());
        return;
      case 0x06: // restore_extended
        this.#restore(cursor.unsigned());
        return;
      case 0x07: // undefined
        state.undefined.add(cursor.unsigned());
        return;
      case 0x08: // same_value
        state.saved.delete(cursor.unsigned());
        return;
      case 0x0a: // remember_state, restore_state
        this.#kept.push(copy(state));
        return;
      case 0x0b:
        this.#state = this.#kept.pop() ?? state;
        return;
      case 0x0c: // def_cfa
        state.register = cursor.unsigned();
        state.offset = cursor.unsigned();
        return;
      case 0x0d: // def_cfa_register
        state.register = cursor.unsigned();
        return;
      case 0x0e: // def_cfa_offset
        state.offset = cursor.unsigned();
        return;
      case 0x0f: // def_cfa_expression: only where stacks are realigned, and in tables of jumps
        cursor.skip();
        state.register = -1;
        return;
      case 0x10: // expression, of a register that is seldom needed
      case 0x16:
        state.saved.delete(cursor.unsigned());
        cursor.skip();
        return;
      case 0x11: // offset_extended_sf
        this.#save(cursor.unsigned(), cursor.signed());
        return;
      case 0x12: // def_cfa_sf
        state.register = cursor.unsigned();
        state.offset = cursor.signed() * dataAlign;
        return;
      case 0x13: // def_cfa_offset_sf
        state.offset = cursor.signed() * dataAlign;
        return;
      case 0x2e: // GNU_args_size
        cursor.unsigned();
        return;
      default:
        throw new Unknown();
    }
  }
}

function copy({ register, offset, saved, undefined: none }: State): State {
  return { register, offset, saved: new Map(saved), undefined: new Set(none) };
}
