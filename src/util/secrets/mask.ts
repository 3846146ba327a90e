/**
 * Takes secrets out of text before it is written anywhere. The same secret gets the same mask for as long as the key is the same, so that
 * two values can still be compared. What is masked never holds a quote or half an escape: JSON text stays JSON text.
 */
import { createHmac, randomBytes } from "node:crypto";
import { namedValue } from "./named-value.ts";
import { LAST_WORDS, secretName } from "./names.ts";
import { ANY_SHAPE, acceptsShape, SHAPE_KINDS } from "./shapes.ts";

export interface Masked {
  text: string;
  /** How many secrets there were. */
  masked: number;
}

export interface SecretSpan {
  start: number;
  end: number;
  kind: string;
}

const NAME_AND_SIGN = new RegExp(
  `(?:${LAST_WORDS})(?:\\\\{0,16}["'\`]?\\]?[ \\t]{0,8}(?:=>|[:=])[ \\t]{0,8}|[ \\t]{1,4})`,
  "gi",
);
const IDENTIFIER = /[A-Za-z0-9_.-]/;
const LONGEST_IDENTIFIER = 60;
const MASK = /^\[masked:[a-z-]+:[0-9a-f]{4}\]/;

/** Where secrets stand, in order, apart from each other. */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < 4) return [];
  const named = findNamed(text);
  const shaped = findShapes(text);
  if (named.length === 0 || shaped.length === 0) return named.length === 0 ? shaped : named;
  return merge([...named, ...shaped].sort((a, b) => a.start - b.start));
}

function findShapes(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const found of text.matchAll(new RegExp(ANY_SHAPE, "g"))) {
    const index = found.findIndex((group, at) => at > 0 && group !== undefined) - 1;
    const [value] = found;
    if (!acceptsShape(index, value)) continue;
    spans.push({
      start: found.index,
      end: found.index + value.length,
      kind: SHAPE_KINDS[index] ?? "secret",
    });
  }
  return spans;
}

function findNamed(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let past = 0;
  for (const found of text.matchAll(NAME_AND_SIGN)) {
    const at = found.index;
    if (at < past) continue;
    const [whole] = found;
    const signEnd = at + whole.length;
    const word = /^[A-Za-z_ -]+?(?=[^A-Za-z_-]|$)/.exec(whole)?.[0] ?? "";
    const name = identifierBefore(text, at) + word;
    const kind = secretName(name);
    if (kind === undefined) continue;
    const hasSign = /[:=]/.test(whole);
    if (!hasSign && !/^--?[A-Za-z]/.test(name)) continue;
    const tight = !hasSign || !/[ \t]$/.test(whole);
    const value = namedValue(text, signEnd, kind, name, tight);
    if (value === undefined || isMask(text, value.start)) continue;
    spans.push({ ...value, kind: kind === "key" ? kindOfKey(name) : kind });
    past = value.end;
  }
  return spans;
}

function identifierBefore(text: string, at: number): string {
  let start = at;
  const least = Math.max(0, at - LONGEST_IDENTIFIER);
  while (start > least && IDENTIFIER.test(text[start - 1] ?? "")) start -= 1;
  return text.slice(start, at);
}

function kindOfKey(name: string): string {
  return /token$/i.test(name) ? "token" : /key$/i.test(name) ? "key" : "secret";
}

function isMask(text: string, at: number): boolean {
  return text.startsWith("[masked:", at) && MASK.test(text.slice(at, at + 60));
}

/** Where two overlap, they are one, under the name of the longer. */
function merge(sorted: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push({ ...span });
      continue;
    }
    if (span.end - span.start > last.end - last.start) last.kind = span.kind;
    last.end = Math.max(last.end, span.end);
  }
  return merged;
}

export class Masker {
  readonly #key: Buffer;

  constructor(key: Buffer = randomBytes(32)) {
    this.#key = key;
  }

  mask(text: string): Masked {
    const spans = findSecrets(text);
    return { text: this.replace(text, spans), masked: spans.length };
  }

  replace(text: string, spans: readonly SecretSpan[]): string {
    if (spans.length === 0) return text;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, kind } of spans) {
      parts.push(text.slice(from, start), this.maskOf(text.slice(start, end), kind));
      from = end;
    }
    parts.push(text.slice(from));
    return parts.join("");
  }

  maskOf(secret: string, kind: string): string {
    if (MASK.test(secret)) return secret;
    const hash = createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, 4);
    return `[masked:${kind}:${hash}]`;
  }
}

let own: Masker | undefined;

/** With a key of this process. */
export function maskSecrets(text: string): Masked {
  own ??= new Masker();
  return own.mask(text);
}
