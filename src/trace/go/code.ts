/** A Go program's code: its packages, functions and lines, by its debug information. */

import { ElfFile } from "../../adapters/native/elf-file.ts";
import { CallFrames } from "../dwarf/call-frames.ts";
import { AT, GO_LANGUAGE, TAG } from "../dwarf/constants.ts";
import { Info, type Unit } from "../dwarf/entries.ts";
import { type LineRow, type LineTable, lineTable } from "../dwarf/lines.ts";
import { contains, type Range, rangesOf } from "../dwarf/lists.ts";
import { Unfit } from "../dwarf/unfit.ts";

export interface GoFunction {
  name: string;
  from: number;
  to: number;
  /** Of its entry. */
  offset: number;
  package: Package;
  /** Made by the compiler to call another one. */
  made: boolean;
}

/** A unit of Go's compiler: a package, or its files in assembly. */
export interface Package {
  unit: Unit;
  name: string;
  /** The compiler and its flags. */
  producer: string;
  ranges: Range[];
}

const FUNCTIONS: ReadonlySet<number> = new Set([TAG.subprogram]);

export class Code {
  readonly elf: ElfFile;
  readonly info: Info;
  readonly frames: CallFrames;
  readonly packages: Package[];
  readonly #functions = new Map<Package, GoFunction[]>();
  readonly #tables = new Map<Package, LineTable | undefined>();
  readonly #rows = new Map<GoFunction, LineRow[]>();

  constructor(program: string) {
    const elf = ElfFile.open(program);
    if (elf === undefined) throw new Unfit(`${program} is not an ELF file for this machine`);
    this.elf = elf;
    this.info = new Info(elf);
    this.frames = new CallFrames(elf);
    this.packages = this.info.units.flatMap((unit) => {
      const root = this.info.root(unit);
      if (root.number(AT.language) !== GO_LANGUAGE) return [];
      const [name = "", producer = ""] = [root.text(AT.name), root.text(AT.producer)];
      return [{ unit, name, producer, ranges: rangesOf(this.info, root) }];
    });
    if (this.packages.length === 0)
      throw new Unfit("the program has no debug information from Go's compiler");
  }

  functionAt(address: number): GoFunction | undefined {
    const home = this.packages.find(({ ranges }) => contains(ranges, address));
    return home && this.#functionsOf(home).find(({ from, to }) => address >= from && address < to);
  }

  /** Nothing where a package has no lines. */
  table(one: Package): LineTable | undefined {
    if (!this.#tables.has(one)) this.#tables.set(one, lineTable(this.info, one.unit));
    return this.#tables.get(one);
  }

  /** Of one function, by address. */
  rows(one: GoFunction): LineRow[] {
    const known = this.#rows.get(one);
    if (known) return known;
    const all = this.table(one.package)?.rows() ?? [];
    const own = all.filter(({ address, end }) => !end && address >= one.from && address < one.to);
    const rows = own.sort((a, b) => a.address - b.address);
    this.#rows.set(one, rows);
    return rows;
  }

  /** As dlv tells it: the first row at the address, else the last before it. */
  lineAt(one: GoFunction, address: number): { path: string; line: number } | undefined {
    const rows = this.rows(one);
    const row =
      rows.find((each) => each.address === address) ?? rows.findLast((each) => each.address < address);
    const path = row && this.table(one.package)?.files[row.file];
    return row && path !== undefined ? { path, line: row.line } : undefined;
  }

  #functionsOf(one: Package): GoFunction[] {
    const known = this.#functions.get(one);
    if (known) return known;
    const functions: GoFunction[] = [];
    for (const entry of this.info.top(one.unit, FUNCTIONS)) {
      const [range] = rangesOf(this.info, entry);
      if (range === undefined) continue; // only a description of what is inlined elsewhere
      const name = this.nameOf(entry.offset);
      const made = name.includes("·dwrap·") || (entry.number(AT.trampoline) ?? 0) !== 0;
      functions.push({ ...range, name, offset: entry.offset, package: one, made });
    }
    this.#functions.set(one, functions);
    return functions;
  }

  /** Of a function that was also inlined its description has the name. */
  nameOf(offset: number): string {
    const entry = this.info.at(offset);
    const origin = entry.reference(AT.origin);
    return entry.text(AT.name) ?? (origin === undefined ? "" : this.nameOf(origin));
  }
}

/** `example.com/a/b` of `example.com/a/b.(*T).Run`. */
export function packageOf(name: string): string {
  const plain = name.replace(/\[.*$/s, "");
  const slash = Math.max(0, plain.lastIndexOf("/"));
  const dot = plain.indexOf(".", slash);
  return dot < 0 ? "" : plain.slice(0, dot);
}
