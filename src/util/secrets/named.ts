/** Secrets that are known by the name before them. */
import { CharacterPairs, characterSet, isIn } from "./characters.ts";
import { afterColour, escapesEnd, escapesStart } from "./escapes.ts";
import { namedValue } from "./named-value.ts";
import { type NameKind, secretName } from "./names.ts";
import type { SecretSpan } from "./span.ts";

const IDENTIFIER = characterSet("A-Za-z0-9_.-");
/** How all secret names end, so that most others need no closer look. */
const ENDS = new CharacterPairs(
  "ue lt on ie rd wd se de et ey en al ls ng ss in th at sn ds ON IE RD WD SE DE ET EY EN AL LS NG SS IN TH AT LT SN DS",
);
/** Values of JSON text that are no strings. */
const LITERAL_START = characterSet("0-9tfn{[-");
const LONGEST_NAME = 60;
const MOST_BLANKS = 8;
const MOST_ESCAPES = 16;

/** `at`: a `:` or a `=`. */
export function namedAt(text: string, at: number): SecretSpan | undefined {
  const end = nameEnd(text, at);
  if (end < 3 || !ENDS.has(text.charCodeAt(end - 2), text.charCodeAt(end - 1))) return undefined;
  const own = text.slice(nameStart(text, end), end);
  const name = VALUE.test(own) ? nameBeside(text, end) : own;
  const kind = secretName(name);
  if (kind === undefined) return undefined;
  // Tests pass too: `PASS: test/login.js`.
  const isOfTests = /^pass$/i.test(name);
  const sign = text.charCodeAt(at) === 61 && text.charCodeAt(at + 1) === 62 ? at + 1 : at; // =>
  const from = escapesEnd(text, skipBlanks(text, sign + 1));
  if (isOfTests && !/["'`\\]/.test(text[from] ?? "")) return undefined;
  const quote = quoteAfter(text, end);
  const startsPlain = isIn(LITERAL_START, text.charCodeAt(from));
  if (quote !== undefined && startsPlain)
    return kind === "password" ? numberAt(text, from, quote) : undefined;
  return span(text, from, kind, name, from === sign + 1);
}

/** What a field is called whose name stands in another one: `{"name": "password", "value": "x"}`. */
const VALUE = /^(?:value|result)$/;
const BESIDE = ["name", "evaluateName", "key", "expression", "variable", "at"].map((key) => `"${key}`);
const NAMED = /"\w+\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"([^"{}]{3,80})"/y;
const MOST_BESIDE = 400;

/** In an object as debuggers and lists of headers write it; empty if there is none before it. */
function nameBeside(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - MOST_BESIDE), end);
  const object = before.slice(before.lastIndexOf("{") + 1);
  for (const key of BESIDE) {
    const at = object.lastIndexOf(key);
    if (at === -1) continue;
    NAMED.lastIndex = at;
    const name = NAMED.exec(object)?.[1];
    // `config.password`, `user['password']`
    const last = name?.split(/[.\s[]/).at(-1) ?? "";
    if (secretName(last) !== undefined) return last;
  }
  return "";
}

/** Words of a command line stand apart, or in a list of JSON text: `["--password", "x"]`. */
const OPTION = /--?[A-Za-z][\w-]{1,60}(?=([ \t]{1,4})|((\\{0,8}["'])\s{0,4},\s{0,40})\3)/y;

/** `at`: the first `-` of an option whose value is the next word: `--password x`. */
export function optionAt(text: string, at: number): SecretSpan | undefined {
  const before = text.charCodeAt(at - 1);
  if (isIn(IDENTIFIER, before) || before === 45) return undefined;
  OPTION.lastIndex = at;
  const found = OPTION.exec(text);
  if (found === null) return undefined;
  const [name, blanks = "", between = "", quote = ""] = found;
  const kind = secretName(name);
  if (kind === undefined) return undefined;
  const from = escapesEnd(text, at + name.length + blanks.length + between.length);
  // The next word may be an option too.
  if (between !== "" && text.charCodeAt(from + quote.length) === 45) return undefined;
  return span(text, from, kind, name, true);
}

/** A double quote with its escapes: what it closes is a key of JSON text. */
function quoteAfter(text: string, end: number): string | undefined {
  let at = end;
  while (at < end + MOST_ESCAPES && text.charCodeAt(at) === 92) at += 1;
  return text.charCodeAt(at) === 34 ? text.slice(end, at + 1) : undefined;
}

const NUMBER = /\d{4,40}(?=[\s,}])/y;

function numberAt(text: string, at: number, quote: string): SecretSpan | undefined {
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  return number === undefined ? undefined : { start: at, end: at + number.length, kind: "password", quote };
}

function span(text: string, from: number, kind: NameKind, name: string, tight: boolean) {
  const value = namedValue(text, from, kind, name, tight);
  return value && { ...value, kind: kind === "key" ? kindOfKey(name) : kind };
}

function kindOfKey(name: string): string {
  return /token$/i.test(name) ? "token" : /key$/i.test(name) ? "key" : "secret";
}

/** Before the sign there may be blanks, a bracket, and a quote with its escapes. */
function nameEnd(text: string, sign: number): number {
  let end = escapesStart(text, sign);
  const first = text.charCodeAt(end - 1);
  // The usual case: a quote or the name itself.
  if (first === 32 || first === 9) {
    const least = end - MOST_BLANKS;
    while (end > least && isBlank(text.charCodeAt(end - 1))) end -= 1;
    end = escapesStart(text, end);
  }
  if (text.charCodeAt(end - 1) === 93) end -= 1; // ]
  const quote = text.charCodeAt(end - 1);
  if (quote === 34 || quote === 39 || quote === 96) {
    end -= 1;
    const least = end - MOST_ESCAPES;
    while (end > least && text.charCodeAt(end - 1) === 92) end -= 1;
    end = escapesStart(text, end);
  }
  return Math.max(end, 0);
}

function nameStart(text: string, end: number): number {
  const least = Math.max(0, end - LONGEST_NAME);
  let start = end;
  while (start > least && isIn(IDENTIFIER, text.charCodeAt(start - 1))) start -= 1;
  return afterColour(text, start);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function skipBlanks(text: string, at: number): number {
  let from = at;
  while (from < at + MOST_BLANKS && isBlank(text.charCodeAt(from))) from += 1;
  return from;
}
