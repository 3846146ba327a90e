/** Where a variable is, by its location expression: in a frame, in a register, or at an address. */
import { Cursor } from "./cursor.ts";
import type { Info, Unit } from "./entries.ts";
import { type Base, Unfit } from "./unfit.ts";

/** By DWARF's numbers, as the kernel calls them. */
const REGISTERS = "ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15".split(" ");

const OP = {
  addr: 0x03,
  constu: 0x10,
  consts: 0x11,
  plus: 0x22,
  plusConstant: 0x23,
  firstRegister: 0x50,
  frameOffset: 0x91,
  piece: 0x93,
  frameEnd: 0x9c,
  addrx: 0xa1,
} as const;

interface Around {
  info: Info;
  unit: Unit;
  /** For what is said of it. */
  name: string;
  /** Of the frame's end from the stack pointer; nothing where that is not told. */
  frameEnd: number | undefined;
}

export function baseOf(expression: Buffer, { info, unit, name, frameEnd }: Around): Base {
  const refused = () => new Unfit(`${name} is not where a probe can read it`);
  const inFrame = (offset: number): Base => {
    if (frameEnd === undefined) throw refused();
    return { register: "%sp", offset: frameEnd + offset };
  };
  const inRegisters = registersOf(expression);
  if (inRegisters) return inRegisters;
  const cursor = new Cursor(expression, 0);
  let base: Base | undefined;
  let constant = 0;
  while (cursor.at < expression.length) {
    const op = cursor.byte();
    if (op === OP.frameOffset) base = inFrame(cursor.signed());
    else if (op === OP.frameEnd) base = inFrame(0);
    else if (op === OP.addr) base = { address: cursor.fixed(8) };
    else if (op === OP.addrx) base = { address: info.indexedAddress(unit, cursor.unsigned()) };
    else if (op === OP.consts) constant = cursor.signed();
    else if (op === OP.constu) constant = cursor.unsigned();
    else if (op === OP.plus && base !== undefined) base = moved(base, constant);
    else if (op === OP.plusConstant && base !== undefined) base = moved(base, cursor.unsigned());
    else throw refused();
  }
  if (base === undefined) throw refused();
  return base;
}

/** One alone, or several with eight bytes each. */
function registersOf(expression: Buffer): Base | undefined {
  const registers: string[] = [];
  const cursor = new Cursor(expression, 0);
  while (cursor.at < expression.length) {
    const register = REGISTERS[cursor.byte() - OP.firstRegister];
    if (register === undefined) return undefined;
    registers.push(`%${register}`);
    if (expression.length > 1 && (cursor.byte() !== OP.piece || cursor.unsigned() !== 8)) return undefined;
  }
  return registers.length > 0 ? { registers } : undefined;
}

function moved(base: Base, by: number): Base {
  if ("address" in base) return { address: base.address + by };
  return "offset" in base ? { ...base, offset: base.offset + by } : base;
}
