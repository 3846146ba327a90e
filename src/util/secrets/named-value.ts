/** What stands after a secret's name, as in `"password": "x"`, `API_KEY=x`, `cookie: a=b; c=d`, `--token x`. */
import type { NameKind } from "./names.ts";

export interface Found {
  start: number;
  end: number;
}

const LONGEST_VALUE = 16_384;
/** Types and other words of a language that stand where a value may. */
const WORDS =
  /^(?:string|number|boolean|bool|str|int|bytes|any|object|unknown|null|nil|none|undefined|true|false|required|optional|void|never|self|this|await|new|function|return|async|type|missing|invalid|empty|unset|expired)[?!]?$/i;
const PATH = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*[?!]?$/;
const UNQUOTED = /[^\s"'`\\,;&<>()[\]{}|]+/y;
const CREDENTIAL = /(?:[A-Za-z][A-Za-z-]{2,20} +)?[^\s"'`\\,;<>()[\]{}|]{8,}/y;
const COOKIES = /[^\s"'`\\,;=<>()[\]{}|]{1,256}=[^\r\n"'`\\]*/y;

/**
 * `at`: where the value begins, after `:` or `=` and blanks. `name`: what it is the value of. `tight`: no blank stands before it, as in
 * an environment or a query.
 */
export function namedValue(
  text: string,
  at: number,
  kind: NameKind,
  name: string,
  tight: boolean,
): Found | undefined {
  let escapes = 0;
  while (escapes < 16 && text.charCodeAt(at + escapes) === 92) escapes += 1;
  const quote = text[at + escapes];
  const isQuoted = quote === '"' || quote === "'" || quote === "`";
  if (isQuoted) return quoted(text, at + escapes + 1, quote, escapes, kind);
  return escapes > 0 ? undefined : unquoted(text, at, kind, name, tight);
}

/** Up to the same quote with as many escapes before it: JSON text may stand in a string of JSON text, and that in another. */
function quoted(
  text: string,
  start: number,
  quote: string,
  escapes: number,
  kind: NameKind,
): Found | undefined {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  const code = quote.charCodeAt(0);
  let backslashes = 0;
  for (let at = start; at < limit; at++) {
    const char = text.charCodeAt(at);
    if (char === 10) return undefined;
    if (char === 92) {
      backslashes += 1;
      continue;
    }
    if (char === code && (backslashes % (2 * escapes + 2) === escapes || backslashes < escapes)) {
      const end = at - Math.min(backslashes, escapes);
      const least = kind === "password" ? 1 : 6;
      return end - start >= least ? { start, end } : undefined;
    }
    backslashes = 0;
  }
  return undefined;
}

function unquoted(text: string, at: number, kind: NameKind, name: string, tight: boolean): Found | undefined {
  if (kind === "cookie") return match(COOKIES, text, at);
  if (kind === "authorization") return match(CREDENTIAL, text, at);
  const found = match(UNQUOTED, text, at);
  if (found === undefined) return undefined;
  const value = text.slice(found.start, Math.min(found.end, found.start + 200));
  const next = text[found.end];
  const isCode =
    next === "(" || next === "[" || /^[=:$%<*.~-]/.test(value) || WORDS.test(value) || value === name;
  if (isCode) return undefined;
  const isName = PATH.test(value) && !/\d/.test(value);
  if (isName && (!tight || value.includes("."))) return undefined;
  return value.length >= (kind === "password" ? 3 : 8) ? found : undefined;
}

function match(pattern: RegExp, text: string, at: number): Found | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : { start: at, end: at + found[0].length };
}
