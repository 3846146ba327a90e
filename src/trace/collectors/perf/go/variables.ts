/** What a name means at a place, by dlv's rules; and the way along a path from there. */

import { AT, TAG } from "../../../dwarf/constants.ts";
import { locationAt } from "../../../dwarf/lists.ts";
import { baseOf } from "../../../dwarf/location.ts";
import { type Code, packageOf } from "../../../go/code.ts";
import type { Spot } from "../../../go/places.ts";
import { localEntry } from "../../../go/scope.ts";
import { type GoType, membersOf, sizeAt, typeAt } from "../../../go/types.ts";
import { type Base, Unfit } from "../language.ts";
import type { Path, Step } from "./expression.ts";

/** The stack pointer, by DWARF's number. */
const STACK_POINTER = 7;

/** A value in memory, as in Reach. */
export interface Found {
  root: string;
  base: Base;
  hops: number[];
  type: GoType | { kind: "length" };
  within: { hops: number[]; index: number }[];
}

export function follow(code: Code, spot: Spot, { root, steps }: Path): Found {
  const local = localAt(code, spot, root);
  if (local) return along(code, local, steps);
  const home = packageOf(spot.function.name);
  const own = globalIn(code, home, root);
  if (own) return along(code, own, steps);
  const [first, ...rest] = steps;
  const other = first?.op === "." ? globalIn(code, root, first.name) : undefined;
  if (other === undefined) throw new Unfit(`${root} is not a variable here`);
  return along(code, other, rest);
}

function localAt(code: Code, spot: Spot, name: string): Found | undefined {
  const entry = localEntry(code, spot, name);
  if (entry === undefined) return undefined;
  if (/-range\d+/.test(spot.function.name))
    throw new Unfit(`${name} is in the body of a range over a function`);
  if (entry.has(AT.goClosureOffset) && spot.address <= prologueEnd(code, spot))
    throw new Unfit(`${name} is captured, and is not yet in its final place at this line`);
  const [type, location] = [entry.reference(AT.type), locationAt(code.info, entry, spot.address)];
  if (type === undefined || location === undefined) throw new Unfit(`${name} has no location at this line`);
  const around = { info: code.info, unit: entry.unit, name, frameEnd: frameEnd(code, spot) };
  const found = { root: name, base: baseOf(location, around), hops: [0], within: [] };
  if (entry.text(AT.name) === name) return { ...found, type: typeAt(code.info, type) };
  // It has escaped to the heap: what is here is its address.
  const pointer = typeAt(code.info, type);
  if (pointer.kind !== "pointer" || pointer.to === undefined) throw new Unfit(`${name} is nowhere`);
  return { ...found, hops: [0, 0], type: typeAt(code.info, pointer.to) };
}

function prologueEnd(code: Code, { function: one }: Spot): number {
  return code.rows(one).find((row) => row.prologueEnd)?.address ?? one.from;
}

function frameEnd(code: Code, { address }: Spot): number | undefined {
  const row = code.frames.at(address);
  return row?.register === STACK_POINTER ? row.offset : undefined;
}

const VARIABLES: ReadonlySet<number> = new Set([TAG.variable]);

/** Of a package by its path, or by the last part of it where that is one alone. */
function globalIn(code: Code, home: string, name: string): Found | undefined {
  const named = code.packages.filter((one) => one.name === home);
  const holding = named.length > 0 ? named : code.packages.filter((one) => one.name.endsWith(`/${home}`));
  if (new Set(holding.map((one) => one.name)).size > 1)
    throw new Unfit(`there is more than one package ${home}`);
  for (const one of holding)
    for (const entry of code.info.top(one.unit, VARIABLES)) {
      if (entry.text(AT.name) !== `${one.name}.${name}`) continue;
      const [type, location] = [entry.reference(AT.type), entry.block(AT.location)];
      if (type === undefined || location === undefined) throw new Unfit(`${name} has no location`);
      const base = baseOf(location, { info: code.info, unit: one.unit, name, frameEnd: undefined });
      return { root: name, base, hops: [0], within: [], type: typeAt(code.info, type) };
    }
  return undefined;
}

function along(code: Code, start: Found, steps: readonly Step[]): Found {
  return steps.reduce((found, step) => next(code, found, step), start);
}

function next(code: Code, found: Found, step: Step): Found {
  switch (step.op) {
    case "*":
      return dereferenced(code, found);
    case ".": {
      const holder = found.type.kind === "pointer" ? dereferenced(code, found) : found;
      const member = memberOf(code, holder, step.name);
      if (member === undefined) throw new Unfit(`${step.name} is not a field of ${found.root}`);
      return member;
    }
    case "[]":
      return element(code, found, step.index);
    case "len":
    case "cap":
      return length(found, step.op);
  }
}

function dereferenced({ info }: Code, found: Found): Found {
  const { type, hops, root } = found;
  if (type.kind !== "pointer" || type.to === undefined) throw new Unfit(`${root} is not a pointer`);
  return { ...found, hops: [...hops, 0], type: typeAt(info, type.to) };
}

function added(hops: readonly number[], offset: number): number[] {
  return hops.with(-1, (hops.at(-1) ?? 0) + offset);
}

/** Also of what is embedded, the shallowest first. */
function memberOf(code: Code, holder: Found, name: string): Found | undefined {
  let level = [holder];
  for (let depth = 0; depth < 8 && level.length > 0; depth++) {
    const deeper: Found[] = [];
    const found: Found[] = [];
    for (const one of level) {
      if (one.type.kind !== "struct") continue;
      for (const member of membersOf(code.info, one.type.offset)) {
        const type = typeAt(code.info, member.type);
        const reached: Found = { ...one, hops: added(one.hops, member.offset), type };
        if (member.name === name) found.push(reached);
        else if (member.embedded)
          deeper.push(type.kind === "pointer" ? dereferenced(code, reached) : reached);
      }
    }
    if (found.length > 1) throw new Unfit(`there is more than one ${name} in ${holder.root}`);
    if (found[0]) return found[0];
    level = deeper;
  }
  return undefined;
}

function element({ info }: Code, found: Found, index: number): Found {
  const { type, hops, within, root } = found;
  if (type.kind !== "array" && type.kind !== "slice")
    throw new Unfit(`${root} is neither an array nor a slice`);
  const size = sizeAt(info, type.element);
  if (size === undefined || size === 0) throw new Unfit(`the elements of ${root} have no size`);
  const reached = { ...found, type: typeAt(info, type.element) };
  if (type.kind === "slice")
    return {
      ...reached,
      hops: [...hops, index * size],
      within: [...within, { hops: added(hops, LENGTH), index }],
    };
  if (index >= type.count) throw new Unfit(`${root} has ${type.count} elements`);
  return { ...reached, hops: added(hops, index * size) };
}

/** In a slice or a text: after the pointer. */
const LENGTH = 8;
const CAPACITY = 16;

function length(found: Found, op: "len" | "cap"): Found {
  const { kind } = found.type;
  if (kind !== "slice" && !(kind === "string" && op === "len"))
    throw new Unfit(`${op} of ${found.root} is not a number in memory`);
  return { ...found, hops: added(found.hops, op === "len" ? LENGTH : CAPACITY), type: { kind: "length" } };
}
