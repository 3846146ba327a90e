/** Breakpoints of one line as the one that dlv takes. */
import type { DebugProtocol } from "@vscode/debugprotocol";

type Wanted = DebugProtocol.SourceBreakpoint;

export interface Group {
  line: number;
  /** Which of the wanted ones are sent as one. */
  indexes: number[];
  refused: { index: number; message: string }[];
}

/** By line. Whoever was there first stays; a hit count or a log message is dlv's one breakpoint's, and so nobody else's. */
export function group(wanted: readonly Wanted[], lineOf: (one: Wanted) => number): Group[] {
  const groups = new Map<number, Group>();
  for (const [index, one] of wanted.entries()) {
    const line = lineOf(one);
    const here = groups.get(line) ?? { line, indexes: [], refused: [] };
    groups.set(line, here);
    const first = wanted[here.indexes[0] ?? index] ?? one;
    const why = first === one ? undefined : apart(first, one);
    if (why === undefined) here.indexes.push(index);
    else here.refused.push({ index, message: why });
  }
  return [...groups.values()];
}

/** Why the second cannot be joined to the first. */
function apart(first: Wanted, second: Wanted): string | undefined {
  const what =
    first.hitCondition || second.hitCondition
      ? "a hit count"
      : first.logMessage !== second.logMessage || (first.logMessage && first.condition !== second.condition)
        ? "a log message"
        : undefined;
  return what && `delve allows one breakpoint per line: ${what} cannot be combined with another one there`;
}

export function joined(line: number, members: readonly Wanted[]): Wanted {
  const [first, ...others] = members;
  if (first === undefined || others.length === 0) return { ...first, line };
  const { condition: _, ...rest } = first;
  const conditions = [...new Set(members.map(({ condition }) => condition ?? ""))];
  if (conditions.includes("")) return { ...rest, line };
  const condition =
    conditions.length === 1 ? conditions[0] : conditions.map((one) => `(${one})`).join(" || ");
  return { ...rest, line, ...(condition === undefined ? {} : { condition }) };
}
