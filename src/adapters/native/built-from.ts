/** What a program was built from: by which path its debug information knows a file, and why it knows none. */

import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { advice, optionOf, type Told } from "../../advice/advice.ts";
import { herePath, movedBetween, type PathMap } from "../../util/path-map.ts";
import { ElfFile } from "./elf-file.ts";
import { type CompiledUnit, compiledUnits } from "./units.ts";

export class BuiltFrom {
  readonly #program: string | undefined;
  readonly #map: PathMap;
  #elf: ElfFile | undefined | false = false;
  #units: CompiledUnit[] | undefined;

  constructor(program: string | undefined, map: PathMap = []) {
    this.#program = program;
    this.#map = map;
  }

  get elf(): ElfFile | undefined {
    if (this.#elf === false)
      this.#elf = this.#program === undefined ? undefined : ElfFile.open(this.#program);
    return this.#elf;
  }

  get #all(): CompiledUnit[] {
    this.#units ??= this.elf ? compiledUnits(this.elf) : [];
    return this.#units;
  }

  /** The path by which it knows this file, where that is another one: through a link, say. */
  otherPath(path: string): string | undefined {
    const real = realPath(path);
    const same = this.#named(path).find((one) => realPath(herePath(this.#map, one.path)) === real);
    return same === undefined || same.path === path ? undefined : same.path;
  }

  has(path: string): boolean {
    return this.#named(path).some((one) => one.path === path);
  }

  /** Why a place in this file is not in the program; nothing if that is not known. */
  reason(path: string): Told | undefined {
    const { elf } = this;
    const name = basename(this.#program ?? "");
    if (elf === undefined) return undefined;
    if (!elf.has(".debug_info")) {
      const stripped = elf.has(".symtab") ? "" : ", and its symbols are stripped";
      return `${name} has no debug information${stripped}: compile it with -g`;
    }
    const named = this.#named(path);
    if (named.some((one) => one.path === path || realPath(one.path) === realPath(path)))
      return "the program has no code at or after that line";
    const [elsewhere] = named;
    if (elsewhere !== undefined) {
      const moved = movedBetween(elsewhere.path, path);
      const map = moved && optionOf("start", { map: [`${moved.from}=${moved.to}`] });
      const how = map ? advice`; if that is this file, ${map} maps it` : "";
      return advice`the program was compiled from ${elsewhere.path}${how}`;
    }
    const units = this.#all.filter((one) => !isLibrarys(one.path));
    if (units.length === 0 || /\.(h|hh|hpp|hxx|inc|rs)$/.test(path)) return undefined;
    const some = units.slice(0, 3).map((one) => basename(one.path));
    const more = units.length > some.length ? ` and ${units.length - some.length} more` : "";
    return `${name} was compiled from other files (${some.join(", ")}${more}); a library that it loads later may contain this one`;
  }

  /** `-O2`, where the compiler says so: then values may be gone, and lines run in another order. Of which files, unless it is all. */
  get optimised(): { level: string; files?: string[] } | undefined {
    const own = this.#all.filter(({ path }) => !isLibrarys(path));
    const levels = new Map(own.map(({ path, producer }) => [path, levelIn(producer)]));
    const found = [...levels].flatMap(([path, level]) => (level === undefined ? [] : [{ path, level }]));
    const [first] = found;
    if (first === undefined) return undefined;
    const files = found.map(({ path }) => basename(path));
    return { level: first.level, ...(found.length === levels.size ? {} : { files }) };
  }

  /** It has the means to start children that no debugger sees. */
  get forks(): boolean {
    return /\0v?fork\0/.test(this.elf?.bytes(".dynstr").toString("latin1") ?? "");
  }

  #named(path: string): CompiledUnit[] {
    const name = basename(path);
    return this.#all.filter((one) => basename(one.path) === name);
  }
}

function isLibrarys(path: string): boolean {
  return /^\/(rustc|usr)\//.test(path);
}

/** The last one counts. */
function levelIn(producer: string): string | undefined {
  const level = [...producer.matchAll(/(?:^|\s)(-O\w*)(?=\s|$)/g)].at(-1)?.[1];
  return level === undefined || /^-O(0|g)$/.test(level) ? undefined : level;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
