/** Streams of server-sent events: reading them, cutting their bytes into events, writing one. */
import { createParser } from "eventsource-parser";
import type { SseEvent } from "./answers/reader.ts";

/** Bytes in whatever pieces they come → events. */
export class SseDecoder {
  readonly #decoder = new TextDecoder();
  readonly #parser;

  constructor(onEvent: (event: SseEvent) => void) {
    this.#parser = createParser({ onEvent });
  }

  feed(bytes: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
  }
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a stream of bytes behind each event: after an empty line. The pieces, joined, are the bytes as they came. A line may end with LF, CR or CRLF.
 */
export class EventCutter {
  #kept: Buffer[] = [];
  #lineEmpty = true;
  #afterCr = false;
  /** The event has ended, but an LF that belongs to its last line may follow. */
  #endPending = false;

  /** Events that are whole with these bytes. */
  push(bytes: Buffer): Buffer[] {
    const events: Buffer[] = [];
    let start = 0;
    const end = (at: number) => {
      events.push(this.#take(bytes.subarray(start, at)));
      start = at;
      this.#endPending = false;
    };
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF && this.#afterCr) {
        this.#afterCr = false;
        if (this.#endPending) end(at + 1);
        continue;
      }
      if (this.#endPending) end(at);
      this.#afterCr = byte === CR;
      if (byte !== LF && byte !== CR) {
        this.#lineEmpty = false;
        const next = nextLineEnd(bytes, at);
        if (next > at + 1) at = next - 1;
        continue;
      }
      if (!this.#lineEmpty) this.#lineEmpty = true;
      else if (byte === LF) end(at + 1);
      else this.#endPending = true;
    }
    if (start < bytes.length) this.#kept.push(bytes.subarray(start));
    return events;
  }

  /** What has come of an event that is not whole yet; it is given away. */
  rest(): Buffer {
    this.#endPending = false;
    return this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): Buffer {
    if (this.#kept.length === 0) return last;
    const whole = Buffer.concat([...this.#kept, last]);
    this.#kept = [];
    return whole;
  }
}

function nextLineEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF || byte === CR) return at;
  }
  return bytes.length;
}

/** An event as it goes over the wire. */
export function sseText(event: string | undefined, data: string): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const lines = data
    .split("\n")
    .map((line) => `data: ${line}\n`)
    .join("");
  return `${name}${lines}\n`;
}

export function sseBytes(event: string | undefined, data: string): Buffer {
  return Buffer.from(sseText(event, data));
}
