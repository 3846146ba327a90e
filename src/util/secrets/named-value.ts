/** What stands after a secret's name, as in `"password": "x"`, `API_KEY=x`, `cookie: a=b; c=d`, `--token x`. */
import { type CharacterSet, characterSet, runEnd, runUntil } from "./characters.ts";
import type { NameKind } from "./names.ts";

export interface Found {
  start: number;
  end: number;
}

const LONGEST_QUOTED = 16_384;
/** As much of a value as decides whether it is one. */
const LOOKED_AT = 200;

const BLANKS = " \t\r\n\v\f";
const QUOTES = "\"'`\\";
/** A colour of a terminal begins. */
const ESC = String.fromCharCode(27);
/** Where a word without quotes ends. */
const WORD_END = set(BLANKS, QUOTES, ESC, ",;&<>()[]{}|");
const CREDENTIAL_END = set(BLANKS, QUOTES, ESC, ";<>()[]{}|");
const LINE_END = set("\r\n", QUOTES, ESC);
const LETTERS = characterSet("A-Za-z-");
const BLANK = set(" ");

/** Types and other words of a language that stand where a value may. */
const WORDS =
  /^(?:string|number|boolean|bool|str|int|bytes|any|object|unknown|null|nil|none|undefined|true|false|required|optional|void|never|self|this|await|new|function|return|async|type|missing|invalid|empty|unset|expired)[?!]?$/i;
const PATH = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*[?!]?$/;

function set(...parts: string[]): CharacterSet {
  const made = new Uint8Array(128);
  for (const char of parts.join("")) made[char.charCodeAt(0)] = 1;
  return made;
}

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
  const limit = Math.min(text.length, start + LONGEST_QUOTED);
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
      return end - start >= (kind === "password" ? 1 : 6) ? { start, end } : undefined;
    }
    backslashes = 0;
  }
  return undefined;
}

function unquoted(text: string, at: number, kind: NameKind, name: string, tight: boolean): Found | undefined {
  if (kind === "cookie") return cookies(text, at);
  if (kind === "authorization") return credential(text, at);
  const looked = runUntil(text, at, WORD_END, at + LOOKED_AT);
  const value = text.slice(at, looked);
  if (looked - at < LOOKED_AT && isCode(value, text[looked], name, tight)) return undefined;
  if (value.length < (kind === "password" ? 3 : 8)) return undefined;
  return { start: at, end: runUntil(text, looked, WORD_END) };
}

function isCode(value: string, next: string | undefined, name: string, tight: boolean): boolean {
  if (next === "(" || next === "[" || value === name) return true;
  if (/^[=:$%<*.~-]/.test(value) || WORDS.test(value)) return true;
  const isName = PATH.test(value) && !/\d/.test(value);
  return isName && (!tight || value.includes("."));
}

/** `session=abc; theme=dark`: all of the line. */
function cookies(text: string, at: number): Found | undefined {
  const first = runUntil(text, at, WORD_END, at + LOOKED_AT);
  return text.slice(at, first).indexOf("=") > 0
    ? { start: at, end: runUntil(text, first, LINE_END) }
    : undefined;
}

/** `Bearer abc`, `abc`: the scheme too. */
function credential(text: string, at: number): Found | undefined {
  const scheme = runEnd(text, at, LETTERS, at + 24);
  const blanks = runEnd(text, scheme, BLANK, scheme + 4);
  const from = blanks > scheme ? blanks : at;
  const end = runUntil(text, from, CREDENTIAL_END);
  return end - from >= 8 ? { start: at, end } : undefined;
}
