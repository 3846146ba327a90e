/** Whether an expression writes by its look alone: what only reads must not be given to a debugger that would run it. */

/** Texts, and the arguments of calls, where `=` may name one. */
const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g;
const CALL = /([\w)\]>])\s*\([^()]*\)/g;
const ASSIGNS = /(?:^|[^=!<>~])=(?![=~>])|<<=|>>=|^\s*(?:\+\+|--)\s*[a-z_$]|[\w\])]\s*(?:\+\+|--)\s*$/i;
/** Deeper calls than anybody writes. */
const DEEPEST = 50;

export function assigns(expression: string): boolean {
  let left = expression.replace(TEXTS, '""');
  if (/^\s*lambda\b/.test(left)) return false;
  for (let round = 0; round < DEEPEST; round++) {
    const next = left.replace(CALL, "$1");
    if (next === left) break;
    left = next;
  }
  return ASSIGNS.test(left);
}
