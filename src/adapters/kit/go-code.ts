/** Whether an executable was built by Go, from a few reads: binaries of a hundred megabytes are common. */
import { closeSync, openSync, readSync } from "node:fs";
import { fileHead, isMachineCode } from "./files.ts";

const HEAD = 64 * 1024;
const MOST_SECTION_BYTES = 1 << 20;
/** The linker's sections; the second is there when the first was not asked for (`-buildid=`). */
const GO_SECTION = /\.go\.buildinfo|\.gopclntab/;

export function isGoExecutable(path: string): boolean {
  if (!isMachineCode(path)) return false;
  const head = fileHead(path, HEAD);
  if (head.startsWith("\x7fELF")) return GO_SECTION.test(sectionNames(path));
  // Mach-O lists its sections at the beginning; in a PE file Go's linker puts its mark in front of the code.
  return head.includes("__go_buildinfo") || head.includes('Go build ID: "');
}

/** Machine code that C's debuggers are for: on Go's they stop at its runtime's signals and show none of its values. */
export function isNativeCode(path: string): boolean {
  return isMachineCode(path) && !isGoExecutable(path);
}

/** The string table with the names of an ELF file's sections. */
function sectionNames(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const header = read(file, 0, 64);
    const wide = header[4] === 2;
    const little = header[5] === 1;
    const at = (buffer: Buffer, offset: number, bytes: number) =>
      bytes === 8
        ? Number(little ? buffer.readBigUInt64LE(offset) : buffer.readBigUInt64BE(offset))
        : little
          ? buffer.readUIntLE(offset, bytes)
          : buffer.readUIntBE(offset, bytes);
    const table = wide ? at(header, 40, 8) : at(header, 32, 4);
    const size = at(header, wide ? 58 : 46, 2);
    const names = at(header, wide ? 62 : 50, 2);
    const section = read(file, table + names * size, size);
    const offset = wide ? at(section, 24, 8) : at(section, 16, 4);
    const length = wide ? at(section, 32, 8) : at(section, 20, 4);
    return read(file, offset, Math.min(length, MOST_SECTION_BYTES)).toString("latin1");
  } catch {
    return ""; // cut off, or without sections: not Go's linker
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function read(file: number, offset: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  readSync(file, buffer, 0, bytes, offset);
  return buffer;
}
