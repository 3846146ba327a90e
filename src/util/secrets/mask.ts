/**
 * Takes secrets out of text before it is written anywhere. The same secret gets the same mask for as long as the key is the same, so that
 * two values can still be compared. What is masked never holds a quote or half an escape: JSON text stays JSON text.
 *
 * The text is passed over once. Only a few characters make it look closer, and each closer look goes no further than a fixed distance
 * unless it finds a secret: no text, however it is made, takes more time than its length.
 */
import { createHmac, randomBytes } from "node:crypto";
import { addressAt, armourAt, botTokenAt, schemeAt } from "./around.ts";
import { namedAt, optionAt } from "./named.ts";
import { SHAPE_ANCHORS, shapeAt } from "./shapes.ts";
import type { SecretSpan } from "./span.ts";

export type { SecretSpan } from "./span.ts";

export interface Masked {
  text: string;
  /** How many secrets there were. */
  masked: number;
}

/** At which characters a closer look is worth it. */
const IS_LOOKED_AT = new Uint8Array(128);
for (const char of `[:=-@Bb${SHAPE_ANCHORS}`) IS_LOOKED_AT[char.charCodeAt(0)] = 1;

const OPENING = 91; // [
const MASK = /^\[masked:[a-z-]+:[0-9a-f]{4}\]/;

/** Where secrets stand, in order, apart from each other. */
export function findSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let past = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128 || IS_LOOKED_AT[code] === 0) continue;
    if (code === OPENING) {
      at += Math.max(0, maskLength(text, at) - 1);
      continue;
    }
    const span = lookAt(text, at, code);
    if (span === undefined || span.start < past) continue;
    if (maskLength(text, span.start) === span.end - span.start) continue;
    spans.push(span);
    past = span.end;
    at = Math.max(at, past - 1);
  }
  return spans;
}

function lookAt(text: string, at: number, code: number): SecretSpan | undefined {
  switch (code) {
    case 58: // :
      return botTokenAt(text, at) ?? namedAt(text, at);
    case 61: // =
      return namedAt(text, at);
    case 64: // @
      return addressAt(text, at);
    case 45: // -
      return shapeAt(text, at) ?? armourAt(text, at) ?? optionAt(text, at);
    case 98: // b
      return schemeAt(text, at);
    case 66: // B
      return schemeAt(text, at) ?? shapeAt(text, at);
    default:
      return shapeAt(text, at);
  }
}

/** Of a mask that stands there already; 0 if there is none. */
function maskLength(text: string, at: number): number {
  if (!text.startsWith("[masked:", at)) return 0;
  return MASK.exec(text.slice(at, at + 60))?.[0].length ?? 0;
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
    for (const { start, end, kind, quote = "" } of spans) {
      parts.push(text.slice(from, start), quote, this.maskOf(text.slice(start, end), kind), quote);
      from = end;
    }
    parts.push(text.slice(from));
    return parts.join("");
  }

  maskOf(secret: string, kind: string): string {
    if (maskLength(secret, 0) === secret.length) return secret;
    const hash = createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, 4);
    return `[masked:${kind}:${hash}]`;
  }
}

let own: Masker | undefined;

/** With a key of this process. */
export function maskSecrets(text: string): Masked {
  return ownMasker().mask(text);
}

export function ownMasker(): Masker {
  own ??= new Masker();
  return own;
}
