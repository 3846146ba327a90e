/** agent transcript, replay, explain: what a run did, from its files. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import * as z from "zod";
import { advice, call, type Told } from "../../advice/advice.ts";
import type { AgentEvent } from "../../agent/events.ts";
import { explainRun } from "../../agent/explain/explain-run.ts";
import { explanationText } from "../../agent/explain/explanation-text.ts";
import { parseMark, type Range } from "../../agent/explain/range.ts";
import { transcript as transcriptOf } from "../../agent/explain/transcript.ts";
import { parseSpeed, printReplay } from "../../agent/replay/print.ts";
import { Blobs } from "../../agent/store/blobs.ts";
import { readEvents } from "../../agent/store/reader.ts";
import { plural } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToRead } from "./choosing.ts";
import { all, dir } from "./shapes.ts";
import { OWN } from "./watch.ts";

interface Recording {
  session: string;
  alive: boolean;
  events: string;
  blobs: string;
  call: typeof call;
}

/** A file of events, or the run that the caller means. */
export async function recordingOf(
  context: Context,
  args: { dir?: string | undefined; source?: string | undefined },
): Promise<Recording> {
  const { source } = args;
  const path = source === undefined ? undefined : resolve(context.cwd, source);
  if (path?.endsWith(".jsonl") && existsSync(path)) {
    const folder = dirname(path);
    return { session: basename(folder), alive: false, events: path, blobs: resolve(folder, "blobs"), call };
  }
  const named = source === undefined ? context.agents.named : source;
  const { row, call: scoped } = await runToRead(
    { cwd: context.cwd, agents: { ...context.agents, named } },
    args,
  );
  const { events, blobs } = row.folder;
  return { session: row.id, alive: row.alive, events, blobs, call: scoped };
}

const source = z
  .string()
  .optional()
  .describe(
    "a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run)",
  );
const from = z.string().optional().describe("from this event (120) or time (90s, 1m30s) on");
const to = z.string().optional().describe("up to this event or time");

function rangeOf({ from: first, to: last }: { from?: string | undefined; to?: string | undefined }): Range {
  return {
    from: first === undefined ? undefined : parseMark(first),
    to: last === undefined ? undefined : parseMark(last),
  };
}

/** What an answer holds of a long text: its end is what one asks for. */
const MOST_CHARS = 24_000;

class Tail {
  #pieces: string[] = [];
  #length = 0;
  left = 0;

  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    while (this.#pieces.length > 1 && this.#length - (this.#pieces[0]?.length ?? 0) > MOST_CHARS)
      this.#drop();
  }

  #drop(): void {
    const { length } = this.#pieces.shift() ?? "";
    this.left += length;
    this.#length -= length;
  }

  /** Whole lines. */
  get text(): string {
    const all = this.#pieces.join("");
    if (all.length <= MOST_CHARS) return all;
    const start = all.indexOf("\n", all.length - MOST_CHARS) + 1;
    this.left += start;
    return all.slice(start);
  }
}

export const transcript = command({
  name: "agent transcript",
  summary:
    "show the run as a conversation: what was said, which tools were called with what, and what they returned",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    source,
    markdown: z.boolean().optional().describe("as Markdown"),
    whole: z.boolean().optional().describe("all of it, however long (default: the end)"),
    from,
    to,
    dir,
  }),
  result: z.object({
    session: z.string(),
    text: z.string(),
    left: z.number().describe("characters before it that were left out"),
    next: z.array(told()),
  }),
  cli: { positionals: ["source"] },
  mcp: { tool: "agent", action: "transcript", takes: ["from", "to"], ofSession: true },
  examples: ["sonde agent transcript", "sonde agent transcript --markdown --whole"],
  run: async (context, args) => {
    const recording = await recordingOf(context, args);
    const blobs = new Blobs(recording.blobs);
    const { signal } = context;
    const parts = transcriptOf(readEvents(recording.events, { signal }), {
      ...rangeOf(args),
      readBody: (body) => blobs.readBody(body),
      format: args.markdown ? "markdown" : "text",
      signal,
    });
    const tail = new Tail();
    for await (const part of parts) {
      if (args.whole) await context.write(part);
      else tail.add(part);
    }
    const { text } = tail;
    const { left } = tail;
    const next: Told[] =
      left > 0 ? [advice`${recording.call("agent transcript", { whole: true })} shows all of it`] : [];
    return { session: recording.session, text, left, next };
  },
  text: ({ text, left, next }, { say }) =>
    lines(left > 0 && `(${left} characters before this: ${next.map(say).join("; ")})`, text.trimEnd() || []),
});

