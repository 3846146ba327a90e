/**
 * The last protocol messages of a session. They are kept by reference, and made text when they are read: most never are. So that they hold
 * little memory each is weighed first; of a large one only the beginning is kept, as text.
 */
import type { WithBytes } from "../dap/refused-part.ts";

export const MOST_MESSAGES = 1_000;
export const LONGEST_MESSAGE = 64_000;
/** Of all together, about. */
export const MOST_BYTES = 4_000_000;

export type Direction = "in" | "out";

export interface TranscriptMessage {
  /** From the session's first, which is 1. */
  number: number;
  at: number;
  direction: Direction;
  /** JSON, or the beginning of it. */
  text: string;
  cut: boolean;
}

interface Kept {
  at: number;
  direction: Direction;
  message: object | string;
  bytes: number;
}

export class Transcript {
  #kept: Kept[] = [];
  /** Of those in the list, how many at its beginning are gone. */
  #gone = 0;
  #bytes = 0;
  #total = 0;

  add(direction: Direction, message: object): void {
    const kept = keep(direction, withoutOutput(message));
    this.#kept.push(kept);
    this.#total += 1;
    this.#bytes += kept.bytes;
    while (this.length > MOST_MESSAGES || (this.#bytes > MOST_BYTES && this.length > 1)) this.#drop();
    if (this.#gone > MOST_MESSAGES) {
      this.#kept = this.#kept.slice(this.#gone);
      this.#gone = 0;
    }
  }

  /** Keeps the newest, of about so many bytes. */
  shrink(bytes: number): this {
    while (this.#bytes > bytes && this.length > 1) this.#drop();
    this.#kept = this.#kept.slice(this.#gone);
    this.#gone = 0;
    return this;
  }

  #drop(): void {
    const oldest = this.#kept[this.#gone];
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#kept[this.#gone] = GONE;
    this.#gone += 1;
  }

  get length(): number {
    return this.#kept.length - this.#gone;
  }

  /** All that there ever were. */
  get total(): number {
    return this.#total;
  }

  get dropped(): number {
    return this.#total - this.length;
  }

  /** About what it holds, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The newest first: whoever reads stops when it has enough. */
  *newestFirst(): Generator<TranscriptMessage> {
    const kept = this.#kept.slice(this.#gone);
    const total = this.#total;
    for (let at = kept.length - 1; at >= 0; at--) {
      const one = kept[at];
      if (one !== undefined) yield shown(one, total - (kept.length - 1 - at));
    }
  }

  /** As text, the oldest first. */
  lines(): string[] {
    return [...this.newestFirst()].reverse().map(({ number, at, direction, text, cut }) => {
      const arrow = direction === "in" ? "<-" : "->";
      return `${number} ${new Date(at).toISOString()} ${arrow} ${text}${cut ? " [cut]" : ""}`;
    });
  }
}

const GONE: Kept = { at: 0, direction: "in", message: "", bytes: 0 };

function keep(direction: Direction, message: object): Kept {
  const at = Date.now();
  const bytes = weigh(message);
  if (bytes !== undefined) return { at, direction, message, bytes };
  const text = beginning(message);
  return { at, direction, message: text, bytes: text.length };
}

function shown({ at, direction, message }: Kept, number: number): TranscriptMessage {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  const cut = typeof message === "string" || text.length > LONGEST_MESSAGE;
  return { number, at, direction, text: cut ? text.slice(0, LONGEST_MESSAGE) : text, cut };
}

/** What an object and its parts take besides their characters. */
const OVERHEAD = 24;

/** In bytes, about; undefined for one whose text is too long. It is not looked at any further then. */
function weigh(message: object): number | undefined {
  let chars = 0;
  let bytes = 0;
  const left: unknown[] = [message];
  while (left.length > 0) {
    const value = left.pop();
    bytes += OVERHEAD;
    if (typeof value === "string") chars += value.length + 3;
    else if (Array.isArray(value)) {
      chars += value.length + 2;
      if (chars <= LONGEST_MESSAGE) for (const one of value) left.push(one);
    } else if (typeof value === "object" && value !== null) {
      for (const key in value) {
        chars += key.length + 4;
        left.push((value as Record<string, unknown>)[key]);
      }
    } else chars += 6;
    if (chars > LONGEST_MESSAGE) return undefined;
  }
  return chars + bytes;
}

/** As much of its JSON as is kept, without making the rest. */
function beginning(message: object): string {
  let text = "";
  const write = (value: unknown): boolean => {
    if (typeof value === "string") text += JSON.stringify(value.slice(0, LONGEST_MESSAGE));
    else if (Array.isArray(value)) {
      text += "[";
      if (!value.every((one, at) => write(one) && add(at < value.length - 1 ? "," : ""))) return false;
      text += "]";
    } else if (typeof value === "object" && value !== null) {
      const fields = Object.entries(value).filter(([, one]) => one !== undefined);
      text += "{";
      const isWhole = fields.every(
        ([key, one], at) =>
          add(`${JSON.stringify(key)}:`) && write(one) && add(at < fields.length - 1 ? "," : ""),
      );
      if (!isWhole) return false;
      text += "}";
    } else text += JSON.stringify(value) ?? "null";
    return text.length <= LONGEST_MESSAGE;
  };
  const add = (more: string): boolean => {
    text += more;
    return text.length <= LONGEST_MESSAGE;
  };
  write(message);
  // Through bytes: what was put together from pieces, or cut, keeps all of them alive.
  return Buffer.from(text.slice(0, LONGEST_MESSAGE)).toString();
}

/** A noisy program's output is kept by session/output within its limits; here a reference to it would keep it alive. */
function withoutOutput(message: object): object {
  const event = message as { event?: string; body?: { category?: string; output?: string } & WithBytes };
  if (event.body?.bytes) {
    const { bytes, ...body } = event.body;
    return { ...event, body: { ...body, output: `… (${bytes.length} bytes)` } };
  }
  if (event.event !== "output" || (event.body?.output?.length ?? 0) < 200) return message;
  // Through bytes, because a slice of a string keeps the whole string.
  const start = Buffer.from(event.body?.output?.slice(0, 100) ?? "").toString();
  const output = `${start}… (${event.body?.output?.length} characters)`;
  return { ...event, body: { ...event.body, output } };
}
