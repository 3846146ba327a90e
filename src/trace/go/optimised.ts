/**
 * Which variables of optimised Go code have a value that can be trusted. Its debug information says where the variable's last value is,
 * which is not always the one that the source means at a line; of a variable that is set only once there is no other.
 */
import { readFileSync } from "node:fs";
import { AT, TAG } from "../dwarf/constants.ts";
import type { Entry } from "../dwarf/entries.ts";
import { locationAt } from "../dwarf/lists.ts";
import type { Code, GoFunction, Package } from "./code.ts";
import type { Spot } from "./places.ts";
import { localEntry } from "./scope.ts";
import { typeAt } from "./types.ts";

export function isOptimised({ producer }: Package): boolean {
  return !/(^|[\s;])-N\b/.test(producer);
}

/** A number that is set once in a call, and has a place at the line. */
export function isSettled(code: Code, spot: Spot, name: string, path: string): boolean {
  const entry = localEntry(code, spot, name);
  if (entry?.text(AT.name) !== name || isResult(entry) || !isNumber(code, entry)) return false;
  if ((locationAt(code.info, entry, spot.address)?.length ?? 0) === 0) return false;
  const body = bodyOf(code, spot.function, path);
  return body !== undefined && isSetOnce(body, name, entry.tag === TAG.formalParameter);
}

const RESULT = 0x4b;

/** Named results are among the parameters, and are set by a return. */
function isResult(entry: Entry): boolean {
  return (entry.number(RESULT) ?? 0) !== 0;
}

/** What is shown of others is read from memory, which may not have been written yet. */
function isNumber({ info }: Code, entry: Entry): boolean {
  const type = entry.reference(AT.type);
  return type !== undefined && ["int", "bool", "float"].includes(typeAt(info, type).kind);
}

interface Body {
  signature: string;
  inside: string;
}

/** A function's source, without comments and texts. */
function bodyOf(code: Code, one: GoFunction, path: string): Body | undefined {
  const first = code.lineAt(one, one.from)?.line;
  const text = first === undefined ? undefined : plainText(path);
  if (text === undefined || first === undefined) return undefined;
  const rest = text
    .split("\n")
    .slice(first - 1)
    .join("\n");
  const opening = /^\s*func\b[^\n]*\{|^\s*func\b[^{}]*\)\s*[\w.*[\]]*\s*\{/.exec(rest)?.[0];
  if (opening === undefined) return undefined;
  const begin = rest.indexOf("{");
  const end = closing(rest, begin);
  return end === undefined
    ? undefined
    : { signature: rest.slice(0, begin), inside: rest.slice(begin + 1, end) };
}

function plainText(path: string): string | undefined {
  try {
    const blank = (text: string) => text.replace(/[^\n]/g, " ");
    return readFileSync(path, "utf8").replace(
      /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\[^\n']*'|[^'\\\n]')/g,
      blank,
    );
  } catch {
    return undefined; // moved or gone
  }
}

function closing(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return undefined;
}

/** Functions within may set it, and jumps may go back to before it was set. */
const OTHERS = /\b(func|goto)\b/;

function isSetOnce({ signature, inside }: Body, name: string, parameter: boolean): boolean {
  if (OTHERS.test(inside)) return false;
  if (new RegExp(`&\\s*\\(*\\s*${name}\\b`).test(inside)) return false;
  const all = [...inside.matchAll(setting(name))];
  if (parameter) return all.length === 0 && occurrences(signature, name) === 1;
  const [only, ...more] = all;
  // In a loop it is set in each round.
  return only !== undefined && more.length === 0 && !/\bfor\b/.test(inside.slice(0, only.index));
}

function occurrences(text: string, name: string): number {
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length;
}

/** Declared, assigned to, alone or in a list, or counted. */
function setting(name: string): RegExp {
  const one = `(?<![\\w.])${name}\\s*`;
  const assigned = `${one}(?:,[^=;{}\\n]*)?(?::=|(?:[-+*/%|^]|&\\^?|<<|>>)?=(?!=))`;
  return new RegExp(`${assigned}|${one}(?:\\+\\+|--)|\\b(?:var|const)\\s[^=;\\n]*\\b${name}\\b`, "g");
}
