/**
 * Finds functions by name in JavaScript text: where their bodies begin. V8 can break on a function object, but a function
 * does not exist before its code runs, and by then it is too late to stop in its first call.
 */
import type { Point } from "../debug/source-map.ts";
import { withoutComments } from "./code-text.ts";

/** What may stand between a name and its function: esbuild's name keeper, brackets. */
const WRAPPED = String.raw`(?:(?:[\w$]+\.)?__name\w*\(\s*|\(\s*)?`;
const FUNCTION = String.raw`(?:async\s+)?function\b\s*\*?\s*[\w$]*\s*`;

/** Body starts of every function called `name`: `total`, `Acc.add`, `Acc.prototype.add`, `obj.method`. */
export function findFunctions(source: string, name: string): Point[] {
  const parts = name
    .trim()
    .split(".")
    .filter((part) => part !== "" && part !== "prototype");
  const last = parts.pop();
  if (last === undefined) return [];
  if (!source.includes(last)) return [];
  const text = withoutComments(source);
  const owner = parts.at(-1);
  const offsets = owner === undefined ? anywhere(text, last) : ownedBy(text, owner, last);
  return [...new Set(offsets)].sort((a, b) => a - b).map((offset) => pointAt(source, offset));
}

function anywhere(text: string, name: string): number[] {
  return [...declared(text, name), ...assigned(text, name), ...methods(text, name)];
}

function declared(text: string, name: string): number[] {
  return bodies(text, new RegExp(String.raw`\bfunction\b\s*\*?\s*${escaped(name)}\s*(?=\()`, "g"));
}

/** `name = function (`, `name: async (a) =>`, `name = x =>`. */
function assigned(text: string, name: string): number[] {
  const before = String.raw`(?<![\w$])${escaped(name)}\s*(?:=(?!=)|:)\s*${WRAPPED}`;
  return [
    ...bodies(text, new RegExp(`${before}${FUNCTION}(?=\\()`, "g")),
    ...bodies(text, new RegExp(`${before}(?:async\\s*)?(?=\\()`, "g"), true),
    ...bodies(text, new RegExp(`${before}(?:async\\s+)?[\\w$]+\\s*(?==>)`, "g"), true),
  ];
}

/** `name(a) {` as it stands in a class or an object. */
function methods(text: string, name: string): number[] {
  const pattern = new RegExp(
    String.raw`(?<![\w$.])(?<!\bfunction\b\s*\*?\s*)(?<!\bnew\s+)${escaped(name)}\s*(?=\()`,
    "g",
  );
  return bodies(text, pattern).filter((offset) => text[offset - 1] === "{");
}

function ownedBy(text: string, owner: string, name: string): number[] {
  const own = escaped(owner);
  const opens = [
    new RegExp(String.raw`\bclass\s+${own}\b[^{]*\{`, "g"),
    new RegExp(String.raw`(?<![\w$])${own}\s*(?:=(?!=)|:)\s*${WRAPPED}class\b[^{]*\{`, "g"),
    new RegExp(String.raw`(?<![\w$])${own}\s*(?:=(?!=)|:)\s*\(?\{`, "g"),
  ];
  const found: number[] = [];
  for (const open of opens)
    for (const match of text.matchAll(open)) {
      const start = match.index + match[0].length;
      const end = closing(text, start - 1) ?? text.length;
      const body = ownLevel(text.slice(start, end));
      const inside = [...assigned(body, name), ...methods(body, name)];
      found.push(...inside.map((offset) => start + offset));
    }
  const later = new RegExp(String.raw`(?<![\w$])${own}(?:\.prototype)?\.(?=${escaped(name)}\s*=(?!=))`, "g");
  for (const match of text.matchAll(later)) {
    const start = match.index + match[0].length;
    const first = assigned(text.slice(start), name)[0];
    if (first !== undefined) found.push(start + first);
  }
  return found;
}

/** A class body with the insides of its members' bodies blanked, so that only its own names are seen. */
function ownLevel(body: string): string {
  let depth = 0;
  let out = "";
  for (const char of body) {
    if (char === "}") depth--;
    out += depth > 0 && char !== "\n" ? " " : char;
    if (char === "{") depth++;
  }
  return out;
}

/** From each match, over the parameters, to the first character of the body. */
function bodies(text: string, pattern: RegExp, mustBeArrow = false): number[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    let at = match.index + match[0].length;
    if (text[at] === "(") {
      const end = closing(text, at);
      if (end === undefined) return [];
      at = end + 1;
    }
    at = skipSpace(text, at);
    const isArrow = text.startsWith("=>", at);
    if (isArrow) at = skipSpace(text, at + 2);
    if (mustBeArrow && !isArrow) return [];
    if (text[at] === "{") return [at + 1];
    return isArrow ? [at] : [];
  });
}

const PAIRS: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** Index of the bracket that closes the one at `open`. */
function closing(text: string, open: number): number | undefined {
  const stack: string[] = [];
  for (let i = open; i < text.length; i++) {
    const char = text[i] ?? "";
    const close = PAIRS[char];
    if (close !== undefined) stack.push(close);
    else if (char === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return i;
    }
  }
  return undefined;
}

function skipSpace(text: string, at: number): number {
  let to = at;
  while (/\s/.test(text[to] ?? "")) to++;
  return to;
}

function pointAt(source: string, offset: number): Point {
  const before = source.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, column: offset - (before.lastIndexOf("\n") + 1) };
}

const escaped = (name: string): string => name.replace(/[$#]/g, "\\$&");
