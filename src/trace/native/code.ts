/** A native program's own debug information: its files, the code of their lines, and which names mean what there. */
import { realpathSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { ElfFile } from "../../adapters/native/elf-file.ts";
import { herePath, type PathMap } from "../../util/path-map.ts";
import { CallFrames } from "../dwarf/call-frames.ts";
import { AT, TAG } from "../dwarf/constants.ts";
import { type Entry, Info, type Tree, type Unit } from "../dwarf/entries.ts";
import { type LineTable, lineTable } from "../dwarf/lines.ts";
import { contains, type Range, rangesOf } from "../dwarf/lists.ts";
import { Unfit } from "../dwarf/unfit.ts";

/** A function, a copy of one that was inlined, or a block; with what is declared and nested in it. */
export interface Scope {
  kind: "function" | "inlined" | "block";
  entry: Entry;
  ranges: Range[];
  variables: Variable[];
  /** Of blocks whose code was left out or moved. */
  lost: Variable[];
  inner: Scope[];
  outer: Scope | undefined;
}

export interface Variable {
  name: string;
  entry: Entry;
  parameter: boolean;
  /** Where it is declared; zero where that is not told. */
  line: number;
  path: string;
}

/** Consecutive addresses of one line. */
export interface Piece extends Range {
  line: number;
  path: string;
  /** A place at which a debugger may stop for this line. */
  statement: boolean;
  prologueEnd: boolean;
}

/** A unit that is larger takes too long to read. */
const MOST_BYTES = 64 << 20;

export class NativeCode {
  readonly elf: ElfFile;
  readonly info: Info;
  readonly frames: CallFrames;
  readonly #pathMap: PathMap;
  readonly #tables = new Map<Unit, LineTable | undefined>();
  readonly #pieces = new Map<Unit, Piece[]>();
  readonly #functions = new Map<Unit, Scope[]>();
  readonly #real = new Map<string, string>();
  #takes: Map<string, boolean> | undefined;

  /** Throws Unfit. */
  constructor(program: string, pathMap: PathMap = []) {
    const elf = ElfFile.open(program);
    if (elf === undefined) throw new Unfit(`${program} is not an ELF file for this machine`);
    this.elf = elf;
    this.info = new Info(elf);
    this.frames = new CallFrames(elf);
    this.#pathMap = pathMap;
  }

  /** Units with code of a file. */
  unitsWith(path: string): Unit[] {
    return this.info.units.filter((unit) => {
      const files = this.#table(unit)?.files ?? [];
      return files.some((one) => this.isFile(one, path));
    });
  }

  /** Every source file that it names. */
  sources(): Set<string> {
    return new Set(this.info.units.flatMap((unit) => this.#table(unit)?.files ?? []));
  }

  /** Whether a path of the debug information's is the file that is asked for: as it is told, mapped, or by a link. */
  isFile(told: string, path: string): boolean {
    if (told === path || normalize(told) === path) return true;
    if (herePath(this.#pathMap, normalize(told)) === path) return true;
    return basename(told) === basename(path) && this.#realPath(told) === this.#realPath(path);
  }

  /** Where a file that the debug information names is now. */
  here(told: string): string {
    return herePath(this.#pathMap, normalize(told));
  }

  /** The file that an entry is declared in; empty where that is not told. */
  declaredIn(entry: Entry): string {
    const file = this.number(entry, AT.declarationFile);
    return file === undefined ? "" : (this.#table(entry.unit)?.files[file] ?? "");
  }

  /** Whether one by that name, which it has or calls, gets what it is given by value; nothing where no such one is told of. */
  takesValues(name: string): boolean | undefined {
    if (this.#takes === undefined) {
      this.#takes = new Map();
      for (const unit of this.info.units) this.#learn(this.info.tree(unit.first), this.#takes);
    }
    return this.#takes.get(name);
  }

  #learn({ entry, children }: Tree, takes: Map<string, boolean>): void {
    const name = entry.tag === TAG.subprogram ? this.text(entry, AT.name)?.replace(/<.*/s, "") : undefined;
    if (name !== undefined) {
      const given = children.filter((one) => one.entry.tag === TAG.formalParameter);
      const byValue = given.every((one) => {
        const type = this.#origined(one.entry, AT.type);
        return type !== undefined && !REFERENCES.has(this.info.at(type).tag);
      });
      takes.set(name, byValue && takes.get(name) !== false);
    }
    for (const child of children) this.#learn(child, takes);
  }

  #origined(entry: Entry, attribute: number): number | undefined {
    return entry.reference(attribute) ?? this.#origin(entry, (one) => this.#origined(one, attribute));
  }

  /** In the order of addresses. */
  pieces(unit: Unit): Piece[] {
    const known = this.#pieces.get(unit);
    if (known) return known;
    const { files = [], rows } = this.#table(unit) ?? {};
    const all = rows?.() ?? [];
    const pieces: Piece[] = [];
    for (let at = 0; at < all.length; at++) {
      const first = at;
      while (at < all.length && !all[at]?.end) at++;
      const sequence = all.slice(first, at + 1);
      // Code that the linker left out.
      if ((sequence[0]?.address ?? 0) <= 1) continue;
      for (const [index, row] of sequence.entries()) {
        const next = sequence[index + 1];
        // Of several states at one address the program only ever stands in the last.
        if (row.end || next === undefined || next.address <= row.address) continue;
        const same = sequence.filter((one) => one.address === row.address && one.line === row.line);
        pieces.push({
          ...{ from: row.address, to: next.address, line: row.line, path: files[row.file] ?? "" },
          statement: same.some(({ statement }) => statement),
          prologueEnd: sequence.some((one) => one.address === row.address && one.prologueEnd),
        });
      }
    }
    pieces.sort((a, b) => a.from - b.from);
    this.#pieces.set(unit, pieces);
    return pieces;
  }

  /** The innermost scope at an address, which leads to those around it. */
  scopeAt(unit: Unit, address: number): Scope | undefined {
    let scope = this.functions(unit).find((one) => contains(one.ranges, address));
    for (let inner = scope; inner; inner = inner.inner.find((one) => contains(one.ranges, address)))
      scope = inner;
    return scope;
  }

  functions(unit: Unit): Scope[] {
    const known = this.#functions.get(unit);
    if (known) return known;
    if (unit.end - unit.offset > MOST_BYTES) throw new Unfit("its debug information is too large to read");
    const found: Scope[] = [];
    const visit = (tree: Tree) => {
      const { tag } = tree.entry;
      if (tag === TAG.subprogram) {
        const one = this.#scope(tree, undefined);
        if (one.ranges.length > 0) found.push(one);
      }
      // Functions may be declared in namespaces, types, and other functions.
      for (const child of tree.children) visit(child);
    };
    visit(this.info.tree(unit.first));
    this.#functions.set(unit, found);
    return found;
  }

  /** Also where only what it was made from says so. */
  text(entry: Entry, attribute: number): string | undefined {
    return entry.text(attribute) ?? this.#origin(entry, (one) => this.text(one, attribute));
  }

  number(entry: Entry, attribute: number): number | undefined {
    return entry.number(attribute) ?? this.#origin(entry, (one) => this.number(one, attribute));
  }

  /** The file that a unit was compiled from: rustc adds the part of the crate that it is. */
  sourceOf(unit: Unit): string {
    const root = this.info.root(unit);
    const path = (root.text(AT.name) ?? "").replace(/\/@\/[^/]*$/, "");
    return normalize(join(isAbsolute(path) ? "" : (root.text(AT.folder) ?? ""), path));
  }

  producer(unit: Unit): string {
    return this.info.root(unit).text(AT.producer) ?? "";
  }

  #origin<T>(entry: Entry, read: (origin: Entry) => T | undefined): T | undefined {
    const offset = entry.reference(AT.origin) ?? entry.reference(AT.specification);
    return offset === undefined ? undefined : read(this.info.at(offset));
  }

  #scope({ entry, children }: Tree, outer: Scope | undefined): Scope {
    const kind = KINDS[entry.tag] ?? "block";
    const scope: Scope = {
      kind,
      entry,
      ranges: rangesOf(this.info, entry),
      variables: [],
      lost: [],
      inner: [],
      outer,
    };
    for (const child of children) {
      const { tag } = child.entry;
      if (tag === TAG.variable || tag === TAG.formalParameter) {
        const name = this.text(child.entry, AT.name);
        if (name !== undefined) scope.variables.push(this.#variable(child.entry, name));
      } else if (tag === TAG.lexicalBlock || tag === TAG.inlinedSubroutine) {
        const inner = this.#scope(child, scope);
        if (inner.ranges.length > 0) scope.inner.push(inner);
        else if (tag === TAG.lexicalBlock) scope.lost.push(...inner.variables, ...inner.lost);
      }
    }
    return scope;
  }

  #variable(entry: Entry, name: string): Variable {
    const path = this.declaredIn(entry);
    const line = this.number(entry, AT.declarationLine) ?? 0;
    return { name, entry, parameter: entry.tag === TAG.formalParameter, line, path };
  }

  #table(unit: Unit): LineTable | undefined {
    if (!this.#tables.has(unit)) this.#tables.set(unit, lineTable(this.info, unit));
    return this.#tables.get(unit);
  }

  #realPath(path: string): string {
    const known = this.#real.get(path);
    if (known !== undefined) return known;
    let real = path;
    try {
      real = realpathSync(path);
    } catch {
      // It is not there: only its name can be compared.
    }
    this.#real.set(path, real);
    return real;
  }
}

/** To a value, and to one that is about to go. */
const REFERENCES: ReadonlySet<number> = new Set([0x10, 0x42]);

const KINDS: Record<number, Scope["kind"]> = {
  [TAG.subprogram]: "function",
  [TAG.inlinedSubroutine]: "inlined",
};

function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
