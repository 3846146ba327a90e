/** From where to where in a recording. */
import { SondeError } from "../../errors.ts";
import type { AgentEvent } from "../events.ts";

/** An event by its number, or a time since the session began. */
export type Mark = { seq: number } | { atMs: number };

export interface Range {
  from?: Mark | undefined;
  to?: Mark | undefined;
}

export type EventBatches = AsyncIterable<readonly AgentEvent[]>;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `120` is event 120; `90s`, `1m30s`, `250ms` are times since the beginning. */
export function parseMark(text: string): Mark {
  const wanted = text.trim();
  if (/^\d{1,15}$/.test(wanted)) return { seq: Number(wanted) };
  if (/^(\d{1,12}(\.\d{1,3})?(ms|s|m|h))+$/.test(wanted)) {
    let atMs = 0;
    for (const [, count, unit] of wanted.matchAll(/([\d.]+)(ms|s|m|h)/g)) {
      atMs += Number(count) * (UNITS[unit ?? "s"] ?? 1000);
    }
    return { atMs };
  }
  throw new SondeError("BAD_ARGUMENT", `"${wanted.slice(0, 40)}" is neither an event's number nor a time`, {
    hint: "Give a number such as 120 for event 120, or a time since the beginning such as 90s or 1m30s.",
  });
}

/** Those events only. Reading stops behind the last one. Events without a number are counted from 1. */
export async function* inRange(
  batches: EventBatches,
  range: Range = {},
): AsyncGenerator<readonly AgentEvent[]> {
  const { from, to } = range;
  if (from === undefined && to === undefined) {
    yield* batches;
    return;
  }
  const clock = new Clock();
  for await (const batch of batches) {
    const kept: AgentEvent[] = [];
    let past = false;
    for (const event of batch) {
      const place = clock.place(event);
      if (from !== undefined && isBefore(place, from)) continue;
      if (to !== undefined && isBehind(place, to)) {
        past = true;
        break;
      }
      kept.push(placed(event, place));
    }
    if (kept.length > 0) yield kept;
    if (past) return;
  }
}

export interface Place {
  seq: number;
  atMs: number;
}

/** Where each event stands, also in files that say neither number nor time since the beginning. */
export class Clock {
  #seen = 0;
  #first: number | undefined;

  place(event: AgentEvent): Place {
    this.#seen += 1;
    if (event.at !== undefined) return { seq: event.seq ?? this.#seen, atMs: event.at };
    const time = Date.parse(event.timestamp);
    this.#first ??= time;
    return { seq: event.seq ?? this.#seen, atMs: Number.isNaN(time) ? 0 : time - this.#first };
  }
}

/** With the number and the time that it has in the whole: of a part they cannot be counted any more. */
export function placed(event: AgentEvent, { seq, atMs }: Place): AgentEvent {
  return event.seq === undefined || event.at === undefined ? { ...event, seq, at: atMs } : event;
}

function isBefore(place: Place, mark: Mark): boolean {
  return "seq" in mark ? place.seq < mark.seq : place.atMs < mark.atMs;
}

function isBehind(place: Place, mark: Mark): boolean {
  return "seq" in mark ? place.seq > mark.seq : place.atMs > mark.atMs;
}
