/**
 * Where a line begins: the addresses at which it counts as hit. In each function, and in each copy of one that was inlined, that is the
 * first instruction of its first statement, with the arguments in their places.
 */

import { AT } from "../dwarf/constants.ts";
import { Cursor } from "../dwarf/cursor.ts";
import type { Unit } from "../dwarf/entries.ts";
import type { NativeCode, Piece, Scope } from "./code.ts";

export interface Spot {
  address: number;
  /** Where the program then stands: another line where only a function's entry was asked for. */
  line: number;
  unit: Unit;
  /** The innermost. */
  scope: Scope;
}

export interface Spots {
  /** Whether the program has code of the file at all. */
  known: boolean;
  spots: Spot[];
  /** Where there is none: lines with code, the nearest. */
  nearest: number[];
}

const NEAREST = 4;

export function spotsOf(code: NativeCode, path: string, line: number): Spots {
  const units = code.unitsWith(path);
  const spots: Spot[] = [];
  const lines = new Set<number>();
  for (const unit of units) {
    const own = code.pieces(unit).filter((one) => one.line > 0 && code.isFile(one.path, path));
    for (const one of own) if (one.statement) lines.add(one.line);
    spots.push(
      ...entries(
        code,
        unit,
        own.filter((one) => one.line === line && (one.statement || beginsCopy(code, unit, one))),
      ),
    );
  }
  const near = [...lines].sort((a, b) => Math.abs(a - line) - Math.abs(b - line) || a - b);
  return {
    known: lines.size > 0,
    spots: spots.sort((a, b) => a.address - b.address),
    nearest: near.slice(0, NEAREST).sort((a, b) => a - b),
  };
}

/** Of two copies of a function that follow each other the line table does not mark the second as the beginning of a statement. */
function beginsCopy(code: NativeCode, unit: Unit, { from }: Piece): boolean {
  const scope = code.scopeAt(unit, from);
  const instance = scope && instanceOf(scope);
  return instance?.kind === "inlined" && instance.ranges[0]?.from === from;
}

/** One for each function, or copy of one. */
function entries(code: NativeCode, unit: Unit, pieces: Piece[]): Spot[] {
  const firsts = new Map<Scope, Piece>();
  for (const piece of pieces) {
    const scope = code.scopeAt(unit, piece.from);
    const instance = scope && instanceOf(scope);
    if (instance && !firsts.has(instance)) firsts.set(instance, piece);
  }
  return [...firsts].flatMap(([instance, piece]): Spot[] => {
    const begin = afterPrologue(code, unit, instance, piece);
    const scope = code.scopeAt(unit, begin.from);
    return scope ? [{ address: begin.from, line: begin.line, unit, scope }] : [];
  });
}

export function instanceOf(scope: Scope): Scope {
  let one = scope;
  while (one.kind === "block" && one.outer) one = one.outer;
  return one;
}

/** Of a line that is a function's first: where its arguments have been put where its debug information says they are. */
function afterPrologue(code: NativeCode, unit: Unit, instance: Scope, piece: Piece): Piece {
  const start = instance.ranges[0]?.from;
  if (instance.kind !== "function" || piece.from !== start) return piece;
  const own = code
    .pieces(unit)
    .filter(({ from }) => instance.ranges.some((range) => from >= range.from && from < range.to));
  const told = own.find(({ prologueEnd }) => prologueEnd);
  if (told) return told;
  // Compilers that do not mark its end begin the next piece of the table there.
  return storesArguments(instance) ? (own.find(({ from }) => from > piece.from) ?? piece) : piece;
}

const FRAME_OFFSET = 0x91;

/** They are in the function's own frame from beginning to end: its first instructions put them there. */
function storesArguments({ variables }: Scope): boolean {
  return variables.some(({ parameter, entry }) => {
    const location = entry.block(AT.location);
    return parameter && location?.[0] === FRAME_OFFSET && new Cursor(location, 1).signed() < 0;
  });
}
