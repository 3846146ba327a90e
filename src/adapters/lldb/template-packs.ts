/**
 * g++ describes each class that fits a narrower form of a template with a parameter pack (`std::tuple` of two, and so every
 * `std::unique_ptr`) with an empty pack. LLDB takes all of these for one class: it leaves out members of the second one, and dies
 * of laying out what holds it. Such a program is read from a copy in which those packs are not called so; what runs is the program.
 */
import { closeSync, constants, openSync, rmSync, statSync, writeSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { temporaryFolder } from "../../util/left-folders.ts";
import { ElfFile } from "../native/elf-file.ts";

const PACK = 0x4107;
/** The first tag that is anybody's own; as many bytes as the other. */
const NO_TAG = Buffer.from([0x80, 0x81, 0x01]);
const IMPLICIT = 0x21;
/** A larger program is read as it is: a copy of it takes longer than anybody waits. */
const LARGEST = 512 << 20;

/** The copy, which whoever asked removes with its folder. */
export interface Copy {
  path: string;
  remove(): void;
}

export async function withoutEmptyPacks(program: string): Promise<Copy | undefined> {
  const elf = ElfFile.open(program);
  const place = elf?.place(".debug_abbrev");
  if (elf === undefined || place === undefined || statSync(program).size > LARGEST) return undefined;
  const packs = emptyPacks(elf.bytes(".debug_abbrev"));
  if (packs.length === 0) return undefined;
  const folder = temporaryFolder("symbols");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, basename(program));
  try {
    await copyFile(program, path, constants.COPYFILE_FICLONE);
    overwrite(
      path,
      packs.map((at) => place.offset + at),
    );
    return { path, remove };
  } catch {
    remove(); // no room for a copy: the program as it is has to do
    return undefined;
  }
}

function overwrite(path: string, places: number[]): void {
  const file = openSync(path, "r+");
  try {
    for (const at of places) writeSync(file, NO_TAG, 0, NO_TAG.length, at);
  } finally {
    closeSync(file);
  }
}

/** Where the tags of packs that hold nothing are, in a `.debug_abbrev` section. */
export function emptyPacks(section: Buffer): number[] {
  const found: number[] = [];
  let at = 0;
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = section[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < section.length) {
    if (number() === 0) continue;
    const start = at;
    const tag = number();
    const length = at - start;
    if (section[at++] === 0 && tag === PACK && length === NO_TAG.length) found.push(start);
    for (let [name, form] = [number(), number()]; (name !== 0 || form !== 0) && at < section.length; ) {
      if (form === IMPLICIT) number();
      [name, form] = [number(), number()];
    }
  }
  return found;
}
