/** Types of Go by their entries: as far as a probe can fetch their values, or follow them to one. */
import { AT, TAG } from "../dwarf/constants.ts";
import type { Entry, Info } from "../dwarf/entries.ts";

export type GoType =
  | { kind: "int"; name: string; size: number; signed: boolean; offset: number }
  | { kind: "bool"; name: string; size: 1 }
  | { kind: "float"; name: string; size: 4 | 8 }
  | { kind: "string"; name: string }
  | { kind: "pointer"; name: string; to: number | undefined }
  | { kind: "slice"; name: string; element: number }
  | { kind: "array"; name: string; element: number; count: number }
  | { kind: "struct"; name: string; offset: number }
  /** Maps, channels, functions and interfaces: a word that is zero, or not. */
  | { kind: "nilable"; name: string }
  | { kind: "other"; name: string };

/** Go's own numbers for its kinds (reflect.Kind). */
const KIND = { uintptr: 12, chan: 18, func: 19, interface: 20, map: 21, slice: 23, string: 24 } as const;
const ENCODING = { bool: 2, float: 4, signed: 5, unsigned: 7 } as const;
const NILABLE: ReadonlySet<number> = new Set([KIND.chan, KIND.func, KIND.interface, KIND.map]);

export function typeAt(info: Info, offset: number): GoType {
  const entry = info.at(offset);
  const name = entry.text(AT.name) ?? "";
  const kind = entry.number(AT.goKind);
  if (entry.has(AT.goDictionaryIndex)) return { kind: "other", name: "type parameter" };
  if (kind !== undefined && NILABLE.has(kind)) return { kind: "nilable", name };
  switch (entry.tag) {
    case TAG.typedef: {
      const to = entry.reference(AT.type);
      return to === undefined ? { kind: "other", name } : typeAt(info, to);
    }
    case TAG.baseType:
      return basic(entry, name);
    case TAG.pointerType:
      return { kind: "pointer", name, to: entry.reference(AT.type) };
    case TAG.arrayType:
      return array(info, entry, name);
    case TAG.structureType: {
      const element = entry.reference(AT.goElement);
      if (kind === KIND.string) return { kind: "string", name };
      if (kind === KIND.slice && element !== undefined) return { kind: "slice", name, element };
      return { kind: "struct", name, offset };
    }
    default:
      return { kind: "other", name };
  }
}

function basic(entry: Entry, name: string): GoType {
  const [encoding, size] = [entry.number(AT.encoding), entry.number(AT.byteSize)];
  if (encoding === ENCODING.bool && size === 1) return { kind: "bool", name, size };
  if (encoding === ENCODING.float && (size === 4 || size === 8)) return { kind: "float", name, size };
  const whole = encoding === ENCODING.signed || encoding === ENCODING.unsigned;
  if (whole && size !== undefined && [1, 2, 4, 8].includes(size))
    return { kind: "int", name, size, signed: encoding === ENCODING.signed, offset: entry.offset };
  return { kind: "other", name };
}

function array(info: Info, entry: Entry, name: string): GoType {
  const element = entry.reference(AT.type);
  const [range] = info.tree(entry.offset).children;
  const count = range?.entry.number(AT.count);
  if (element === undefined || count === undefined) return { kind: "other", name };
  return { kind: "array", name, element, count };
}

/** In bytes; nothing where it is not told. */
export function sizeAt(info: Info, offset: number): number | undefined {
  const entry = info.at(offset);
  const size = entry.number(AT.byteSize);
  if (size !== undefined) return size;
  if (entry.tag === TAG.pointerType || entry.tag === TAG.subroutineType) return 8;
  const to = entry.tag === TAG.typedef ? entry.reference(AT.type) : undefined;
  return to === undefined ? undefined : sizeAt(info, to);
}

export interface Member {
  name: string;
  offset: number;
  type: number;
  embedded: boolean;
}

export function membersOf(info: Info, offset: number): Member[] {
  return info.tree(offset).children.flatMap(({ entry }) => {
    const [name, type] = [entry.text(AT.name), entry.reference(AT.type)];
    if (entry.tag !== TAG.member || name === undefined || type === undefined) return [];
    const embedded = (entry.number(AT.goEmbedded) ?? 0) !== 0;
    return [{ name, type, offset: entry.number(AT.memberLocation) ?? 0, embedded }];
  });
}

export interface Constant {
  name: string;
  value: bigint;
}

const CONSTANTS: ReadonlySet<number> = new Set([TAG.constant]);

/** So few are sorted by Go without mixing up those that are equal. */
const ORDERED = 12;

/**
 * The constants of a named type, in the whole program, by value: dlv shows values by their names. Nothing where it is not told which
 * of two that are equal dlv would take.
 */
export function constantsOf(info: Info, type: { name: string; offset: number }): Constant[] | undefined {
  if (!type.name.includes(".") || type.name.startsWith("C.")) return [];
  const home = `${type.name.slice(0, type.name.indexOf(".", type.name.lastIndexOf("/") + 1))}.`;
  const found: Constant[] = [];
  for (const unit of info.units)
    for (const entry of info.top(unit, CONSTANTS)) {
      if (entry.reference(AT.type) !== type.offset) continue;
      const [name = "", value] = [entry.text(AT.name), entry.whole(AT.constValue)];
      if (value === undefined) return undefined;
      found.push({ name: name.startsWith(home) ? name.slice(home.length) : name, value });
    }
  const values = new Set(found.map((one) => one.value));
  if (values.size < found.length && found.length > ORDERED) return undefined;
  return found.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
}
