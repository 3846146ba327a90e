/** Which functions are at an address of a file, those that were inlined there first: by llvm-symbolizer, or by addr2line. */
import { spawn } from "node:child_process";
import type { Where } from "../../../../adapters/adapter.ts";
import { toolOnPath, toolVersioned } from "../../../../adapters/kit/find.ts";
import { ElfFile } from "../../../../adapters/native/elf-file.ts";

export interface Place {
  name: string;
  file?: string;
  /** Where the function begins, if that is known. */
  start?: number;
  line?: number;
}

/** By `file offset`, the innermost first. */
export type Places = ReadonlyMap<string, Place[]>;

export interface Address {
  file: string;
  /** In the file; of a caller one less than where it goes on, which may be another line. */
  offset: number;
}

const LONGEST_MS = 60_000;
const MOST_BYTES = 256 << 20;

export function keyOf({ file, offset }: Address): string {
  return `${offset} ${file}`;
}

/** Those that are known; of the others what perf says has to do. */
export async function placesOf(
  addresses: readonly Address[],
  where: Where,
  signal: AbortSignal,
): Promise<Places> {
  const files = new Map<string, ElfFile | undefined>();
  const asked = addresses.flatMap((one) => {
    const linked = linkedAddress(one, files);
    return linked === undefined ? [] : [{ ...one, linked }];
  });
  if (asked.length === 0) return new Map();
  const symbolizer = toolVersioned(["llvm-symbolizer"], where);
  if (symbolizer !== undefined) {
    const found = await bySymbolizer(symbolizer, asked, signal);
    if (found.size > 0) return found;
  }
  const tool = toolOnPath("addr2line", where);
  return tool === undefined ? new Map() : byAddr2line(tool, asked, signal);
}

interface Asked extends Address {
  /** As linked. */
  linked: number;
}

function linkedAddress(
  { file, offset }: Address,
  files: Map<string, ElfFile | undefined>,
): number | undefined {
  if (!file.startsWith("/")) return undefined;
  if (!files.has(file)) files.set(file, ElfFile.open(file));
  const elf = files.get(file);
  const segment = elf?.segments.find((one) => offset >= one.offset && offset < one.offset + one.size);
  return segment === undefined ? undefined : offset - segment.offset + segment.address;
}

async function bySymbolizer(tool: string, asked: readonly Asked[], signal: AbortSignal): Promise<Places> {
  const input = asked.map(({ file, linked }) => `"${file}" 0x${linked.toString(16)}\n`).join("");
  const output = await answer(tool, ["--output-style=JSON", "--demangle", "--inlines"], input, signal);
  const places = new Map<string, Place[]>();
  for (const [at, line] of output.split("\n").entries()) {
    const one = asked[at];
    if (!one || line === "") continue;
    const found = symbolsIn(line);
    if (found.length > 0) places.set(keyOf(one), found);
  }
  return places;
}

interface Symbolized {
  FunctionName?: string;
  FileName?: string;
  StartFileName?: string;
  StartLine?: number;
  Line?: number;
}

function symbolsIn(line: string): Place[] {
  let said: { Symbol?: Symbolized[] };
  try {
    said = JSON.parse(line) as typeof said;
  } catch {
    return []; // an older one that writes otherwise
  }
  return (said.Symbol ?? []).flatMap(({ FunctionName, FileName, StartLine, Line }) =>
    FunctionName ? [placeOf(FunctionName, FileName ?? "", StartLine ?? 0, Line ?? 0)] : [],
  );
}

function placeOf(name: string, file: string, start: number, line: number): Place {
  return {
    // The hash that Rust puts behind a name tells readers nothing.
    name: name.replace(/::h[0-9a-f]{16}$/, ""),
    ...(file === "" || file.startsWith("??") ? {} : { file }),
    ...(start > 0 ? { start } : {}),
    ...(line > 0 ? { line } : {}),
  };
}

async function byAddr2line(tool: string, asked: readonly Asked[], signal: AbortSignal): Promise<Places> {
  const byFile = new Map<string, Asked[]>();
  for (const one of asked) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  const places = new Map<string, Place[]>();
  for (const [file, all] of byFile) {
    const input = all.map(({ linked }) => `0x${linked.toString(16)}\n`).join("");
    const output = await answer(tool, ["-C", "-f", "-i", "-a", "-e", file], input, signal);
    const answers = output.split(/^0x[0-9a-f]+\n/m).slice(1);
    for (const [at, text] of answers.entries()) {
      const one = all[at];
      const found = pairsIn(text);
      if (one && found.length > 0) places.set(keyOf(one), found);
    }
  }
  return places;
}

/** A function and its place, each on a line of its own. */
function pairsIn(text: string): Place[] {
  const lines = text.trimEnd().split("\n");
  const places: Place[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = "??", place = ""] = [lines[at], lines[at + 1]];
    const [, file = "", line = "0"] = /^(.*?):(\d+|\?)/.exec(place) ?? [];
    if (name !== "??") places.push(placeOf(name, file, 0, Number(line) || 0));
  }
  return places;
}

/** What it says to that; as far as it came if it takes too long. */
function answer(tool: string, args: readonly string[], input: string, signal: AbortSignal): Promise<string> {
  return new Promise((done) => {
    const child = spawn(tool, args, {
      stdio: ["pipe", "pipe", "ignore"],
      cwd: "/",
      timeout: LONGEST_MS,
      signal,
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes <= MOST_BYTES) parts.push(part);
    });
    child.stdin.on("error", () => {}); // it has gone: what it said is what there is
    child.on("error", () => done(Buffer.concat(parts).toString("utf8")));
    child.on("close", () => done(Buffer.concat(parts).toString("utf8")));
    child.stdin.end(input);
  });
}
