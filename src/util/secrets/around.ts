/** Secrets that are known by what stands around them: schemes of headers, addresses, keys in armour. */
import { characterSet, isIn, isWordStart, runEnd, WORD } from "./characters.ts";
import type { SecretSpan } from "./span.ts";

const BEARER = characterSet("A-Za-z0-9._~+/=-");
const BASE64 = characterSet("A-Za-z0-9+/=");
const SCHEME = /(?:bearer|basic) {1,4}/iy;
const LOOKED_AT = 1024;

/** `at`: a `B` or `b`. `Bearer x` and `Basic x`, in a header or anywhere else. */
export function schemeAt(text: string, at: number): SecretSpan | undefined {
  const next = text.charCodeAt(at + 1) | 32;
  if (next !== 101 && next !== 97) return undefined;
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  const start = at + scheme.length;
  const isBearer = next === 101;
  const looked = runEnd(text, start, isBearer ? BEARER : BASE64, start + LOOKED_AT);
  const value = text.slice(start, looked);
  if (isBearer ? !isToken(value) : !isUserAndPassword(value)) return undefined;
  return {
    start,
    end: runEnd(text, looked, isBearer ? BEARER : BASE64),
    kind: isBearer ? "bearer" : "basic",
  };
}

/** Words follow `bearer` in sentences too. */
function isToken(value: string): boolean {
  return value.length >= 12 && (/\d/.test(value) || value.length >= 24);
}

function isUserAndPassword(value: string): boolean {
  if (value.length < 8) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"));
}

/** No part of a user or a password in an address. */
const NOT_IN_ADDRESS = characterSet("\0- /@\"'\\<>`{}");
const LONGEST_LOGIN = 400;

/** `at`: an `@`. The password in `scheme://user:password@host`. */
export function addressAt(text: string, at: number): SecretSpan | undefined {
  if (!isIn(WORD, text.charCodeAt(at + 1)) && text.charCodeAt(at + 1) !== 91) return undefined;
  const least = Math.max(0, at - LONGEST_LOGIN);
  let start = at;
  while (start > least && !isIn(NOT_IN_ADDRESS, text.charCodeAt(start - 1))) start -= 1;
  if (!text.startsWith("://", start - 3)) return undefined;
  const colon = text.indexOf(":", start);
  const hasPassword = colon !== -1 && colon + 1 < at && text.charCodeAt(colon + 1) !== 36; // $PASSWORD
  return hasPassword ? { start: colon + 1, end: at, kind: "url-password" } : undefined;
}

const TELEGRAM_LENGTH = 35;

/** `at`: a `:`. The number of a bot and its key: `123456789:AA…`. */
export function botTokenAt(text: string, at: number): SecretSpan | undefined {
  if (text.charCodeAt(at + 1) !== 65 || text.charCodeAt(at + 2) !== 65) return undefined;
  const end = runEnd(text, at + 1, WORD, at + 1 + TELEGRAM_LENGTH);
  if (end - at - 1 < TELEGRAM_LENGTH) return undefined;
  let start = at;
  while (start > at - 10 && /\d/.test(text[start - 1] ?? "")) start -= 1;
  return at - start >= 8 && isWordStart(text, start) ? { start, end, kind: "telegram-token" } : undefined;
}

const ARMOUR_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const ARMOUR_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const LONGEST_KEY = 32_768;

/** `at`: the first `-` of `-----BEGIN … PRIVATE KEY-----`. Without its end, all that may belong to it. */
export function armourAt(text: string, at: number): SecretSpan | undefined {
  if (text.charCodeAt(at + 5) !== 66) return undefined;
  ARMOUR_BEGIN.lastIndex = at;
  const begin = ARMOUR_BEGIN.exec(text)?.[0];
  if (begin === undefined) return undefined;
  const body = armourBodyEnd(text, at + begin.length);
  ARMOUR_END.lastIndex = body;
  const end = ARMOUR_END.exec(text)?.[0];
  return { start: at, end: body + (end?.length ?? 0), kind: "private-key" };
}

/** Up to a quote, an escape that is no line break, or two dashes. */
function armourBodyEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + LONGEST_KEY);
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === 34 || code === 39 || code === 96) break;
    if (code === 45 && text.charCodeAt(at + 1) === 45) break;
    if (code !== 92) {
      at += 1;
      continue;
    }
    let after = at;
    while (after < limit && text.charCodeAt(after) === 92) after += 1;
    if (!/[nrt/]/.test(text[after] ?? "")) break;
    at = after + 1;
  }
  return Math.min(at, text.length);
}
