/** What a file is, by its first bytes. */
import { closeSync, constants, openSync, readSync } from "node:fs";

const MAGICS = ["\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe\x00\x00\x00\x02", "MZ"];

/** ELF, Mach-O (also one with two architectures) or PE. */
export function isMachineCode(path: string): boolean {
  const head = fileHead(path, 8);
  return MAGICS.some((magic) => head.startsWith(magic));
}

/** The first bytes, one character each; empty when the file cannot be read. */
export function fileHead(path: string, bytes: number): string {
  let file: number | undefined;
  try {
    // One without a writer (a named pipe) is not waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const buffer = Buffer.alloc(bytes);
    return buffer.toString("latin1", 0, readSync(file, buffer, 0, bytes, 0));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
