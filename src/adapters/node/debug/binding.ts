/** What became of a line breakpoint, in words. Pure. */

/** `lines 4, 9 and 12`, the nearest to the line asked for; 0-based in, 1-based out. */
export function nearestLines(lines: number[], line: number, count = 3): string {
  const near = [...lines].sort((a, b) => Math.abs(a - line) - Math.abs(b - line)).slice(0, count);
  const shown = near.sort((a, b) => a - b).map((one) => one + 1);
  if (shown.length === 0) return "the file has no code";
  if (shown.length === 1) return `the nearest line with code is ${shown[0]}`;
  return `the nearest lines with code are ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

export function movedMessage(asked: number, bound: number): string | undefined {
  return asked === bound ? undefined : `line ${asked + 1} holds no code; bound to line ${bound + 1}`;
}

export type Forecast =
  | { kind: "failed"; message: string }
  | { kind: "pending"; line: number; message: string };

/** What to say of a file that is not loaded: `lines` are those that can hold a breakpoint. */
export function forecast(line: number, lines: number[], exact: boolean): Forecast {
  const next = lines.find((candidate) => candidate >= line);
  if (next === undefined)
    return { kind: "failed", message: `no code at or after line ${line + 1}; ${nearestLines(lines, line)}` };
  if (next === line) return { kind: "pending", line, message: "pending: not loaded yet" };
  const word = exact ? "will bind" : "will probably bind";
  return {
    kind: "pending",
    line: next,
    message: `pending: not loaded yet; line ${line + 1} holds no code, ${word} to line ${next + 1}`,
  };
}
