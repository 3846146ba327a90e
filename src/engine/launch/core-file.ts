/** Which program left a core file: ELF notes name it. Reads only headers and notes, never the memory. */

import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { advice, blank, call, named, shell } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";

const ELF_CORE = 4;
const PT_NOTE = 4;
const NT_PRPSINFO = 3;
const NT_FILE = 0x46494c45;
const MOST_NOTES = 16 << 20;

/** The core file and the program that left it, both known to exist. */
export function coreOf(
  typed: string,
  by: string | undefined,
  cwd: string,
): { core: string; program: string } {
  const core = resolve(cwd, typed);
  if (!existsSync(core) || !statSync(core).isFile())
    throw new SondeError("BAD_ARGUMENT", advice`${named("core")}: no file ${typed} in ${cwd}`, {
      folder: cwd,
    });
  if (!isCoreFile(core))
    throw new SondeError("BAD_ARGUMENT", advice`${named("core")}: ${typed} is not a core file`, {
      hint: advice`${shell("coredumpctl dump <pid> -o core")} or ${shell("ulimit -c unlimited")} before the run creates one`,
    });
  const program = by === undefined ? programOfCore(core) : resolve(cwd, by);
  if (program !== undefined && existsSync(program)) return { core, program };
  throw new SondeError(
    "BAD_ARGUMENT",
    by === undefined ? `${typed} does not say which program it came from` : `no file ${by} in ${cwd}`,
    {
      hint: advice`give the program: ${call("start", { program: blank("program"), core: typed })}`,
      folder: cwd,
    },
  );
}

/** Mach-O cores have a magic of their own and no such notes. */
function isCoreFile(path: string): boolean {
  return withFile(path, (read) => {
    const head = read(0, 32);
    if (head.length < 18) return false;
    if (head.readUInt32BE(0) === 0x7f454c46) return head.readUInt16LE(16) === ELF_CORE;
    return head.readUInt32LE(0) === 0xfeedfacf && head.readUInt32LE(12) === 4;
  });
}

function programOfCore(path: string): string | undefined {
  return withFile(path, (read) => {
    const notes = readNotes(read);
    const info = notes.find((note) => note.type === NT_PRPSINFO);
    const table = notes.find((note) => note.type === NT_FILE);
    const files = table ? mappedFiles(table.data) : [];
    // The kernel cuts the name at 15 characters.
    const name = info ? shortName(info.data) : "";
    const byName = files.find((file) => name !== "" && basename(file).startsWith(name));
    return [byName, files[0]].find((file) => file !== undefined && existsSync(file));
  });
}

type Read = (at: number, bytes: number) => Buffer;

function withFile<T>(path: string, use: (read: Read) => T): T {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    return use((at, bytes) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, size - at)));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, at));
    });
  } finally {
    closeSync(file);
  }
}

interface Note {
  type: number;
  data: Buffer;
}

/** 64-bit little-endian, as every machine in use has it. */
function readNotes(read: Read): Note[] {
  const head = read(0, 64);
  if (head.length < 64 || head[4] !== 2 || head[5] !== 1) return [];
  const at = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  const count = head.readUInt16LE(56);
  const table = read(at, size * count);
  for (let entry = 0; entry + size <= table.length; entry += size) {
    if (table.readUInt32LE(entry) !== PT_NOTE) continue;
    const length = Number(table.readBigUInt64LE(entry + 32));
    return splitNotes(read(Number(table.readBigUInt64LE(entry + 8)), Math.min(length, MOST_NOTES)));
  }
  return [];
}

function splitNotes(bytes: Buffer): Note[] {
  const notes: Note[] = [];
  for (let at = 0; at + 12 <= bytes.length; ) {
    const name = aligned(bytes.readUInt32LE(at));
    const length = bytes.readUInt32LE(at + 4);
    const start = at + 12 + name;
    notes.push({ type: bytes.readUInt32LE(at + 8), data: bytes.subarray(start, start + length) });
    at = start + aligned(length);
  }
  return notes;
}

function aligned(length: number): number {
  return (length + 3) & ~3;
}

/** `pr_fname` of the kernel's elf_prpsinfo. */
function shortName(info: Buffer): string {
  return info.subarray(40, 56).toString("latin1").replace(/\0.*$/s, "");
}

/** A count, a page size, then three words for each mapping, then the names. */
function mappedFiles(data: Buffer): string[] {
  if (data.length < 16) return [];
  const count = Number(data.readBigUInt64LE(0));
  return data
    .subarray(16 + count * 24)
    .toString("utf8")
    .split("\0")
    .slice(0, count);
}
