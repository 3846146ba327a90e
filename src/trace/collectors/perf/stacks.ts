/** Callers, from a sample's registers and its copy of the stack; by the tables that exceptions are unwound with. */

import { ElfFile } from "../../../adapters/native/elf-file.ts";
import { CallFrames, RETURN, type Row } from "../../dwarf/call-frames.ts";
import type { CodePlace } from "./language.ts";
import { type Sample, word } from "./stream.ts";

interface Mapping {
  from: number;
  to: number;
  offset: number;
  path: string;
}

interface Known {
  place: CodePlace;
  row: Row | undefined;
}

const STACK_POINTER = 7;

export interface Callers {
  places: CodePlace[];
  /** The copy of the stack ended before the frames did. */
  cut: boolean;
}

const NO_STACK = Buffer.alloc(0);

export class Stacks {
  #maps: Mapping[] = [];
  readonly #modules = new Map<string, { elf: ElfFile; frames: CallFrames } | undefined>();
  /** By address, of return addresses and of places where a thread stands. */
  readonly #known = [new Map<number, Known>(), new Map<number, Known>()] as const;

  /** The newest at a place is what is there. */
  map(mapping: Mapping): void {
    this.#maps = [...this.#maps.flatMap((one) => without(one, mapping)), mapping];
    for (const known of this.#known) known.clear();
  }

  /** Another program has taken its place. */
  clear(): void {
    this.#maps = [];
    for (const known of this.#known) known.clear();
  }

  /** Uses up the sample's registers. */
  callers({ registers, stack = NO_STACK }: Sample, most: number): Callers {
    const places: CodePlace[] = [];
    if (registers === undefined) return { places, cut: false };
    const bottom = registers[STACK_POINTER] ?? 0;
    let back: 0 | 1 = 0;
    while (places.length < most) {
      const { place, row } = this.#look(registers[RETURN] ?? 0, back);
      places.push(place);
      if (row === undefined) return { places, cut: place[0] !== "" };
      if (row.outermost) break;
      const end = (registers[row.register] ?? 0) + row.offset;
      for (const { number, offset } of row.saved) {
        const from = end + offset - bottom;
        const there = from >= 0 && from + 8 <= stack.length;
        if (!there && number === RETURN) return { places, cut: true };
        registers[number] = there ? word(stack, from) : 0;
      }
      if (registers[RETURN] === 0) break;
      registers[STACK_POINTER] = end;
      back = row.signal ? 0 : 1;
    }
    return { places, cut: false };
  }

  #look(pc: number, back: 0 | 1): Known {
    const known = this.#known[back];
    const before = known.get(pc);
    if (before) return before;
    const found = this.#find(pc, back);
    known.set(pc, found);
    return found;
  }

  #find(pc: number, back: 0 | 1): Known {
    const mapping = this.#maps.find(({ from, to }) => pc - back >= from && pc - back < to);
    const module = mapping && this.#module(mapping.path);
    const address = mapping && module?.elf.addressOf(pc - mapping.from + mapping.offset);
    if (mapping === undefined || module === undefined || address === undefined)
      return { place: ["", pc, back], row: undefined };
    return { place: [mapping.path, address, back], row: module.frames.at(address - back) };
  }

  #module(path: string) {
    if (!this.#modules.has(path)) {
      const elf = path.startsWith("/") ? ElfFile.open(path) : undefined;
      this.#modules.set(path, elf && { elf, frames: new CallFrames(elf) });
    }
    return this.#modules.get(path);
  }
}

/** What is left of a mapping beside a newer one: a program may be mapped as a whole first, then its parts over that. */
function without(old: Mapping, { from, to }: Mapping): Mapping[] {
  if (old.to <= from || old.from >= to) return [old];
  const before = { ...old, to: Math.min(old.to, from) };
  const after = { ...old, from: Math.max(old.from, to), offset: old.offset + Math.max(0, to - old.from) };
  return [before, after].filter((one) => one.from < one.to);
}
