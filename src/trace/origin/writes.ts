/** Lines that ran and gave a field a value. Pure. */
import { type Activation, isUndone } from "./activations.ts";
import { isHead, writes, writesName } from "./reading.ts";

export interface Write {
  name: string;
  function: string;
  path: string;
  line: number;
  times: number;
}

export interface Writes {
  all: Write[];
  /** Of the last of them, in the order of the run. */
  last: number;
}

const MOST = 5;

/** The last first. */
export function writesOf(
  all: readonly Activation[],
  fields: readonly string[],
  source: (path: string) => readonly string[],
): Writes {
  const found = new Map<string, Write & { seq: number }>();
  const known = new Map<string, boolean>();
  for (const one of all) {
    const lines = source(one.path);
    // In the body of a class, and in a method of C++, a field's name stands alone.
    const isBare =
      /^\s*class\b/.test(lines[one.line - 1] ?? "") || one.arguments.some(([name]) => name === "this");
    for (const [index, { line, seq }] of one.lines.entries())
      for (const name of fields) {
        const key = `${name}\0${one.path}\0${line}`;
        const text = lines[line - 1] ?? "";
        const isWrite =
          known.get(key) ?? (!isHead(text) && (writes(name, text) || (isBare && writesName(name, text))));
        known.set(key, isWrite);
        if (!isWrite || isUndone(one, index)) continue;
        const before = found.get(key);
        const times = (before?.times ?? 0) + 1;
        found.set(key, { name, function: one.function, path: one.path, line, times, seq });
      }
  }
  const latest = [...found.values()].sort((one, other) => other.seq - one.seq);
  return {
    all: latest.slice(0, MOST).map(({ seq: _, ...write }) => write),
    last: latest[0]?.seq ?? 0,
  };
}

/** What makes an object, or a class: its first value is seldom the wrong one. */
export function isMaker(name: string): boolean {
  return /(?:^|[.:#])(?:__init__|__new__|constructor|initialize)$|^new |^[\p{Lu}][\p{L}\p{N}_]*$/u.test(name);
}
