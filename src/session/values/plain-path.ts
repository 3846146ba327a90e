/**
 * Expressions that can only look: `counter`, `&a.b[3]`, `p->next->x`, `*p`, `$rsp`, `ns::f`, `main.(*T).Method`. No call, no
 * assignment, no operator that adds or compares. Pure.
 */

export interface PlainPath {
  /** Parts of it that `[]`, `->` or `*` is applied to: where a language lets programs define those, their types decide. */
  opened: string[];
}

const NAME = String.raw`[\p{L}_$@][\p{L}\p{N}_$]*(?:<[\w\s:,*&]*>)?`;
const QUALIFIED = new RegExp(String.raw`(?:::)?${NAME}(?:::(?:~?${NAME}|\d+))*`, "uy");
const MEMBER = new RegExp(String.raw`\s*(\.|->)\s*(?:${NAME}|\d+|\(\*?${NAME}\))`, "uy");
const INDEX = new RegExp(String.raw`\s*\[\s*(?:\d+|0x[\da-fA-F]+|${NAME})\s*\]`, "uy");
const CAST =
  /\(\s*(?:(?:const|volatile|unsigned|signed|struct|enum|union|class)\s+)*[\w:]+(?:\s+[\w:]+)*\s*\*[\s*]*\)\s*/y;
const NUMBER = /0x[\da-f]+|\d+/iy;

/** Undefined for everything else. */
export function plainPath(text: string): PlainPath | undefined {
  const opened: string[] = [];
  const end = operand(text, skip(text, 0), opened, 0);
  return end !== undefined && skip(text, end) === text.length ? { opened } : undefined;
}

const DEEPEST = 20;

/** Where it ends. */
function operand(text: string, from: number, opened: string[], depth: number): number | undefined {
  if (depth > DEEPEST) return undefined;
  const prefix = text[from];
  if (prefix === "&" || prefix === "*") {
    const start = skip(text, from + 1);
    const end = operand(text, start, opened, depth + 1);
    if (end !== undefined && prefix === "*") opened.push(text.slice(start, end));
    return end;
  }
  const cast = at(CAST, text, from);
  if (cast !== undefined) {
    const number = at(NUMBER, text, cast);
    return number ?? operand(text, cast, opened, depth + 1);
  }
  return postfix(text, from, opened, depth);
}

function postfix(text: string, from: number, opened: string[], depth: number): number | undefined {
  let end = primary(text, from, opened, depth);
  while (end !== undefined) {
    const member = at(MEMBER, text, end);
    const next = member ?? at(INDEX, text, end);
    if (next === undefined) return end;
    if (member === undefined || text.slice(end, member).trim().startsWith("->"))
      opened.push(text.slice(from, end));
    end = next;
  }
  return undefined;
}

function primary(text: string, from: number, opened: string[], depth: number): number | undefined {
  if (text[from] !== "(") return at(QUALIFIED, text, from);
  const inner = operand(text, skip(text, from + 1), opened, depth + 1);
  const close = inner === undefined ? -1 : skip(text, inner);
  return text[close] === ")" ? close + 1 : undefined;
}

function at(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skip(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** Pointers, arrays, slices and references to them: what `[]`, `->` and `*` do with these is the language's own, and only reads. */
export function isOpenable(type: string): boolean {
  const plain = type.replace(/\b(const|volatile|mut|restrict|__restrict)\b/g, "").trim();
  return /[*\]]\s*&{0,2}$/.test(plain) || /^(\*|&|\[|map\[)/.test(plain);
}
