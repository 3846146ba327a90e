/** `.debug_info`: its units, and their entries as they are needed. */

import type { ElfFile } from "../../adapters/native/elf-file.ts";
import { AT, FORM } from "./constants.ts";
import { Cursor } from "./cursor.ts";
import { readForm, skipForm, type Value } from "./forms.ts";
import { Unfit } from "./unfit.ts";

interface Abbreviation {
  tag: number;
  children: boolean;
  attributes: { name: number; form: number; implicit: number }[];
}

export interface Unit {
  offset: number;
  end: number;
  version: number;
  abbreviations: Map<number, Abbreviation>;
  /** Where its first entry is. */
  first: number;
}

/** With what is inside it, where that was read. */
export interface Tree {
  entry: Entry;
  children: Tree[];
}

export class Entry {
  readonly offset: number;
  readonly unit: Unit;
  readonly tag: number;
  readonly #values: Map<number, { form: number; value: Value }>;
  readonly #info: Info;

  constructor(
    info: Info,
    at: { offset: number; unit: Unit; tag: number },
    values: Map<number, { form: number; value: Value }>,
  ) {
    this.#info = info;
    this.offset = at.offset;
    this.unit = at.unit;
    this.tag = at.tag;
    this.#values = values;
  }

  has(attribute: number): boolean {
    return this.#values.has(attribute);
  }

  number(attribute: number): number | undefined {
    const value = this.#values.get(attribute)?.value;
    return typeof value === "number" ? value : undefined;
  }

  whole(attribute: number): bigint | undefined {
    const value = this.#values.get(attribute)?.value;
    if (typeof value === "bigint") return value;
    return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
  }

  text(attribute: number): string | undefined {
    const found = this.#values.get(attribute);
    return typeof found?.value === "number"
      ? this.#info.string(found.form, found.value, this.unit)
      : asText(found?.value);
  }

  block(attribute: number): Buffer | undefined {
    const value = this.#values.get(attribute)?.value;
    return value instanceof Buffer ? value : undefined;
  }

  form(attribute: number): number | undefined {
    return this.#values.get(attribute)?.form;
  }

  /** Also one that is an index into the unit's table. */
  address(attribute: number): number | undefined {
    const found = this.#values.get(attribute);
    if (typeof found?.value !== "number") return undefined;
    return found.form === FORM.addr ? found.value : this.#info.indexedAddress(this.unit, found.value);
  }

  /** The offset of the entry that this attribute names. */
  reference(attribute: number): number | undefined {
    const found = this.#values.get(attribute);
    if (typeof found?.value !== "number") return undefined;
    return found.form === FORM.refAddr ? found.value : this.unit.offset + found.value;
  }
}

