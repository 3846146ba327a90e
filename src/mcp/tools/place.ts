/** A place as an action takes it: in parts, or as the one text that `breakpoints` are. */
import type { Arguments } from "../arguments.ts";

const WRITTEN = /^(?:(.+?):)?(\d+)(?::(\d+))?(?:\s+if\s+(.+))?$/s;

/** `file` or `location` as `file:line[:column][ if expr]`, taken apart; what is said in parts stays as it is. */
export function placed(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { location, ...rest } = given;
  const text = location ?? rest.file;
  if ((location !== undefined && rest.file !== undefined) || typeof text !== "string") return { ...given };
  const [, file, line, column, condition] = WRITTEN.exec(text.trim()) ?? [];
  // A bare number is a line only where a place is asked for.
  if (line === undefined || rest.line !== undefined || (file === undefined && location === undefined))
    return location === undefined ? { ...given } : { ...rest, file: location };
  const { file: _, ...others } = rest;
  return {
    ...(condition === undefined ? {} : { condition }),
    ...others,
    ...(file === undefined ? {} : { file }),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

/** Without a file: a line of the one that the program is stopped in. */
export function locationOf({ file, line, column }: Arguments): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
