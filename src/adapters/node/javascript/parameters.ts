/** The names a function's parameters bind, by its text: V8 lists them among the other locals. Pure. */
import type { Pattern } from "acorn";
import { identifiersIn, OPTIONS, parsed, tokenizer } from "./parse.cjs";

/** Longer lists than this are not worth the search. */
const REACH = 4000;

/** A function is stopped in again and again. */
const known = new Map<string, string[] | undefined>();
const KEPT = 100;

/** `text` from where V8 says that the function begins: mostly its bracket. Undefined if it does not look like a function. */
export function parameterNames(text: string): string[] | undefined {
  const start = text.slice(0, REACH);
  if (known.has(start)) return known.get(start);
  const names = namesIn(start);
  if (known.size >= KEPT) known.clear();
  known.set(start, names);
  return names;
}

/** The body is left out: it may be cut off, and what it holds is not asked for. */
function namesIn(text: string): string[] | undefined {
  const lone = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(text)?.[1];
  if (lone !== undefined) return [lone];
  const head = /^(?:async\b\s*)?(?:function\b\s*\*?\s*[\p{ID_Continue}$]*\s*)?(?=\()/u.exec(text)?.[0];
  if (head === undefined) return undefined;
  const list = bracketed(text.slice(head.length));
  const [statement] = (list === undefined ? undefined : parsed(`function f${list}{}`, "script"))?.body ?? [];
  if (statement?.type !== "FunctionDeclaration") return undefined;
  return statement.params.flatMap((one: Pattern) => [...identifiersIn(one)].map(({ name }) => name));
}

/** Up to the bracket that closes the first, if a body follows. */
function bracketed(text: string): string | undefined {
  let depth = 0;
  let end: number | undefined;
  try {
    for (const { type, end: at } of tokenizer(text, OPTIONS)) {
      if (end !== undefined)
        return type.label === "{" || type.label === "=>" ? text.slice(0, end) : undefined;
      if (/[([{]$/.test(type.label)) depth++;
      else if (/^[)\]}]$/.test(type.label) && --depth === 0) end = at;
    }
  } catch {
    // It ends in the middle of a token, or is not JavaScript.
  }
  return undefined;
}
