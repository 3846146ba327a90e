/**
 * A breakpoint on a function that is written on one line. LLDB takes the first instruction after the first line for the one where
 * arguments are in place, finds none, and stops where they are not there yet. The line's second statement is asked for by its column.
 */
import { readFileSync } from "node:fs";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command, passed } from "./ask.ts";

type Args = DebugProtocol.SetBreakpointsArguments;
type Answer = DebugProtocol.SetBreakpointsResponse["body"];

export async function setBreakpoints(args: Args, wire: Wire): Promise<Answer> {
  const answer: Answer = await passed(wire, "setBreakpoints", args);
  const suspects = oneLiners(args);
  if (suspects.size === 0) return answer;
  const columns = await Promise.all(
    answer.breakpoints.map(({ instructionReference: address }, index) =>
      address !== undefined && suspects.has(index) ? bodyColumn(wire, address) : undefined,
    ),
  );
  if (columns.every((column) => column === undefined)) return answer;
  const breakpoints = (args.breakpoints ?? []).map((one, index) => {
    const column = columns[index];
    return column === undefined ? one : { ...one, column };
  });
  const better: Answer = await passed(wire, "setBreakpoints", { ...args, breakpoints });
  // The column is ours, not one that was asked for.
  const told = better.breakpoints.map(({ column, ...one }, index) =>
    columns[index] === undefined && column !== undefined ? { ...one, column } : one,
  );
  return { ...better, breakpoints: told };
}

/** Which of the breakpoints are on lines that look like a whole function. */
function oneLiners({ source, breakpoints = [] }: Args): Set<number> {
  const found = new Set<number>();
  if (source.path === undefined || breakpoints.length === 0) return found;
  const lines = linesOf(source.path);
  breakpoints.forEach(({ line, column }, index) => {
    if (column === undefined && /\{.*\}/.test(lines[line - 1] ?? "")) found.add(index);
  });
  return found;
}

export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Of the statement after this instruction's, if the instruction is a function's first and both are on one line. */
async function bodyColumn(wire: Wire, address: string): Promise<number | undefined> {
  const first = await lookUp(wire, address);
  if (first?.start !== BigInt(address)) return undefined;
  const next = await lookUp(wire, first.end);
  return next?.start === first.start && next.line === first.line && next.column > first.column
    ? next.column
    : undefined;
}

async function lookUp(wire: Wire, address: string) {
  const said = await command(wire, `image lookup -v -a ${address}`).catch(() => "");
  const start = /^\s*Function: .*range = \[(0x[0-9a-f]+)/m.exec(said)?.[1];
  const entry = /^\s*LineEntry: \[0x[0-9a-f]+-(0x[0-9a-f]+)\): .*?:(\d+):(\d+)$/m.exec(said);
  if (start === undefined || entry?.[1] === undefined) return undefined;
  return { start: BigInt(start), end: entry[1], line: Number(entry[2]), column: Number(entry[3]) };
}
