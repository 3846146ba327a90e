/**
 * Breakpoints in the code of a running process, found without its debugger's help. A breakpoint is a changed instruction: a page
 * of code that was written to is no longer the file's, and where it differs from the file by a trap, a debugger put that there.
 */
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from "node:fs";

/** By processor, as every debugger of it writes them. */
const INSTRUCTIONS: Partial<Record<NodeJS.Architecture, number[]>> = {
  x64: [0xcc],
  arm64: [0x00, 0x00, 0x20, 0xd4],
};

interface Taken {
  place: number;
  code: Buffer;
}

interface Page {
  place: number;
  /** Where its code comes from. */
  file: string;
  inode: number;
  offset: number;
}

export class Traps {
  readonly #pid: number;
  readonly #trap: Buffer;
  readonly #pageSize: number;
  /** By their place: pages as they were before a debugger came, or as their file has them. */
  readonly #plain = new Map<number, Buffer>();
  #taken: Taken[] = [];

  private constructor(pid: number, trap: number[], pageSize: number, isLaunched: boolean) {
    this.#pid = pid;
    this.#trap = Buffer.from(trap);
    this.#pageSize = pageSize;
    if (isLaunched) return;
    // A program may have changed its own code.
    this.#onMemory("r", (memory) => {
      for (const { place } of this.#written()) this.#plain.set(place, this.#read(memory, place));
    });
  }

  /**
   * To be called before a debugger attaches; of what the debugger itself has launched, at any time. Nothing where the system does not
   * show a process's pages.
   */
  static of(pid: number, options: { isLaunched?: boolean } = {}): Traps | undefined {
    const trap = INSTRUCTIONS[process.arch];
    const pageSize = process.platform === "linux" ? readPageSize() : undefined;
    return trap && pageSize ? new Traps(pid, trap, pageSize, options.isLaunched ?? false) : undefined;
  }

  /** Until `putBack` the code is as it was built. */
  takeOut(): void {
    this.#onMemory("r+", (memory) => {
      for (const page of this.#written()) {
        const plain = this.#plainOf(page);
        if (plain === undefined) continue;
        for (const { place, code } of this.#trapsIn(this.#read(memory, page.place), plain, page.place)) {
          this.#taken.push({ place, code });
          writeSync(memory, code, 0, code.length, place);
        }
      }
    });
  }

  /** Only where nobody wrote meanwhile. */
  putBack(): void {
    const taken = this.#taken.splice(0);
    if (taken.length === 0) return;
    this.#onMemory("r+", (memory) => {
      for (const { place, code } of taken)
        if (this.#read(memory, place, code.length).equals(code))
          writeSync(memory, this.#trap, 0, this.#trap.length, place);
    });
  }

  #trapsIn(memory: Buffer, plain: Buffer, start: number): Taken[] {
    const { length } = this.#trap;
    const found: Taken[] = [];
    for (let at = memory.indexOf(this.#trap); at >= 0; at = memory.indexOf(this.#trap, at + 1)) {
      const code = plain.subarray(at, at + length);
      if (at % length === 0 && !code.equals(this.#trap)) found.push({ place: start + at, code });
    }
    return found;
  }

  /** Pages of code that are no longer the file's. */
  #written(): Page[] {
    const size = this.#pageSize;
    const pagemap = openSync(`/proc/${this.#pid}/pagemap`, "r");
    try {
      return codeOf(this.#pid).flatMap(({ start, end, ...from }) => {
        const entries = Buffer.alloc(((end - start) / size) * ENTRY);
        readSync(pagemap, entries, 0, entries.length, (start / size) * ENTRY);
        const pages: Page[] = [];
        for (let at = 0; at < entries.length; at += ENTRY) {
          const flags = entries[at + ENTRY - 1] ?? 0;
          const gone = (at / ENTRY) * size;
          if (flags & PRESENT_OR_SWAPPED && !(flags & OF_A_FILE))
            pages.push({ ...from, place: start + gone, offset: from.offset + gone });
        }
        return pages;
      });
    } finally {
      closeSync(pagemap);
    }
  }

  #plainOf({ place, file, inode, offset }: Page): Buffer | undefined {
    const known = this.#plain.get(place);
    if (known) return known;
    // Built anew since, a program still runs from the file that it was started from, which has no name any more.
    const source = [file, `/proc/${this.#pid}/exe`].find((path) => inodeOf(path) === inode);
    if (source === undefined) return undefined;
    const opened = openSync(source, "r");
    try {
      const plain = this.#read(opened, offset);
      this.#plain.set(place, plain);
      return plain;
    } finally {
      closeSync(opened);
    }
  }

  /** What lies past the end of a file is blank in memory too. */
  #read(file: number, place: number, length = this.#pageSize): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, place);
    return bytes;
  }

  #onMemory(mode: "r" | "r+", use: (memory: number) => void): void {
    let memory: number | undefined;
    try {
      memory = openSync(`/proc/${this.#pid}/mem`, mode);
      use(memory);
    } catch {
      // The process has gone, or is not ours to touch: there is nothing to mend.
    } finally {
      if (memory !== undefined) closeSync(memory);
    }
  }
}

/** Of /proc/<pid>/pagemap: 64 bits for a page, of which the last byte tells what is wanted here. */
const ENTRY = 8;
const PRESENT_OR_SWAPPED = 0xc0;
const OF_A_FILE = 0x20;

function codeOf(pid: number) {
  const lines = readFileSync(`/proc/${pid}/maps`, "latin1").matchAll(
    /^([0-9a-f]+)-([0-9a-f]+) ..x. ([0-9a-f]+) \S+ ([1-9]\d*) +(\/.*)$/gm,
  );
  return [...lines].map(([, start = "", end = "", offset = "", inode = "", file = ""]) => ({
    start: Number.parseInt(start, 16),
    end: Number.parseInt(end, 16),
    offset: Number.parseInt(offset, 16),
    inode: Number(inode),
    file,
  }));
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

const AT_PAGESZ = 6n;

/** The system's word to every program it starts. */
function readPageSize(): number | undefined {
  const words = readFileSync("/proc/self/auxv");
  for (let at = 0; at + 16 <= words.length; at += 16)
    if (words.readBigUInt64LE(at) === AT_PAGESZ) return Number(words.readBigUInt64LE(at + 8));
  return undefined;
}