export const replay = command({
  name: "agent replay",
  summary: "print a recorded run event by event; with --serve, answer an agent's calls from it, offline",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  foreground: "serve",
  args: z.object({
    source,
    timed: z.boolean().optional().describe("at the speed at which it happened"),
    speed: z.string().optional().describe("with --timed: 2x is twice as fast"),
    from,
    to,
    last: z.number().int().positive().max(1000).optional().describe("only the last events"),
    all,
    serve: z
      .boolean()
      .optional()
      .describe("act as the provider: answer an agent's calls as they were answered in the recording"),
    port: z
      .number()
      .int()
      .positive()
      .max(65_535)
      .optional()
      .describe("with --serve: at this port (default: any)"),
    ignore: z
      .array(z.string())
      .optional()
      .describe("with --serve: text that may differ from the recording, as a regular expression"),
    args: z
      .array(z.string())
      .optional()
      .describe("with --serve: run this agent against the recording (default: only print the base URL)"),
    dir,
  }),
  result: z.object({
    session: z.string(),
    events: z.number(),
    complete: z.boolean().describe("false if it was interrupted"),
    lines: z.array(z.string()).describe("with `last`: the events, a line each"),
  }),
  cli: { positionals: ["source"], rest: "args" },
  mcp: {
    tool: "agent",
    action: "replay",
    takes: ["from", "to", "last"],
    ofSession: true,
    usual: () => ({ last: 100 }),
    brief: "events of a run, a line each.",
  },
  examples: [
    "sonde agent replay",
    "sonde agent replay --timed --speed 2x",
    "sonde agent replay ab12 --serve -- claude",
  ],
  run: async (context, args) => {
    const recording = await recordingOf(context, args);
    const kept: string[] = [];
    const { last, timed } = args;
    const speed = args.speed === undefined ? undefined : parseSpeed(args.speed);
    const { signal } = context;
    const { events, complete } = await printReplay(
      chosen(readEvents(recording.events, { signal }), args.all),
      {
        ...rangeOf(args),
        timed: timed ?? speed !== undefined,
        speed,
        signal,
        ...(context.quiet ? { format: (event) => JSON.stringify(event) } : {}),
        write: (text) => {
          if (last === undefined) return context.write(text);
          kept.push(...text.split("\n").filter(Boolean));
          if (kept.length > 2 * last) kept.splice(0, kept.length - last);
        },
      },
    );
    return {
      session: recording.session,
      events,
      complete,
      lines: last === undefined ? [] : kept.slice(-last),
    };
  },
  text: ({ session, events, complete, lines: shown }) =>
    lines(shown, `${plural(events, "event")}${complete ? "" : ", interrupted"} · session ${session}`),
});

/** Without what Sonde said to the agent, unless all is wanted. */
async function* chosen(
  batches: AsyncIterable<readonly AgentEvent[]>,
  everything = false,
): AsyncGenerator<readonly AgentEvent[]> {
  for await (const batch of batches) {
    const kept = everything ? batch : batch.filter(({ type }) => !OWN.has(type));
    if (kept.length > 0) yield kept;
  }
}

export const explain = command({
  name: "agent explain",
  summary:
    "explain a run on one screen: turns, calls, tokens, cost, cache misses and why, loops, slow tools, errors",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({ source, dir }),
  result: z.looseObject({ session: z.string() }).describe("all that is known of the run"),
  cli: { positionals: ["source"] },
  mcp: { tool: "agent", action: "explain", ofSession: true, brief: "what a run did, on one screen." },
  examples: ["sonde agent explain", "sonde agent explain ab12"],
  run: async (context, args) => {
    const { events, blobs: folder, alive } = await recordingOf(context, args);
    const blobs = new Blobs(folder);
    const { signal } = context;
    const explanation = await explainRun(readEvents(events, { signal }), {
      readBody: (body) => blobs.readBody(body),
      prices: context.agents.prices,
      ...(alive ? { now: Date.now() } : {}),
      signal,
    });
    return { ...explanation };
  },
  text: (explanation) =>
    `${explanationText(explanation as unknown as Parameters<typeof explanationText>[0]).trimEnd()}\n`,
});
