/** The values of attributes, by their forms. */

import { FORM } from "./constants.ts";
import type { Cursor } from "./cursor.ts";
import { Unfit } from "./unfit.ts";

/** Numbers are offsets in the unit, indexes of a table or plain, as the form says; large ones that have a sign are whole. */
export type Value = number | bigint | string | Buffer;

const SIZES: Record<number, 1 | 2 | 3 | 4 | 8> = {
  [FORM.addr]: 8,
  [FORM.data1]: 1,
  [FORM.data2]: 2,
  [FORM.data4]: 4,
  [FORM.data8]: 8,
  [FORM.flag]: 1,
  [FORM.strp]: 4,
  [FORM.refAddr]: 4,
  [FORM.ref1]: 1,
  [FORM.ref2]: 2,
  [FORM.ref4]: 4,
  [FORM.ref8]: 8,
  [FORM.sectionOffset]: 4,
  [FORM.lineStrp]: 4,
  [FORM.refSig8]: 8,
  [FORM.strx1]: 1,
  [FORM.strx2]: 2,
  [FORM.strx3]: 3,
  [FORM.strx4]: 4,
  [FORM.addrx1]: 1,
  [FORM.addrx2]: 2,
  [FORM.addrx3]: 3,
  [FORM.addrx4]: 4,
};

const UNSIGNED: ReadonlySet<number> = new Set([
  ...[FORM.udata, FORM.refUdata, FORM.strx, FORM.addrx, FORM.loclistx, FORM.rnglistx],
]);

export function readForm(cursor: Cursor, form: number, implicit: number): Value {
  const size = SIZES[form];
  if (size !== undefined) return cursor.fixed(size);
  if (UNSIGNED.has(form)) return cursor.unsigned();
  switch (form) {
    case FORM.string:
      return cursor.text();
    case FORM.sdata: {
      const value = cursor.signedWhole();
      return value === BigInt(Number(value)) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    case FORM.flagPresent:
      return 1;
    case FORM.implicit:
      return implicit;
    case FORM.data16:
      return cursor.bytes(16);
    default:
      return cursor.bytes(blockSize(cursor, form));
  }
}

export function skipForm(cursor: Cursor, form: number): void {
  const size = SIZES[form];
  if (size !== undefined) cursor.at += size;
  else if (UNSIGNED.has(form) || form === FORM.sdata) while (cursor.byte() >= 0x80);
  else if (form === FORM.string) cursor.at = cursor.data.indexOf(0, cursor.at) + 1;
  else if (form === FORM.data16) cursor.at += 16;
  else if (form !== FORM.flagPresent && form !== FORM.implicit) {
    const length = blockSize(cursor, form);
    cursor.at += length;
  }
}

function blockSize(cursor: Cursor, form: number): number {
  switch (form) {
    case FORM.block1:
      return cursor.fixed(1);
    case FORM.block2:
      return cursor.fixed(2);
    case FORM.block4:
      return cursor.fixed(4);
    case FORM.block:
    case FORM.expression:
      return cursor.unsigned();
    default:
      throw new Unfit(`its debug information has a form that sonde cannot read (${form})`);
  }
}
