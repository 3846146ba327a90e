/** What a name means at a place of the source, and where that is. */
import { readFileSync } from "node:fs";
import { AT } from "../dwarf/constants.ts";
import { Cursor } from "../dwarf/cursor.ts";
import { locationAt } from "../dwarf/lists.ts";
import { type Base, Unfit } from "../dwarf/unfit.ts";
import type { NativeCode, Scope, Variable } from "./code.ts";
import { isOptimised, isSettled } from "./optimised.ts";
import { instanceOf, type Spot } from "./places.ts";

export type Meaning =
  | { kind: "local"; variable: Variable }
  /** Not of this function: a global, a member, or nothing at all. */
  | { kind: "elsewhere" }
  /** Which of several is meant, or whether it exists yet, is not told. */
  | { kind: "unsure" };

/** As the source reads just before the line runs: the innermost that is declared above it. */
export function meaningOf(code: NativeCode, spot: Spot, { path, line }: Asked, name: string): Meaning {
  const around: Variable[] = [];
  for (let scope: Scope | undefined = spot.scope; scope; scope = scope.outer) {
    const visible = scope.variables.filter((one) => one.name === name && isDeclared(code, one, path, line));
    const best = visible.sort((a, b) => b.line - a.line)[0];
    if (best) around.push(best);
    // What is around an inlined function belongs to another frame.
    if (scope.kind !== "block") break;
  }
  const [found] = around;
  const instance = instanceOf(spot.scope);
  const others = below(instance).filter((one) => one.name === name && !around.includes(one));
  const between = others.filter((one) => isDeclared(code, one, path, line) && one.line > (found?.line ?? 0));
  if (isOptimised(code, spot.unit, instance)) {
    // Its blocks are told only in part, and some variables not at all: one that was declared in between may be meant.
    if (found === undefined || between.length > 0 || declaresBetween(code.here(path), found.line, line, name))
      return { kind: "unsure" };
    return isSettled(code, spot, found) ? { kind: "local", variable: found } : { kind: "unsure" };
  }
  if (found === undefined)
    return others.some((one) => one.line === line && code.isFile(one.path, path))
      ? { kind: "unsure" }
      : { kind: "elsewhere" };
  return found.entry.has(AT.declaration) ? { kind: "elsewhere" } : { kind: "local", variable: found };
}

/** Whether the source seems to declare the name again, after one line and up to another. */
function declaresBetween(path: string, from: number, to: number, name: string): boolean {
  const lines = sourceLines(path);
  if (lines === undefined) return from > 0;
  const again = new RegExp(`[\\w>][\\s*&]+${name}\\s*(=(?!=)|;|,|\\)|:| in )`);
  return lines.slice(from, to).some((text) => again.test(text.replace(/\breturn\b/g, "(")));
}

const sources = new Map<string, string[] | undefined>();

function sourceLines(path: string): string[] | undefined {
  if (!sources.has(path)) {
    sources.clear(); // one file at a time: a plan names few
    try {
      sources.set(path, readFileSync(path, "utf8").split("\n"));
    } catch {
      sources.set(path, undefined); // moved or gone
    }
  }
  return sources.get(path);
}

export interface Asked {
  path: string;
  line: number;
}

function isDeclared(code: NativeCode, one: Variable, path: string, line: number): boolean {
  return one.parameter || one.line === 0 || one.line < line || !code.isFile(one.path, path);
}

function below(scope: Scope): Variable[] {
  return [
    ...scope.variables,
    ...scope.lost,
    ...scope.inner.filter(({ kind }) => kind === "block").flatMap((inner) => below(inner)),
  ];
}

/** In memory or registers at an address; `through` are the offsets of pointers to be followed from there. */
export interface Where {
  base: Base;
  through: number[];
}

const REGISTERS = "ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15".split(" ");
const OP = {
  ...{ address: 0x03, dereference: 0x06, plusConstant: 0x23, register0: 0x50, base0: 0x70 },
  ...{ frameOffset: 0x91, frameEnd: 0x9c, addressIndex: 0xa1 },
} as const;

