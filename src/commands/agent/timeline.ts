/** agent timeline: what programs did while the agent ran, on the run's own clock: hits of traces, and when profiled programs were busy. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { RunColumns } from "../../agent/explain/columns.ts";
import { duration } from "../../agent/explain/fields.ts";
import { priceTable } from "../../agent/explain/prices.ts";
import { ColumnsOfRun } from "../../agent/explain/run-columns.ts";
import { readEvents } from "../../agent/store/reader.ts";
import { hitTimes } from "../../trace/columns/times.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { recordingOf } from "./records.ts";
import { dir } from "./shapes.ts";

/** A lane of a view is a few hundred pixels. */
const PARTS = 200;
/** The last of them: each is read whole. */
const MOST = 40;

const clock = {
  id: z.string(),
  title: z.string(),
  seq: z
    .number()
    .exactOptional()
    .describe("the event of the command that made it; left out: nobody in the run did"),
  from: z.number().describe("milliseconds since the run began"),
  to: z.number(),
};

const trace = z.object({
  ...clock,
  hits: z.number().describe("that were kept"),
  counts: z.array(z.number()).describe("hits in each part of its time, from `from` to `to`"),
});

const profile = z.object({
  ...clock,
  kind: z.enum(["cpu", "heap"]),
  samples: z.number().exactOptional().describe("in which something ran"),
  busy: z
    .array(z.number())
    .exactOptional()
    .describe("0 to 1: how busy it was in each part of its time; left out: the profiler does not know"),
});

export const timeline = command({
  name: "agent timeline",
  summary:
    "list the traces and profiles recorded during an agent's run, and when in the run lines were hit and programs were busy",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    source: z
      .string()
      .optional()
      .describe("a session (id, its beginning, or name), or a file of events (default: the newest)"),
    dir,
  }),
  result: z.object({
    session: z.string(),
    traces: z.array(trace),
    profiles: z.array(profile),
    empty: z.array(z.string()).describe("traces without a hit"),
    gone: z.array(z.string()).describe("those that were removed since, or cannot be read"),
    left: z.number().describe(`earlier ones that were left out: the last ${MOST} are read`),
  }),
  cli: { positionals: ["source"] },
  examples: ["sonde agent timeline"],
  run: async (context, args) => {
    const { session, events } = await recordingOf(context, args);
    const made = new ColumnsOfRun(priceTable());
    for await (const batch of readEvents(events, { signal: context.signal }))
      for (const event of batch) if (event.type === "sonde_call" || made.size === 0) made.take(event);
    const { began, debugged } = made.result();
    const last = debugged.filter((one) => one.trace !== undefined || one.profile !== undefined);
    const read = last.slice(-MOST);
    const { traces, empty, others } = await tracesIn(context, read, began);
    const profiles = await profilesIn(context, read, began, session);
    const known = new Set([...[...traces, ...profiles].map(({ id }) => id), ...empty, ...others]);
    const gone = read
      .flatMap((one) => [one.trace ?? [], one.profile ?? []].flat())
      .filter((id) => !known.has(id));
    return { session, traces, profiles, empty, gone: [...new Set(gone)], left: last.length - read.length };
  },
  text: ({ session, traces, profiles, empty, gone, left }) => {
    const rows = [
      ...traces.map((one) => ({ ...one, what: `trace ${one.id}  ${plural(one.hits, "hit")}` })),
      ...profiles.map((one) => ({
        ...one,
        what: `${one.kind} profile ${one.id}${one.samples === undefined ? "" : `  ${plural(one.samples, "sample")}`}`,
      })),
    ].sort((a, b) => a.from - b.from);
    return lines(
      rows.length === 0 && "no command of this run made a trace or a profile",
      rows.map(
        ({ from, to, seq, what, title }) =>
          `  ${duration(from)} – ${duration(to)}  ${what}  ${oneLine(cut(title, 120))}${seq === undefined ? "" : `  (event ${seq})`}`,
      ),
      empty.length > 0 && `without a hit: ${oneLine(empty.join(", "))}`,
      gone.length > 0 && `removed since, or unreadable: ${oneLine(gone.join(", "))}`,
      left > 0 && `(${plural(left, "earlier one")} left out)`,
      `session ${oneLine(session)}`,
    );
  },
});

type Made = RunColumns["debugged"];

interface Traces {
  traces: z.infer<typeof trace>[];
  empty: string[];
  /** Made before the run: its commands only showed them. */
  others: string[];
}

async function tracesIn(context: Context, made: Made, began: number): Promise<Traces> {
  const all: Traces = { traces: [], empty: [], others: [] };
  const kept = new Map((await context.traces.list()).map((one) => [one.id, one]));
  for (const { trace: id = "", seq } of made) {
    const stored = kept.get(id);
    kept.delete(id); // the first command that names it made it
    if (stored === undefined || !("head" in stored)) continue;
    const times = await hitTimes(stored, PARTS);
    // A hit knows the time since its program was started, which was when its recording began.
    const start = Date.parse(stored.head.began) - began;
    const { title } = stored.head;
    if (start < 0) all.others.push(id);
    else if (times === undefined) all.empty.push(id);
    else {
      const { counts } = times;
      const hits = counts.reduce((sum, one) => sum + one, 0);
      all.traces.push({ id, title, seq, from: start + times.from, to: start + times.to, hits, counts });
    }
  }
  return all;
}

/** Those that its commands made, and those of the agent's own process. */
async function profilesIn(
  { places }: Context,
  made: Made,
  began: number,
  session: string,
): Promise<z.infer<typeof profile>[]> {
  const { list } = await import("../../diagnostics/profile/store.ts");
  const { isCpuProfile } = await import("../../diagnostics/profile/formats/v8.ts");
  const { busyTimes } = await import("../../diagnostics/profile/times.ts");
  const by = new Map(made.map(({ profile: id, seq }) => [id, seq]));
  const wanted = list(places.profiles).filter(({ head }) => by.has(head.id) || head.agent === session);
  return wanted
    .slice(0, MOST)
    .reverse()
    .map(({ head }) => {
      const { id, kind, title, files, seconds } = head;
      const seq = by.get(id);
      const from = Date.parse(head.began) - began;
      const common = { id, kind, title, from, ...(seq === undefined ? {} : { seq }) };
      // Of several processes each has its own: then there is no one order.
      const [file, ...others] = files.filter((one) => one.kind === "cpuprofile");
      const data = file === undefined || others.length > 0 ? undefined : parsed(file.path);
      if (!isCpuProfile(data)) return { ...common, to: from + seconds * 1000 };
      const { ms, samples, busy } = busyTimes(data, PARTS);
      return { ...common, to: from + ms, samples, busy };
    });
}

/** Undefined if it was removed meanwhile, or is none. */
function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
