/** Whether a program is Rust, and what its compiler brings to show Rust's values. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Where } from "../adapter.ts";
import { probe, toolOnPath } from "../kit/find.ts";

const known = new Map<string, boolean>();

/**
 * Every Rust executable holds the path of the standard library it was compiled with, in its panic messages and debug
 * information, as `/rustc/<commit>/library`.
 */
export function isRust(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return false;
  const key = `${path}|${stat.mtimeMs}|${stat.size}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = holds(path, Buffer.from("/rustc/"));
  known.set(key, found);
  return found;
}

const CHUNK = 1 << 20;
/** The constants of an executable are near its beginning; debug information after them may be a gigabyte. */
const MOST = 64 << 20;

function holds(path: string, text: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const buffer = Buffer.alloc(CHUNK + text.length);
    for (let at = 0; at < MOST; at += CHUNK) {
      const read = readSync(file, buffer, 0, buffer.length, at);
      if (buffer.subarray(0, read).includes(text)) return true;
      if (read < buffer.length) return false;
    }
    return false;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** rustc's own formatters for LLDB, as commands; none without a rustc. */
export async function rustFormatters(where: Where): Promise<string[]> {
  const rustc = toolOnPath("rustc", where);
  if (rustc === undefined) return [];
  const sysroot = (await probe(rustc, ["--print", "sysroot"], where.env))?.split("\n")[0]?.trim();
  if (!sysroot) return [];
  const folder = join(sysroot, "lib/rustlib/etc");
  const lookup = join(folder, "lldb_lookup.py");
  const commands = join(folder, "lldb_commands");
  if (!existsSync(lookup) || !existsSync(commands)) return [];
  return [`command script import "${lookup}"`, `command source -s 0 "${commands}"`];
}
