/** agent sse: what the provider streamed, as it came. */
import * as z from "zod";
import { advice } from "../../advice/advice.ts";
import { Blobs, isStoredBlob } from "../../agent/store/blobs.ts";
import { readEvents } from "../../agent/store/reader.ts";
import { StreamRing } from "../../agent/wire/stream-ring.ts";
import { SondeError } from "../../errors.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToRead } from "./choosing.ts";
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
  summary: "show the last events of the provider's streams, raw; kept: 1,000 events, 512,000 characters",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    tail: z.number().int().positive().max(1000).default(40).describe("how many"),
    req: z.number().int().positive().optional().describe("only those of this call to the model"),
    dir,
  }),
  result: z.object({
    session: z.string(),
    entries: z.array(entry),
    seen: z.object({ events: z.number(), characters: z.number() }),
    kept: z.object({ events: z.number(), characters: z.number(), truncated: z.number() }),
  }),
  mcp: { tool: "agent", action: "sse", takes: ["tail", "req"], ofSession: true },
  examples: ["sonde agent sse --tail 100", "sonde agent sse --req 3"],
  run: async (context, args) => {
    const { row } = await runToRead(context, args);
    const { ring, others } = await ringOf(context, row.folder, args.req);
    if (args.req !== undefined && ring.totals.events === 0) throw nothingOf(args.req, others);
    const { events, characters, keptEvents, keptCharacters, truncated } = ring.totals;
    const entries = ring
      .entries()
      .slice(-args.tail)
      .map(({ at: _, ...one }) => one);
    return {
      session: row.id,
      entries,
      seen: { events, characters },
      kept: { events: keptEvents, characters: keptCharacters, truncated },
    };
  },
  text: ({ session, entries, seen, kept }, { say }) =>
    lines(
      entries.map(({ n, req, event, data }) => {
        const name = event === undefined ? "" : ` ${oneLine(event)}`;
        return `${String(n).padStart(6)} call ${req}${name} | ${cut(oneLine(data), LONGEST_LINE)}`;
      }),
      `${plural(entries.length, "event")} of ${seen.events} seen (${seen.characters} characters); kept ${kept.events} (${kept.characters} characters)${
        kept.truncated > 0 ? `, ${kept.truncated} shortened` : ""
      } · session ${oneLine(session)}`,
      entries.length < kept.events &&
        say(
          advice`(${kept.events - entries.length} before these: ${{ do: "option", args: { tail: kept.events } }})`,
        ),
    ),
});

async function ringOf(
  { signal }: Context,
  folder: { events: string; blobs: string },
  only: number | undefined,
): Promise<{ ring: StreamRing; others: number[] }> {
  const ring = new StreamRing();
  const others: number[] = [];
  const blobs = new Blobs(folder.blobs);
  for await (const batch of readEvents(folder.events, { signal })) {
    for (const { type, data } of batch) {
      const { raw, req } = data as { raw?: unknown; req?: unknown };
      if (type !== "api_response" && type !== "api_error") continue;
      if (typeof req !== "number") continue;
      if (only !== undefined && req !== only) {
        if (raw !== undefined) others.push(req);
        continue;
      }
      const text = typeof raw === "string" ? raw : isStoredBlob(raw) ? blobs.shown(raw) : undefined;
      if (text !== undefined) for (const one of streamed(text)) ring.add(req, one);
    }
  }
  return { ring, others };
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
