/**
 * What the program printed, kept within limits. The head and the tail survive; what fell out of the middle is counted.
 * Every event has an absolute cursor, so a reader can ask for "what came since".
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { wholeCharacters } from "../../util/utf8.ts";
import { type Span, TextRing } from "./text-ring.ts";

export interface OutputEvent {
  cursor: number;
  category: string;
  text: string;
  /** Label of the debuggee that wrote it, when it is not the main one. */
  from?: string;
  /** Which run of the program, from 2: it was restarted. */
  run?: number;
}

export interface OutputLimits {
  maxEvents: number;
  maxBytes: number;
}

/** What fell out of the middle. */
export interface Dropped {
  events: number;
  bytes: number;
}

export interface OutputSlice {
  events: OutputEvent[];
  /** Pass as `since` to get only what comes after this slice. */
  cursor: number;
  dropped: Dropped;
}

/** The share of the budget kept from the beginning of the run: errors at start-up matter most. */
const HEAD_SHARE = 0.1;

/** Turns of the loop without anything new, which are enough to have read what is there; and the longest that is waited. */
const TURNS = 3;
const SETTLE_MS = 1000;

const LINE_FEED = 10;

const NOTHING: Dropped = { events: 0, bytes: 0 };

type Kept = Omit<OutputEvent, "text"> & Span;

export class Output {
  readonly #maxHead: OutputLimits;
  readonly #maxTail: number;
  #head: OutputEvent[] = [];
  #headBytes = 0;
  readonly #texts: TextRing;
  /** Oldest first; `#start` is the index of the first live entry, so that dropping is cheap. */
  #tail: Kept[] = [];
  #start = 0;
  #next = 1;
  #cleared = 0;
  #dropped = NOTHING;
  /** The last event that was dropped or cut. */
  #lastLoss = 0;
  /** Line feeds so far, kept or not. */
  #lines = 0;
  #shown = { cursor: 0, lines: 0 };
  #run = 1;
  #waiters = new Set<() => void>();
  #sources = new Set<() => void>();
  /** For somebody who looks on and need not be waited for. */
  grew: (() => void) | undefined;

  constructor({ maxEvents, maxBytes }: OutputLimits) {
    this.#maxHead = { maxEvents: maxEvents * HEAD_SHARE, maxBytes: maxBytes * HEAD_SHARE };
    this.#maxTail = Math.max(1, maxEvents - this.#maxHead.maxEvents);
    this.#texts = new TextRing(maxBytes - this.#maxHead.maxBytes);
  }

  get cursor(): number {
    return this.#next - 1;
  }

  /** Everything up to here has been shown. */
  get shown(): number {
    return this.#shown.cursor;
  }

  /** Lines that came after it, also those that were dropped meanwhile. */
  get linesSinceShown(): number {
    return this.#lines - this.#shown.lines;
  }

  markShown(): void {
    this.#shown = { cursor: this.cursor, lines: this.#lines };
  }

  /** The program is started again: what comes is of another run. */
  restarted(): void {
    this.markShown();
    this.#run += 1;
  }

  /** What was printed before a stop may still be in a pipe: as long as it keeps coming, and not for ever. */
  async settled(): Promise<void> {
    const until = performance.now() + SETTLE_MS;
    // What was in the pipe when the stop was told of is read in the same turn, maybe after it.
    await nextTurn();
    if (this.cursor === this.#shown.cursor) return;
    for (let seen = -1; seen !== this.cursor && performance.now() < until; ) {
      seen = this.cursor;
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    }
  }

  /** Bytes are UTF-8, and are copied. */
  append(category: string, text: string | Buffer, from?: string): void {
    if (text.length === 0) return;
    const room = this.#tail.length > 0 ? 0 : Math.floor(this.#maxHead.maxBytes - this.#headBytes);
    if (typeof text !== "string" && room > 0 && text.length > room) {
      // The beginning of a flood: what there is room for is its head.
      const length = wholeCharacters(text.subarray(0, room));
      this.append(category, text.subarray(0, length), from);
      text = text.subarray(length);
    }
    const run = this.#run === 1 ? {} : { run: this.#run };
    const event = { cursor: this.#next++, category, ...(from === undefined ? {} : { from }), ...run };
    this.#lines += countLines(text);
    if (!this.#keepInHead(event, text)) this.#keepInTail(event, text);
    for (const wake of [...this.#waiters]) wake();
    this.grew?.();
  }

  #keepInHead(event: Omit<OutputEvent, "text">, text: string | Buffer): boolean {
    // Asked first: all the rest of a flood comes this way.
    if (this.#tail.length > 0 || this.#head.length >= this.#maxHead.maxEvents) return false;
    const bytes = this.#headBytes + Buffer.byteLength(text);
    if (bytes > this.#maxHead.maxBytes) return false;
    this.#head.push({ ...event, text: text.toString() });
    this.#headBytes = bytes;
    return true;
  }

  #keepInTail(event: Omit<OutputEvent, "text">, text: string | Buffer): void {
    const span = this.#texts.put(text);
    this.#tail.push({ ...event, ...span });
    const cut = Buffer.byteLength(text) - span.length;
    if (cut > 0) this.#drop(event.cursor, { events: 0, bytes: cut });
    const { oldest } = this.#texts;
    for (let first = this.#tail[this.#start]; first; first = this.#tail[this.#start]) {
      if (first.at >= oldest && this.#tail.length - this.#start <= this.#maxTail) break;
      this.#drop(first.cursor, { events: 1, bytes: first.length });
      this.#start++;
    }
    if (this.#start > 1024) {
      this.#tail = this.#tail.slice(this.#start);
      this.#start = 0;
    }
  }

  #drop(cursor: number, { events, bytes }: Dropped): void {
    this.#lastLoss = Math.max(this.#lastLoss, cursor);
    this.#dropped = { events: this.#dropped.events + events, bytes: this.#dropped.bytes + bytes };
  }

  /** Events after `since`, of the given categories. The loss is told to readers who ask from before it. */
  read(since = 0, categories?: ReadonlySet<string>): OutputSlice {
    for (const gather of this.#sources) gather();
    const from = Math.max(since, this.#cleared);
    const keep = (event: { cursor: number; category: string }) =>
      event.cursor > from && (categories === undefined || categories.has(event.category));
    const tail = this.#tail.slice(this.#start);
    return {
      events: [
        ...this.#head.filter(keep),
        ...tail.filter(keep).map(({ at, length, ...event }) => ({
          ...event,
          text: this.#texts.get({ at, length }),
        })),
      ],
      cursor: this.cursor,
      dropped: this.#lastLoss > from ? this.#dropped : NOTHING,
    };
  }

  clear(): void {
    this.#cleared = this.cursor;
    this.#head = [];
    this.#tail = [];
    this.#headBytes = this.#start = 0;
    this.#dropped = NOTHING;
  }

  /** Called before every read, to append what there is by then; until the returned function is called. */
  beforeRead(gather: () => void): () => void {
    this.#sources.add(gather);
    return () => this.#sources.delete(gather);
  }

  get followed(): boolean {
    return this.#waiters.size > 0;
  }

  /** Calls back at every append until the returned function is called. */
  onAppend(wake: () => void): () => void {
    this.#waiters.add(wake);
    return () => this.#waiters.delete(wake);
  }
}

export function countLines(text: string | Buffer): number {
  let count = 0;
  if (typeof text !== "string") {
    for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) count++;
    return count;
  }
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
