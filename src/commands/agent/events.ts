/** agent events, agent event: a run for somebody who looks at it, of any length: columns first, words by range, one event whole. */
import * as z from "zod";
import { advice, named, type Told } from "../../advice/advice.ts";
import type { AgentEvent } from "../../agent/events.ts";
import type { RunColumns } from "../../agent/explain/columns.ts";
import { eventLine, eventWords } from "../../agent/explain/event-line.ts";
import { isRecord, isStoredBlob } from "../../agent/explain/fields.ts";
import { priceTable } from "../../agent/explain/prices.ts";
import { Clock, inRange, placed } from "../../agent/explain/range.ts";
import { ColumnsOfRun } from "../../agent/explain/run-columns.ts";
import { Blobs } from "../../agent/store/blobs.ts";
import { lastEvents, readEvents } from "../../agent/store/reader.ts";
import { offsetBefore } from "../../agent/store/seek.ts";
import { SondeError } from "../../errors.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { recordingOf } from "./records.ts";
import { dir } from "./shapes.ts";

const numbers = z.array(z.number());
const columns = z.object({
  began: z.number().describe("milliseconds since 1970 at which `at` is 0"),
  names: z.object({ types: z.array(z.string()), agents: z.array(z.string()), tools: z.array(z.string()) }),
  seq: numbers,
  at: numbers.describe("milliseconds since the session began"),
  type: numbers.describe("into names.types"),
  agent: numbers.describe("into names.agents"),
  tool: numbers.describe("into names.tools, counted from 1; 0: none"),
  req: numbers.describe("the call to the model it belongs to; 0: none"),
  call: numbers.describe("the same for all events of one tool call; 0: none"),
  ms: numbers.describe("how long it took, or was held; -1: not known"),
  failed: numbers.describe("the numbers of events that say that something failed"),
  holds: z
    .object({ seq: numbers, stop: z.array(z.string()) })
    .describe("events that something is held, or let go, and which hold that is"),
  spent: z.object({
    seq: numbers,
    input: numbers,
    cacheRead: numbers,
    cacheWritten: numbers,
    output: numbers,
    dollars: numbers.describe("an estimate; -1: no price is known"),
  }),
  repeats: z.array(
    z.object({ tool: z.string(), agent: z.string(), input: z.string(), seq: numbers, count: z.number() }),
  ),
  debugged: z.array(
    z.object({
      seq: z.number(),
      call: z.number(),
      argv: z.string(),
      session: z.string().exactOptional(),
      trace: z.string().exactOptional(),
      profile: z.string().exactOptional(),
    }),
  ),
});

const source = z
  .string()
  .optional()
  .describe(
    "a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run)",
  );
const place = z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional();

/** Of the end, which is read without what is before it. */
const MOST_LAST = 10_000;

/** A part is read in a few milliseconds where it is shown. */
const PART = 10_000;

/** Words of so many events at most: a view shows a screen of them at a time. */
const MOST_WORDS = 2_000;

export const events = command({
  name: "agent events",
  summary:
    "count a run's events by type; with --json, list all of them as columns of numbers, for scripts; with --words, as one line of text each",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    source,
    from: place.describe("from this event on"),
    to: place.describe("up to this event"),
    last: z.number().int().positive().max(MOST_LAST).optional().describe("only the last N events"),
    words: z.boolean().optional().describe(`a line of text for each event instead (${MOST_WORDS} at most)`),
    parts: z
      .boolean()
      .optional()
      .describe(
        `print the columns as lines of JSON while the events are read, one line for each ${PART} events`,
      ),
    dir,
  }),
  result: z.object({
    session: z.string(),
    alive: z.boolean(),
    events: z.number(),
    columns: columns.exactOptional(),
    words: z.array(z.object({ seq: z.number(), text: z.string() })).exactOptional(),
    next: z.array(told()),
  }),
  cli: { positionals: ["source"] },
  examples: [
    "sonde agent events --json",
    "sonde agent events --parts",
    "sonde agent events --from 1 --to 50 --words",
  ],
  run: async (context, args) => {
    const { session, alive, events: path, call } = await recordingOf(context, args);
    const batches = args.last === undefined ? ranged(context, path, args) : ending(context, path, args);
    if (args.words) {
      const words: { seq: number; text: string }[] = [];
      let seen = 0;
      for await (const batch of batches) {
        for (const event of batch) {
          seen += 1;
          if (words.length < MOST_WORDS) words.push({ seq: event.seq ?? seen, text: eventWords(event) });
        }
        if (words.length >= MOST_WORDS) break;
      }
      return { session, alive, events: words.length, words, next: [] };
    }
    const made = new ColumnsOfRun(priceTable(context.agents.prices));
    const next: Told[] = [advice`${call("agent replay", { last: 20 })} shows the last of them`];
    let count = 0;
    const send = (part: RunColumns) => context.write(`${JSON.stringify(part)}\n`);
    for await (const batch of batches) {
      for (const event of batch) made.take(event);
      count += batch.length;
      if (args.parts && made.size >= PART) await send(made.part());
    }
    const all = made.result();
    if (!args.parts) return { session, alive, events: count, columns: all, next };
    await send(all);
    return { session, alive, events: count, next };
  },
  text: ({ session, events: count, columns: all, words, next }, { say }) =>
    lines(
      (words ?? []).map(({ seq, text }) => `${String(seq).padStart(6)}  ${oneLine(text)}`),
      (all === undefined ? [] : countsOf(all)).map(
        ([type, times]) => `  ${String(times).padStart(7)}  ${oneLine(type)}`,
      ),
      `${plural(count, "event")} · session ${oneLine(session)}`,
      next.map((one) => `next: ${say(one)}`),
    ),
});

