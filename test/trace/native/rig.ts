/** Native programs, recorded by each collector and compared. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import type { Point } from "../../../src/trace/plan.ts";
import type { Binding, PointHit, RunEnd } from "../../../src/trace/record.ts";
import { builtFolder, builtOnce, type Language } from "../../support/builds.ts";
import { marker } from "../../support/markers.ts";
import { launching, planOf, type Recorded, recorded } from "../support.ts";

export const hasGdb = spawnSync("gdb", ["-nx", "-batch", "-ex", "python print(1)"]).status === 0;
export const GDB = hasGdb ? ["gdb"] : [];
/** Those that run inside a debugger. */
export const INSIDE = ["lldb", ...GDB];

const EXTENSIONS: Record<Language, string> = { c: ".c", cpp: ".cpp", rust: ".rs", go: ".go" };

export interface Program {
  program: string;
  source: string;
}

export function fixture(language: Language, name: string): Program {
  const program = join(builtFolder(language), name);
  return { program, source: program + EXTENSIONS[language] };
}

/** A program of the test's own, in a folder that it shares with others: nobody may write there. */
export function compiled(file: string, text: string, compiler: string[]): Program {
  const [command = "", ...flags] = compiler;
  const folder = builtOnce(file, text, [command, "-g", ...flags, "-o", "program", file]);
  return { program: join(folder, "program"), source: join(folder, file) };
}

export function at(
  { source }: Program,
  name: string,
  expressions: string[],
  more: Partial<Point> = {},
): Point {
  const line = marker(source, name);
  return { key: `${name}`, path: source, line, expressions, ...more };
}

export function run(
  collector: string,
  { program, source }: Program,
  points: Point[],
  more: { args?: string[]; stdin?: Buffer; frames?: number; valueChars?: number } = {},
): Promise<Recorded> {
  const { args = [], stdin, ...plan } = more;
  const opening = launching({ program, args, cwd: join(source, "..") });
  return recorded("lldb", opening, planOf(points, plan), {
    collector,
    ...(stdin === undefined ? {} : { stdin }),
  });
}

/** What must be the same whoever recorded it: everything but times, and addresses, which a system may choose anew. */
export interface Essence {
  hits: Omit<PointHit, "ms">[];
  counts: number[];
  bindings: Binding[];
  end: RunEnd;
}

export function essence({ points, counts, bindings, end }: Recorded): Essence {
  const hits = points.map(({ ms: _ms, ...hit }) => ({ ...hit, values: hit.values.map(withoutAddresses) }));
  return { hits, counts, bindings, end };
}

export function withoutAddresses(value: string): string {
  return value.replace(/0x[0-9a-f]{8,16}\b/g, (address) => (/^0x0+$/.test(address) ? "null" : "0x…"));
}

/** lldb-dap opens no value for longer than ten milliseconds, which its first may take; a recorder takes the time it needs. */
export function expectSame(plain: Essence, other: Essence): void {
  const hits = other.hits.map((hit, index) => ({
    ...hit,
    values: hit.values.map((value, at) => {
      const reference = plain.hits[index]?.values[at] ?? "";
      return isCutShort(reference, value) ? reference : value;
    }),
  }));
  expect({ ...other, hits }).toEqual(plain);
}

/** `{x:4, ...}` or, when there was no time for any of it, the address of a pointer or the name of a type. */
function isCutShort(reference: string, value: string): boolean {
  const [, before = ""] = /^(.*?)\{.+\}$/s.exec(value) ?? [];
  const begun = /^(.*\{.*?)(?:, )?\.\.\.\}$/s.exec(reference)?.[1];
  if (begun !== undefined) return value.startsWith(begun);
  return (
    value.endsWith("}") && (before === "" ? /^[\w:<>, ]+$/.test(reference) : reference === before.trim())
  );
}
