/** agent sse: what the provider streamed, as it came. */
import * as z from "zod";
import { advice } from "../../advice/advice.ts";
import type { AgentEvent } from "../../agent/events.ts";
import { Blobs, isStoredBlob } from "../../agent/store/blobs.ts";
import { readEvents } from "../../agent/store/reader.ts";
import type { SessionRow } from "../../agent/store/sessions.ts";
import { StreamRing } from "../../agent/wire/stream-ring.ts";
import { SondeError } from "../../errors.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToRead } from "./choosing.ts";
import { followRun } from "./following.ts";
import { dir } from "./shapes.ts";

const entry = z.object({
  n: z.number().describe("its number among all that were seen"),
  req: z.number().describe("the call to the model"),
  event: z.string().exactOptional(),
  data: z.string(),
  cut: z.number().exactOptional().describe("characters that were cut off"),
});

const LONGEST_LINE = 300;

export const sse = command({
  name: "agent sse",
  summary: "show the last raw events of the provider's streams (1,000 events, 512,000 characters are kept)",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    tail: z.number().int().positive().max(1000).default(40).describe("how many"),
    req: z.number().int().positive().optional().describe("only those of this call to the model"),
    follow: z
      .boolean()
      .optional()
      .describe("keep printing the events of each call as it ends, until the run is over"),
    dir,
  }),
  result: z.object({
    session: z.string(),
    entries: z.array(entry),
    seen: z.object({ events: z.number(), characters: z.number() }),
    kept: z.object({ events: z.number(), characters: z.number(), truncated: z.number() }),
    followed: z.number().exactOptional().describe("events that came while it was followed"),
  }),
  mcp: { tool: "agent", action: "sse", takes: ["tail", "req"], ofSession: true },
  examples: ["sonde agent sse --tail 100", "sonde agent sse --req 3", "sonde agent sse --follow"],
  run: async (context, args) => {
    const { row } = await runToRead(context, args);
    const streams = new Streams(row.folder.blobs, args.req);
    const progress = { offset: 0, skipped: 0 };
    const { signal } = context;
    for await (const batch of readEvents(row.folder.events, { signal, progress })) streams.add(batch);
    const { ring } = streams;
    if (args.req !== undefined && !args.follow && ring.totals.events === 0)
      throw nothingOf(args.req, streams.others);
    const last = ring
      .entries()
      .slice(-args.tail)
      .map(({ at: _, ...one }) => one);
    const followed = args.follow
      ? await follow(context, row, { streams, last, from: progress.offset })
      : undefined;
    const { events, characters, keptEvents, keptCharacters, truncated } = ring.totals;
    return {
      session: row.id,
      entries: followed === undefined ? last : [],
      ...(followed !== undefined && { followed }),
      seen: { events, characters },
      kept: { events: keptEvents, characters: keptCharacters, truncated },
    };
  },
  text: ({ session, entries, seen, kept, followed }, { say }) =>
    lines(
      entries.map(lineOf),
      `${plural(followed ?? entries.length, followed === undefined ? "event" : "new event")} of ${seen.events} seen (${seen.characters} characters); kept ${kept.events} (${kept.characters} characters)${
        kept.truncated > 0 ? `, ${kept.truncated} shortened` : ""
      } · session ${oneLine(session)}`,
      followed === undefined &&
        entries.length < kept.events &&
        say(
          advice`(${kept.events - entries.length} before these: ${{ do: "option", args: { tail: kept.events } }})`,
        ),
    ),
});

type Streamed = z.infer<typeof entry>;

function lineOf({ n, req, event, data, cut: left }: Streamed): string {
  const name = event === undefined ? "" : ` ${oneLine(event)}`;
  const shortened = left === undefined ? "" : ` [${left} characters not kept]`;
  return `${String(n).padStart(6)} call ${req}${name} | ${cut(oneLine(data), LONGEST_LINE)}${shortened}`;
}

/** A call's stream is recorded when it has ended: then all of it comes. How many came. */
async function follow(
  context: Context,
  row: SessionRow,
  { streams, last, from }: { streams: Streams; last: readonly Streamed[]; from: number },
): Promise<number> {
  const { ring } = streams;
  const write = (entries: readonly Streamed[]) => {
    const shown = entries.map((one) => (context.quiet ? JSON.stringify(one) : lineOf(one)));
    return shown.length === 0 ? undefined : context.write(`${shown.join("\n")}\n`);
  };
  await write(last);
  const before = ring.totals.events;
  for await (const batch of row.alive ? followRun(row, { from, signal: context.signal }) : []) {
    const seen = ring.totals.events;
    streams.add(batch);
    const fresh = ring.entries().filter(({ n }) => n > seen);
    await write(fresh.map(({ at: _, ...one }) => one));
  }
  return ring.totals.events - before;
}

/** What providers streamed, out of a run's events. */
class Streams {
  readonly ring = new StreamRing();
  /** Calls with a stream that were not asked for. */
  readonly others: number[] = [];
  readonly #blobs: Blobs;
  readonly #only: number | undefined;

  constructor(blobs: string, only: number | undefined) {
    this.#blobs = new Blobs(blobs);
    this.#only = only;
  }

  add(batch: readonly AgentEvent[]): void {
    for (const { type, data } of batch) {
      const { raw, req } = data as { raw?: unknown; req?: unknown };
      if (type !== "api_response" && type !== "api_error") continue;
      if (typeof req !== "number") continue;
      if (this.#only !== undefined && req !== this.#only) {
        if (raw !== undefined) this.others.push(req);
        continue;
      }
      const text = typeof raw === "string" ? raw : isStoredBlob(raw) ? this.#blobs.shown(raw) : undefined;
      if (text !== undefined) for (const one of streamed(text)) this.ring.add(req, one);
    }
  }
}

const MOST_NAMED = 12;

function nothingOf(req: number, others: readonly number[]): SondeError {
  const named = others.slice(-MOST_NAMED).join(", ");
  return new SondeError("BAD_ARGUMENT", `nothing that was streamed for call ${req} is recorded`, {
    hint:
      others.length === 0
        ? "nor for any other call"
        : `${others.length > MOST_NAMED ? "the last calls with a stream" : "calls with a stream"}: ${named}`,
  });
}

/** Server-sent events as they stand in a body; a body that is none is one event. */
function* streamed(body: string): Generator<{ event?: string; data: string }> {
  if (!/^(event|data|id|:)/m.test(body)) {
    yield { data: body };
    return;
  }
  for (const block of body.split(/\r?\n\r?\n/)) {
    const rows = block.split(/\r?\n/).filter(Boolean);
    if (rows.length === 0) continue;
    const event = rows
      .find((row) => row.startsWith("event:"))
      ?.slice(6)
      .trim();
    const data = rows.filter((row) => row.startsWith("data:")).map((row) => row.slice(5).trimStart());
    yield {
      ...(event === undefined ? {} : { event }),
      data: data.length > 0 ? data.join("\n") : rows.join("\n"),
    };
  }
}
