/** Lists of ranges, and of places that hold for a range: DWARF 5's sections, and those of 4. */

import { AT, FORM } from "./constants.ts";
import { Cursor } from "./cursor.ts";
import type { Entry, Info, Unit } from "./entries.ts";
import { Unfit } from "./unfit.ts";

export interface Range {
  from: number;
  to: number;
}

interface Listed extends Range {
  /** Of a place: the expression. */
  expression?: Buffer;
}

export function contains(ranges: readonly Range[], address: number): boolean {
  return ranges.some(({ from, to }) => address >= from && address < to);
}

/** The code that an entry stands for. */
export function rangesOf(info: Info, entry: Entry): Range[] {
  const listed = entry.number(AT.ranges);
  if (listed !== undefined) {
    const { unit } = entry;
    const byNumber = entry.form(AT.ranges) === FORM.rnglistx;
    const offset = byNumber ? numbered(info, unit, { ...RANGES, index: listed }) : listed;
    return unit.version >= 5
      ? newer(info, { unit, section: ".debug_rnglists", offset, places: false })
      : older(info, { unit, section: ".debug_ranges", offset, places: false });
  }
  const from = entry.address(AT.low);
  const high = entry.number(AT.high);
  if (from === undefined || high === undefined) return [];
  const absolute = entry.form(AT.high) === FORM.addr || INDEXED_ADDRESSES.has(entry.form(AT.high) ?? 0);
  return [{ from, to: absolute ? (entry.address(AT.high) ?? from) : from + high }];
}

const INDEXED_ADDRESSES: ReadonlySet<number> = new Set([
  ...[FORM.addrx, FORM.addrx1, FORM.addrx2, FORM.addrx3, FORM.addrx4],
]);

const RANGES = { section: ".debug_rnglists", base: AT.rangesBase };
const PLACES = { section: ".debug_loclists", base: AT.placesBase };

/** The tables of lists begin, after a header, with the offsets of the lists. */
function numbered(
  info: Info,
  unit: Unit,
  { section, base, index }: { section: string; base: number; index: number },
): number {
  const table = info.root(unit).number(base) ?? 12;
  return table + open(info, section, table + 4 * index).fixed(4);
}

/** A variable's location at an address: nothing if it has none there. */
export function locationAt(info: Info, entry: Entry, address: number): Buffer | undefined {
  const always = entry.block(AT.location);
  if (always !== undefined) return always;
  const here = listedPlaces(info, entry).filter(({ from, to }) => address >= from && address < to);
  // Two places at once: whichever is meant, both hold; an empty one says that there is none.
  return here.find(({ expression }) => (expression?.length ?? 0) > 0)?.expression;
}

/** Where one is that has several places. */
export function listedPlaces(info: Info, entry: Entry): Listed[] {
  const listed = entry.number(AT.location);
  if (listed === undefined) return [];
  const { unit } = entry;
  const byNumber = entry.form(AT.location) === FORM.loclistx;
  const offset = byNumber ? numbered(info, unit, { ...PLACES, index: listed }) : listed;
  return unit.version >= 5
    ? newer(info, { unit, section: ".debug_loclists", offset, places: true })
    : older(info, { unit, section: ".debug_loc", offset, places: true });
}

interface Reading {
  unit: Unit;
  section: string;
  offset: number;
  places: boolean;
}

/** By the numbers of DW_RLE_ and DW_LLE_, which agree but for the one that holds everywhere else. */
function newer(info: Info, { unit, section, offset, places }: Reading): Listed[] {
  const cursor = open(info, section, offset);
  const found: Listed[] = [];
  let base = info.root(unit).address(AT.low) ?? 0;
  const indexed = () => info.indexedAddress(unit, cursor.unsigned());
  const take = (from: number, to: number) => {
    const expression = places ? { expression: cursor.bytes(cursor.unsigned()) } : {};
    found.push({ from, to, ...expression });
  };
  for (;;) {
    const kind = cursor.byte();
    if (kind === 0) return found;
    if (kind === 1) base = indexed();
    else if (kind === 2) take(indexed(), indexed());
    else if (kind === 3) {
      const from = indexed();
      take(from, from + cursor.unsigned());
    } else if (kind === 4) take(base + cursor.unsigned(), base + cursor.unsigned());
    else if (places && kind === 5) take(0, Number.POSITIVE_INFINITY);
    else if (places && kind === 9) {
      cursor.unsigned(); // which of several states at one address, of the next place
      cursor.unsigned();
    } else if (kind === (places ? 6 : 5)) base = cursor.fixed(8);
    else if (kind === (places ? 7 : 6)) take(cursor.fixed(8), cursor.fixed(8));
    else if (kind === (places ? 8 : 7)) {
      const from = cursor.fixed(8);
      take(from, from + cursor.unsigned());
    } else throw new Unfit("its debug information has a list that sonde cannot read");
  }
}

const BASE_FOLLOWS = 2 ** 64;

function older(info: Info, { unit, section, offset, places }: Reading): Listed[] {
  const cursor = open(info, section, offset);
  const found: Listed[] = [];
  let base = info.root(unit).address(AT.low) ?? 0;
  for (;;) {
    const [from, to] = [cursor.fixed(8), cursor.fixed(8)];
    if (from === 0 && to === 0) return found;
    if (from === BASE_FOLLOWS) base = to;
    else
      found.push({
        ...{ from: base + from, to: base + to },
        ...(places ? { expression: cursor.bytes(cursor.fixed(2)) } : {}),
      });
  }
}

function open(info: Info, section: string, offset: number): Cursor {
  const data = info.section(section);
  if (data === undefined) throw new Unfit(`the program has no ${section} that sonde can read`);
  return new Cursor(data, offset);
}