/** Nothing where it has no place; throws Unfit where it has one that a probe cannot read. */
export function whereIs(code: NativeCode, spot: Spot, { entry, name }: Variable): Where | undefined {
  const { address, unit } = spot;
  const expression = locationAt(code.info, entry, address);
  if (expression === undefined || expression.length === 0) {
    if (entry.has(AT.constValue)) throw new Unfit(`${name} is a constant here`);
    return undefined;
  }
  const refused = () => new Unfit(`${name} is not where a probe can read it`);
  const cursor = new Cursor(expression, 0);
  let base: Base | undefined;
  const through = [0];
  const moved = (by: number) => through.push((through.pop() ?? 0) + by);
  while (cursor.at < expression.length) {
    const op = cursor.byte();
    const register = REGISTERS[op - OP.base0];
    if (base !== undefined) {
      if (op === OP.dereference) through.push(0);
      else if (op === OP.plusConstant) moved(cursor.unsigned());
      else throw refused();
    } else if (op === OP.frameOffset) base = shifted(frameBase(code, spot, name), cursor.signed());
    else if (op === OP.frameEnd) base = frameEnd(code, address, name);
    else if (op === OP.address) base = { address: cursor.fixed(8) };
    else if (op === OP.addressIndex) base = { address: code.info.indexedAddress(unit, cursor.unsigned()) };
    else if (register !== undefined) base = { register: `%${register}`, offset: cursor.signed() };
    else if (expression.length === 1 && REGISTERS[op - OP.register0] !== undefined)
      base = { registers: [`%${REGISTERS[op - OP.register0]}`] };
    else throw refused();
  }
  if (base === undefined) throw refused();
  return { base, through };
}

function shifted({ register, offset }: { register: string; offset: number }, by: number): Base {
  return { register, offset: offset + by };
}

function frameBase(code: NativeCode, { scope, address }: Spot, name: string) {
  let function_: Scope = scope;
  while (function_.outer) function_ = function_.outer;
  const expression = function_.entry.block(AT.frameBase);
  const [op = 0] = expression ?? [];
  if (expression?.length === 1 && op === OP.frameEnd) return frameEnd(code, address, name);
  const register = REGISTERS[op - OP.register0];
  if (expression?.length === 1 && register !== undefined) return { register: `%${register}`, offset: 0 };
  throw new Unfit(`the debug information does not say where the frame of ${name} is`);
}

function frameEnd(code: NativeCode, address: number, name: string) {
  const row = code.frames.at(address);
  const register = row && REGISTERS[row.register];
  if (row === undefined || register === undefined)
    throw new Unfit(`the debug information does not say where the frame of ${name} ends`);
  return { register: `%${register}`, offset: row.offset };
}

const STACK_VALUE = 0x9f;

/** Its value is computed from an address as linked: LLDB takes that for where the program was loaded. */
export function isRelocated(code: NativeCode, { address }: Spot, { entry }: Variable): boolean {
  const expression = locationAt(code.info, entry, address) ?? Buffer.alloc(0);
  const [first = 0] = expression;
  return (first === OP.address || first === OP.addressIndex) && expression.at(-1) === STACK_VALUE;
}

/** Operations that reckon: abs, and, div, minus, mod, mul, neg, not, or, plus, shifts, xor and comparisons. */
const RECKONING = { from: 0x19, to: 0x2e } as const;

/**
 * It is not kept anywhere, but reckoned from what is: compilers then give the value that it has after a line also for the instructions
 * before that, so what it was when the line began is not told.
 */
export function isReckoned(code: NativeCode, { address }: Spot, { entry }: Variable): boolean {
  const expression = locationAt(code.info, entry, address) ?? Buffer.alloc(0);
  if (expression.at(-1) !== STACK_VALUE) return false;
  const cursor = new Cursor(expression, 0);
  while (cursor.at < expression.length) {
    const op = cursor.byte();
    if (op >= RECKONING.from && op <= RECKONING.to) return true;
    const skip = operandOf(op);
    if (skip === undefined) return true;
    skip(cursor);
  }
  return false;
}

/** Reads past what belongs to an operation; nothing for those that are not known here. */
function operandOf(op: number): ((cursor: Cursor) => void) | undefined {
  const fixed = FIXED_OPERANDS[op];
  if (fixed !== undefined)
    return (cursor) => {
      cursor.at += fixed;
    };
  // Constants of variable length, offsets from registers and from the frame.
  if (
    op === 0x10 ||
    op === 0x11 ||
    (op >= OP.base0 && op < 0x90) ||
    op === OP.frameOffset ||
    op === OP.addressIndex
  )
    return (cursor) => void cursor.signed();
  // Small numbers, registers, and what takes the stack as it is.
  if ((op >= 0x30 && op < 0x70) || op === OP.dereference || op === OP.frameEnd || op === STACK_VALUE)
    return () => {};
  // A register as the caller left it.
  return op === 0xa3 || op === 0xf3 ? (cursor) => cursor.skip() : undefined;
}

const FIXED_OPERANDS: Record<number, number> = {
  ...{ [OP.address]: 8, 8: 1, 9: 1, 10: 2, 11: 2, 12: 4, 13: 4, 14: 8, 15: 8 },
};
