/** A recording as lines: as fast as can be, or at the speed at which it happened. */
import { SondeError } from "../../errors.ts";
import { wait } from "../../util/wait.ts";
import type { AgentEvent } from "../events.ts";
import { eventLine } from "../explain/event-line.ts";
import { Clock, type EventBatches, inRange, type Range } from "../explain/range.ts";

export interface PrintOptions extends Range {
  /** Whole lines. What it returns is waited for: a slow reader slows the replay, nothing piles up. */
  write(text: string): void | Promise<void>;
  /** At the pace of the recording. */
  timed?: boolean | undefined;
  /** 2 is twice as fast; only of use with `timed`. */
  speed?: number | undefined;
  /** Only events of these types. */
  types?: ReadonlySet<string> | undefined;
  /** Other than one short line: JSON, for one. */
  format?: ((event: AgentEvent) => string) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Printed {
  events: number;
  /** Whether it came to its end, or was cancelled. */
  complete: boolean;
}

export async function printReplay(events: EventBatches, options: PrintOptions): Promise<Printed> {
  const { timed = false, types, signal } = options;
  const wanted = inRange(events, options);
  const chosen = types === undefined ? wanted : ofTypes(wanted, types);
  if (timed) return printTimed(chosen, options);
  const format = options.format ?? eventLine;
  let count = 0;
  for await (const batch of chosen) {
    if (signal?.aborted) return { events: count, complete: false };
    let out = "";
    for (const event of batch) out += `${format(event)}\n`;
    count += batch.length;
    const written = options.write(out);
    if (written !== undefined) await written;
  }
  return { events: count, complete: true };
}

async function printTimed(events: EventBatches, options: PrintOptions): Promise<Printed> {
  const { speed = 1, signal, format = eventLine } = options;
  const clock = new Clock();
  // Each event has its own time since the first: what a wait takes too long is not added up.
  let first: { atMs: number; shown: number } | undefined;
  let count = 0;
  for await (const batch of events) {
    for (const event of batch) {
      if (signal?.aborted) return { events: count, complete: false };
      const { atMs } = clock.place(event);
      first ??= { atMs, shown: performance.now() };
      const due = first.shown + (atMs - first.atMs) / speed;
      if (!(await until(due, signal))) return { events: count, complete: false };
      await options.write(`${format(event)}\n`);
      count += 1;
    }
  }
  return { events: count, complete: true };
}

/** False if it was cancelled before. */
async function until(due: number, signal: AbortSignal | undefined): Promise<boolean> {
  for (let left = due - performance.now(); left >= 1; left = due - performance.now()) {
    const outcome = await wait(new Promise<never>(() => {}), { timeoutMs: Math.ceil(left), signal });
    if (!outcome.done && outcome.why === "aborted") return false;
  }
  return true;
}

async function* ofTypes(
  events: EventBatches,
  types: ReadonlySet<string>,
): AsyncGenerator<readonly AgentEvent[]> {
  for await (const batch of events) {
    const kept = batch.filter(({ type }) => types.has(type));
    if (kept.length > 0) yield kept;
  }
}

/** `2x`, `0.5x`, `10` → 2, 0.5, 10. */
export function parseSpeed(text: string): number {
  const speed = /^(\d{1,6}(?:\.\d{1,6})?)x?$/.exec(text.trim())?.[1];
  if (speed !== undefined && Number(speed) > 0) return Number(speed);
  throw new SondeError("BAD_ARGUMENT", `"${text.slice(0, 40)}" is not a speed`, {
    hint: "Give a number greater than 0, such as 2x or 0.5x.",
  });
}
