/**
 * Redaction of text that comes in parts, in bounded memory. The end of what has come is held back until more follows, for as long as a
 * secret may be; and before what is looked at stands what came before it, because a secret may be known by it.
 */
import { type Redactor, type Removals, replaced, type Span } from "./redactor.ts";

/** Nothing that is found depends on more than this after its beginning, but for words that never end. */
const HELD = 48 << 10;
/** Nor on more than this before it. */
const BEFORE = 2 << 10;
/** Looked at at once. */
const WINDOW = 256 << 10;
/** A word without an end is waited for no longer. */
const LONGEST_WORD = 4 << 20;

export class Redaction {
  readonly removals: Removals = {};
  readonly #redactor: Redactor;
  /** What was given out already, as it was. */
  #before = "";
  /** Each character is a byte. */
  #pending = "";
  /** How much of it there must be before it is looked at: a word without an end is not looked through again for each part of it. */
  #enough = WINDOW + HELD;
  /** Of a secret without an end, whose mask was given out: up to where it can end. */
  #skipping = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(bytes: Buffer): Buffer {
    this.#pending += this.#skipped(bytes.toString("latin1"));
    return this.#pending.length < this.#enough ? Buffer.alloc(0) : this.#give(false);
  }

  end(): Buffer {
    return this.#give(true);
  }

  #give(isEnd: boolean): Buffer {
    const offset = this.#before.length;
    const text = this.#before + this.#pending;
    // A span that began in what was given out is seen only because its beginning is cut off: the rest is taken out all the same.
    const spans = this.#redactor
      .spans(text)
      .filter(({ end }) => end > offset)
      .map((span): Span => ({ ...span, start: Math.max(span.start, offset) }));
    const cut = isEnd ? text.length : this.#cutIn(text, spans, offset);
    const given = spans
      .filter(({ start }) => start < cut)
      .map((span): Span => ({ ...span, start: span.start - offset, end: Math.min(span.end, cut) - offset }));
    const out = replaced(text.slice(offset, cut), given, this.removals);
    this.#before = text.slice(Math.max(0, cut - BEFORE), cut);
    this.#pending = text.slice(cut);
    this.#enough = Math.max(WINDOW + HELD, this.#pending.length * 2);
    return Buffer.from(out, "latin1");
  }

  /** Where nothing is cut through, and all before it is known. */
  #cutIn(text: string, spans: readonly Span[], offset: number): number {
    const wanted = text.length - HELD;
    const across = spans.find(({ start, end }) => start < wanted && end > wanted);
    if (across === undefined) return wanted;
    if (across.end < text.length) return across.end;
    if (text.length - across.start < LONGEST_WORD) return Math.max(across.start, offset);
    this.#skipping = true;
    return text.length;
  }

  #skipped(text: string): string {
    if (!this.#skipping) return text;
    const end = text.search(/[\s"'`]/);
    if (end === -1) return "";
    this.#skipping = false;
    return text.slice(end);
  }
}

/** The same text without what must not be in it. */
export async function* redacted(
  parts: AsyncIterable<Buffer> | Iterable<Buffer>,
  redaction: Redaction,
): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    const out = redaction.push(part);
    if (out.length > 0) yield out;
  }
  const rest = redaction.end();
  if (rest.length > 0) yield rest;
}
