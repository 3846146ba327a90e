/** Lines that may have code, by the look of them: which do, the binary knows. */
import { readFileSync } from "node:fs";

/** As many as a long declaration between two functions has. */
const MOST = 40;
const NOTHING = /^\s*(\/\/.*)?$/;

export function linesAfter(path: string, line: number): number[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    const numbers = lines.slice(line).map((text, index) => ({ text, number: line + 1 + index }));
    return numbers
      .filter(({ text }) => !NOTHING.test(text))
      .slice(0, MOST)
      .map(({ number }) => number);
  } catch {
    return []; // not on this machine
  }
}