function asText(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const INDEXED_STRINGS: ReadonlySet<number> = new Set([
  ...[FORM.strx, FORM.strx1, FORM.strx2, FORM.strx3, FORM.strx4],
]);

export class Info {
  readonly units: Unit[] = [];
  readonly #elf: ElfFile;
  readonly #data: Buffer;
  readonly #abbreviations: Buffer;
  readonly #tables = new Map<number, Map<number, Abbreviation>>();
  readonly #sections = new Map<string, Buffer | undefined>();
  readonly #roots = new Map<Unit, Entry>();

  /** Throws Unfit where there is no debug information. */
  constructor(elf: ElfFile) {
    this.#elf = elf;
    const [info, abbreviations] = [elf.section(".debug_info"), elf.section(".debug_abbrev")];
    if (info === undefined || abbreviations === undefined)
      throw new Unfit("the program has no debug information that sonde can read");
    this.#data = info.data;
    this.#abbreviations = abbreviations.data;
    for (let at = 0; at < this.#data.length; ) {
      const unit = this.#unit(at);
      this.units.push(unit);
      at = unit.end;
    }
  }

  section(name: string): Buffer | undefined {
    if (!this.#sections.has(name)) this.#sections.set(name, this.#elf.section(name)?.data);
    return this.#sections.get(name);
  }

  root(unit: Unit): Entry {
    const known = this.#roots.get(unit) ?? this.#entry(unit, new Cursor(this.#data, unit.first))?.entry;
    if (known === undefined) throw new Unfit("a unit of its debug information is empty");
    this.#roots.set(unit, known);
    return known;
  }

  /** The entry at an offset, whatever unit it is in. */
  at(offset: number): Entry {
    const entry = this.#entry(this.#unitAt(offset), new Cursor(this.#data, offset))?.entry;
    if (entry === undefined) throw new Unfit("its debug information refers to an invalid entry");
    return entry;
  }

  /** With everything inside it. */
  tree(offset: number): Tree {
    const cursor = new Cursor(this.#data, offset);
    const tree = this.#tree(this.#unitAt(offset), cursor);
    if (tree === undefined) throw new Unfit("its debug information refers to an invalid entry");
    return tree;
  }

  /** Entries with one of these tags that are directly in the unit. */
  *top(unit: Unit, tags: ReadonlySet<number>): Generator<Entry> {
    const cursor = new Cursor(this.#data, unit.first);
    for (let depth = 0; cursor.at < unit.end; ) {
      const start = cursor.at;
      const abbreviation = unit.abbreviations.get(cursor.unsigned());
      if (abbreviation === undefined) {
        if (--depth <= 0) return;
        continue;
      }
      if (depth === 1 && tags.has(abbreviation.tag)) {
        cursor.at = start;
        const read = this.#entry(unit, cursor);
        if (read) yield read.entry;
      } else for (const { form } of abbreviation.attributes) skipForm(cursor, form);
      if (abbreviation.children) depth++;
    }
  }

  string(form: number, offset: number, unit?: Unit): string | undefined {
    if (unit && INDEXED_STRINGS.has(form)) return this.#indexedString(unit, offset);
    const name = form === FORM.strp ? ".debug_str" : form === FORM.lineStrp ? ".debug_line_str" : undefined;
    const data = name === undefined ? undefined : this.section(name);
    return data && new Cursor(data, offset).text();
  }

  indexedAddress(unit: Unit, index: number): number {
    const base = this.root(unit).number(AT.addressBase) ?? 8;
    const data = this.section(".debug_addr");
    if (data === undefined) throw new Unfit("its debug information has no addresses");
    return new Cursor(data, base + 8 * index).fixed(8);
  }

  #indexedString(unit: Unit, index: number): string | undefined {
    const base = this.root(unit).number(AT.stringBase) ?? 8;
    const [offsets, strings] = [this.section(".debug_str_offsets"), this.section(".debug_str")];
    if (offsets === undefined || strings === undefined) return undefined;
    return new Cursor(strings, new Cursor(offsets, base + 4 * index).fixed(4)).text();
  }

  #unitAt(offset: number): Unit {
    const unit = this.units.find((one) => offset >= one.first && offset < one.end);
    if (unit === undefined) throw new Unfit("its debug information refers to an invalid entry");
    return unit;
  }

  #unit(offset: number): Unit {
    const cursor = new Cursor(this.#data, offset);
    const length = cursor.fixed(4);
    if (length >= 0xfffffff0) throw new Unfit("its debug information is in the 64-bit format");
    const end = cursor.at + length;
    const version = cursor.fixed(2);
    if (version < 4 || version > 5) throw new Unfit(`its debug information has version ${version}`);
    let abbreviations: number;
    if (version === 5) {
      const kind = cursor.byte();
      cursor.byte();
      abbreviations = cursor.fixed(4);
      if (kind === 4 || kind === 5) cursor.at += 8; // of a skeleton: its number
      if (kind === 2 || kind === 6) cursor.at += 12; // of a type: its signature and place
    } else {
      abbreviations = cursor.fixed(4);
      cursor.byte();
    }
    return { offset, end, version, abbreviations: this.#table(abbreviations), first: cursor.at };
  }

  #table(offset: number): Map<number, Abbreviation> {
    const known = this.#tables.get(offset);
    if (known) return known;
    const table = new Map<number, Abbreviation>();
    const cursor = new Cursor(this.#abbreviations, offset);
    for (let code = cursor.unsigned(); code !== 0; code = cursor.unsigned()) {
      const abbreviation: Abbreviation = {
        tag: cursor.unsigned(),
        children: cursor.byte() === 1,
        attributes: [],
      };
      for (;;) {
        const [name, form] = [cursor.unsigned(), cursor.unsigned()];
        const implicit = form === FORM.implicit ? cursor.signed() : 0;
        if (name === 0 && form === 0) break;
        abbreviation.attributes.push({ name, form, implicit });
      }
      table.set(code, abbreviation);
    }
    this.#tables.set(offset, table);
    return table;
  }

  /** Nothing where a list of entries ends. */
  #entry(unit: Unit, cursor: Cursor): { entry: Entry; children: boolean } | undefined {
    const offset = cursor.at;
    const abbreviation = unit.abbreviations.get(cursor.unsigned());
    if (abbreviation === undefined) return undefined;
    const { tag, children, attributes } = abbreviation;
    const values = new Map<number, { form: number; value: Value }>();
    for (const { name, form, implicit } of attributes)
      values.set(name, { form, value: readForm(cursor, form, implicit) });
    return { entry: new Entry(this, { offset, unit, tag }, values), children };
  }

  #tree(unit: Unit, cursor: Cursor): Tree | undefined {
    const read = this.#entry(unit, cursor);
    if (read === undefined) return undefined;
    const children: Tree[] = [];
    if (read.children)
      for (let child = this.#tree(unit, cursor); child; child = this.#tree(unit, cursor))
        children.push(child);
    return { entry: read.entry, children };
  }
}
