/** Variables of Go that have no value yet where dlv already shows one: in a declaration that goes over several lines. */
import { statSync } from "node:fs";
import { readSmallFile } from "../../util/small-file.ts";
import { type Declaring, declaring, unsetNames } from "./statements.ts";

interface Known {
  mtimeMs: number;
  statements: readonly Declaring[];
}

/** The few files that stops are in. */
const known = new Map<string, Known>();
const MOST_FILES = 8;
const MOST_BYTES = 2_000_000;

/** None where the source cannot be read. `name`: the frame's function. */
export function unsetAt(path: string | undefined, line: number, name = ""): string[] {
  if (!path?.endsWith(".go")) return [];
  return unsetNames(statementsIn(path), line, /\.func\d+(?:\.\d+)*$/.test(name));
}

/** Why an expression has no value, if that is because one of its variables has none. */
export function unsetIn(expression: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const words = expression
    .replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, "")
    .matchAll(/(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu);
  const [name] = [...words].find(([word]) => names.includes(word)) ?? [];
  return name === undefined ? undefined : `${name} has no value yet: its declaration has not run to its end`;
}

function statementsIn(path: string): readonly Declaring[] {
  try {
    const { mtimeMs } = statSync(path);
    const before = known.get(path);
    if (before?.mtimeMs === mtimeMs) return before.statements;
    const statements = declaring(readSmallFile(path, MOST_BYTES).split(/\r?\n/)) ?? [];
    if (known.size >= MOST_FILES) known.delete(known.keys().next().value ?? "");
    known.set(path, { mtimeMs, statements });
    return statements;
  } catch {
    return []; // without its source nothing is known against a value
  }
}
