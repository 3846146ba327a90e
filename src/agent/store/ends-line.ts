/** Whether what is in a file ends with a whole line. */
import { readSync } from "node:fs";

const NEWLINE = 10;

/** Of the first `size` bytes. */
export function endsLine(file: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}
