/** Colours of a terminal around a name or a value, as they are and as JSON text writes them: `ESC[31mtoken ESC[0m: x`. */

const ESC = String.fromCharCode(27);
const SEQUENCE = `(?:${ESC}|\\\\{1,8}(?:u001[bB]|x1[bB]|033|e))\\[[\\d;]{0,12}m`;
const ENDING = new RegExp(`(?:${SEQUENCE}){1,4}$`);
const BEGINNING = new RegExp(`(?:${SEQUENCE}){1,4}`, "y");
/** Of four, in JSON text that is in JSON text. */
const LONGEST = 80;
const LAST = 109; // m

/** Where those that end at `end` begin. */
export function escapesStart(text: string, end: number): number {
  if (text.charCodeAt(end - 1) !== LAST) return end;
  // The usual case: a word that ends in this letter.
  const before = text.charCodeAt(end - 2);
  if (before !== 91 && !(before >= 48 && before <= 57)) return end;
  return end - (ENDING.exec(text.slice(Math.max(0, end - LONGEST), end))?.[0].length ?? 0);
}

/** Where those that begin at `start` end. */
export function escapesEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first !== 27 && first !== 92) return start;
  BEGINNING.lastIndex = start;
  return start + (BEGINNING.exec(text)?.[0].length ?? 0);
}

/** `start`: of a name before which a colour may stand without a blank: its last characters look like a part of the name. */
export function afterColour(text: string, start: number): number {
  const before = text.charCodeAt(start - 1);
  if (before !== 91 && before !== 59) return start; // [ ;
  const colour = /^\d{0,3}m/.exec(text.slice(start, start + 4))?.[0].length ?? 0;
  return escapesStart(text, start + colour) < start ? start + colour : start;
}
