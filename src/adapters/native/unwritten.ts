/**
 * What a C program has printed and its C library has not written yet: the buffer of `stdout`, read from the program's memory.
 * Nothing in the program is touched or run. Known of glibc on 64-bit Linux; of any other nothing is said.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { symbolIn } from "./elf-symbol.ts";

const STDOUT = "_IO_2_1_stdout_";
/** Of glibc's FILE, which is part of its binary interface: where things are, and what marks one. */
const FILE_BYTES = 144;
const MAGIC = 0xfbad;
const AT = { writeBase: 32, writePointer: 40, descriptor: 112, lock: 136 };
const MOST = 1 << 20;
/** write and writev of x86-64 and arm64, to descriptor 1. */
const WRITING = /^(1|20|64|66) 0x1 /;

export class Unwritten {
  #pid: number | undefined;
  #address: number | undefined;

  /** Nothing if it cannot be known, empty if there is none. `inode`: what its standard output must be. */
  read(pid: number, inode: number): Buffer | undefined {
    if (process.platform !== "linux" || (process.arch !== "x64" && process.arch !== "arm64"))
      return undefined;
    try {
      if (this.#pid !== pid) this.#address = undefined;
      this.#pid = pid;
      this.#address ??= addressIn(pid);
      if (this.#address === undefined || statSync(`/proc/${pid}/fd/1`).ino !== inode) return undefined;
      const text = pending(pid, this.#address);
      if (text === undefined) this.#address = undefined; // it may have become another program
      return text;
    } catch {
      return undefined; // gone, or not ours to look into
    }
  }
}

/** Nothing while a thread is about to write: how much of it is written then is not known. */
function pending(pid: number, address: number): Buffer | undefined {
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    const bytes = (place: number, size: number) => {
      const buffer = Buffer.alloc(size);
      return readSync(memory, buffer, 0, size, place) === size ? buffer : undefined;
    };
    const file = bytes(address, FILE_BYTES);
    if (file?.readUInt16LE(2) !== MAGIC || file.readInt32LE(AT.descriptor) !== 1) return undefined;
    const lock = bytes(Number(file.readBigUInt64LE(AT.lock)), 4);
    if (lock?.readInt32LE(0) !== 0 || WRITING.test(readFileSync(`/proc/${pid}/syscall`, "latin1")))
      return undefined;
    const from = Number(file.readBigUInt64LE(AT.writeBase));
    const size = Number(file.readBigUInt64LE(AT.writePointer)) - from;
    if (size === 0) return Buffer.alloc(0);
    return size > 0 && size <= MOST ? bytes(from, size) : undefined;
  } finally {
    closeSync(memory);
  }
}

/** In the C library, or in a program that has it built in. */
function addressIn(pid: number): number | undefined {
  const executable = `/proc/${pid}/exe`;
  const lines = readFileSync(`/proc/${pid}/maps`, "utf8").split("\n");
  const library = lines.find((line) => / 0{8} .*\/libc[.-][^/]*so[^/]*$/.test(line));
  const line = library ?? lines[0];
  if (line === undefined) return undefined;
  const path = library === undefined ? executable : `/proc/${pid}/root${line.slice(line.indexOf("/"))}`;
  const symbol = symbolIn(path, STDOUT);
  if (symbol === undefined) return undefined;
  return symbol.moved ? Number.parseInt(line, 16) + symbol.value : symbol.value;
}
