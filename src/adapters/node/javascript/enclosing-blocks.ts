/** Which `try` and `finally` blocks a point of a function lies in, by its text: V8 does not say. */
import { withoutComments } from "./code-text.ts";

interface Block {
  open: number;
  word: "try" | "finally" | "other";
}

/** `text` from the function's first character on; `offset` counts from there. */
export function isInsideTry(text: string, offset: number): boolean {
  if (!text.includes("catch")) return false;
  const plain = withoutComments(text);
  return blocksAt(plain, offset).some(({ word, open }) => word === "try" && hasCatch(plain, open));
}

export function isInsideFinally(text: string, offset: number): boolean {
  const before = text.slice(0, Math.max(0, offset));
  if (!before.includes("finally")) return false;
  return blocksAt(withoutComments(before), offset).some(({ word }) => word === "finally");
}

function blocksAt(plain: string, offset: number): Block[] {
  const open: Block[] = [];
  const end = Math.min(offset, plain.length);
  for (let i = 0; i < end; i++) {
    if (plain[i] === "{") open.push({ open: i, word: wordBefore(plain, i) });
    else if (plain[i] === "}") open.pop();
  }
  return open;
}

function wordBefore(plain: string, at: number): Block["word"] {
  const word = /\b(try|finally)\s*$/.exec(plain.slice(Math.max(0, at - 20), at))?.[1];
  return word === "try" || word === "finally" ? word : "other";
}

function hasCatch(plain: string, open: number): boolean {
  let depth = 0;
  for (let i = open; i < plain.length; i++) {
    if (plain[i] === "{") depth++;
    else if (plain[i] === "}" && --depth === 0) return /^\s*catch\b/.test(plain.slice(i + 1, i + 40));
  }
  return false;
}