/** How many there are of each type, the most first. */
function countsOf({ names, type }: z.infer<typeof columns>): [string, number][] {
  const counts = new Map<string, number>();
  for (const one of type) counts.set(names.types[one] ?? "?", (counts.get(names.types[one] ?? "?") ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** From the middle of a long file without reading what is before. */
function ranged(
  { signal }: Context,
  path: string,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): AsyncIterable<readonly AgentEvent[]> {
  const start = from === undefined || from < 2 ? 0 : offsetBefore(path, from - 1);
  return inRange(readEvents(path, { from: start, signal }), {
    from: from === undefined ? undefined : { seq: from },
    to: to === undefined ? undefined : { seq: to },
  });
}

/** Where events have no numbers or times of their own, all of them must be counted. */
async function* ending(
  { signal }: Context,
  path: string,
  { last = 0, from, to }: { last?: number | undefined; from?: number | undefined; to?: number | undefined },
): AsyncGenerator<readonly AgentEvent[]> {
  if ((from ?? to) !== undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("last")} cannot be combined with ${named("from")} or ${named("to")}`,
      { hint: advice`leave ${named("last")} out: ${named("from")} and ${named("to")} say which events` },
    );
  const found = await lastEvents(path, last);
  if (found.every(({ seq, at }) => seq !== undefined && at !== undefined)) return yield found;
  const clock = new Clock();
  let kept: AgentEvent[] = [];
  for await (const batch of readEvents(path, { signal })) {
    for (const event of batch) kept.push(placed(event, clock.place(event)));
    kept = kept.slice(-last);
  }
  yield kept;
}

/** Of each text in an event. */
const LONGEST_TEXT = 200_000;

export const event = command({
  name: "agent event",
  summary: "show one event of a run in full, with the long texts that are stored separately",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    seq: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).describe("its number"),
    source,
    dir,
  }),
  result: z.object({
    session: z.string(),
    event: z.looseObject({ type: z.string(), timestamp: z.string() }),
    cut: z.number().describe("characters of long texts that were left out"),
  }),
  cli: { positionals: ["seq", "source"] },
  examples: ["sonde agent event 12"],
  run: async (context, args) => {
    const { session, events: path, blobs: folder } = await recordingOf(context, args);
    const range = { from: args.seq, to: args.seq };
    for await (const batch of ranged(context, path, range)) {
      const [found] = batch;
      if (found === undefined) continue;
      const whole = new Whole(new Blobs(folder));
      return { session, event: { ...found, data: whole.value(found.data) }, cut: whole.left };
    }
    throw new SondeError("BAD_ARGUMENT", `there is no event ${args.seq} in ${session}`);
  },
  text: ({ session, event: shown, cut: left }) =>
    lines(
      eventLine(shown as unknown as AgentEvent),
      JSON.stringify(shown.data, undefined, 2)
        .split("\n")
        .map((one) => `  | ${oneLine(one)}`),
      left > 0 && `(${left} characters left out)`,
      `session ${oneLine(session)}`,
    ),
});

/** With what is kept elsewhere in its place. */
class Whole {
  readonly #blobs: Blobs;
  left = 0;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  value(value: unknown): unknown {
    if (typeof value === "string") return this.#bounded(value);
    if (isStoredBlob(value)) return this.#bounded(this.#blobs.shown(value));
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.value(one)]));
  }

  #bounded(text: string): string {
    this.left += Math.max(0, text.length - LONGEST_TEXT);
    return cut(text, LONGEST_TEXT);
  }
}
