/** agent watch: what a run does, one short line an event, as it happens. */
import * as z from "zod";
import { type AgentEvent, EVENT_TYPES } from "../../agent/events.ts";
import { endText, type RunEnd } from "../../agent/explain/ending.ts";
import { eventLine } from "../../agent/explain/event-line.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { plural } from "../../util/text.ts";
import { timeoutSignal } from "../../util/timeout-signal.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToRead } from "./choosing.ts";
import { followRun } from "./following.ts";
import { all, dir, seconds } from "./shapes.ts";

export const watch = command({
  name: "agent watch",
  summary: "show what the agent does as it happens, one line per event, until the run ends or you interrupt",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    filter: z
      .string()
      .optional()
      .describe(
        "only these types of events, with commas: tool_call_start,tool_result; * stands for any text",
      ),
    all,
    from: z
      .enum(["start", "now"])
      .default("now")
      .describe("all that has happened, or what happens from now on"),
    timeout: seconds.describe("how many seconds to watch at most"),
    dir,
  }),
  result: z.object({
    session: z.string(),
    events: z.number().describe("how many were shown"),
    other: z.number().describe("how many were left out"),
    ended: z.string().exactOptional().describe("how the run ended, if it is over"),
  }),
  cli: { short: { filter: "f" } },
  examples: ["sonde agent watch", "sonde agent watch --filter 'tool_*,paused' --from start"],
  run: async (context, args) => {
    const { row } = await runToRead(context, args);
    const wanted = filterOf(args.filter, { all: args.all, foreign: row.foreign });
    const shown: { session: string; events: number; other: number; ended?: string } = {
      session: row.id,
      events: 0,
      other: 0,
    };
    const show = (events: readonly AgentEvent[]) => {
      const chosen = events.filter(({ type }) => wanted(type));
      shown.events += chosen.length;
      shown.other += events.length - chosen.length;
      if (chosen.length > 0) context.chunk(chosen.map((one) => `${lineOf(context, one)}\n`).join(""));
      const end = events.find(({ type }) => type === "session_end");
      if (end) shown.ended = endText(end.data as RunEnd);
    };
    const from = args.from === "start" ? 0 : "end";
    const signal = until(context.signal, row.alive ? args.timeout : (args.timeout ?? QUIET_SECONDS));
    for await (const events of followRun(row, { from, signal })) show(events);
    return shown;
  },
  text: ({ session, events, other, ended }) =>
    `${plural(events, "event")}${other > 0 ? `, ${other} left out` : ""}${ended === undefined ? "" : ` · ended: ${ended}`} · session ${session}\n`,
});

/** What Sonde says to the agent: of no interest to who follows the agent. */
export const OWN: ReadonlySet<string> = new Set(["command_executed", "command_response"]);

/** Of a run that has ended nothing new will come. */
const QUIET_SECONDS = 0.5;

function until(signal: AbortSignal, timeout: number | undefined): AbortSignal {
  return timeout === undefined ? signal : AbortSignal.any([signal, timeoutSignal(timeout * 1000)]);
}

/** For a machine an event is a line of JSON, as it is in the file. */
function lineOf({ quiet }: Context, event: AgentEvent): string {
  return quiet ? JSON.stringify(event) : eventLine(event);
}

/** `foreign`: another tool's run, whose types are its own. */
function filterOf(
  filter: string | undefined,
  { all: everything = false, foreign }: { all?: boolean | undefined; foreign: boolean },
): (type: string) => boolean {
  const words = (filter ?? "").split(",").flatMap((word) => word.trim() || []);
  if (words.length === 0) return (type) => everything || !OWN.has(type);
  for (const word of words) {
    if (foreign || word.includes("*") || EVENT_TYPES.some((type) => type === word)) continue;
    const near = closest(word, EVENT_TYPES);
    throw new SondeError("BAD_ARGUMENT", `no event is of type ${word}`, {
      hint: `${near === undefined ? "" : `did you mean ${near}? `}the types: ${EVENT_TYPES.join(", ")}`,
    });
  }
  const patterns = words.map(
    (word) => new RegExp(`^${word.replace(/\W/g, (one) => (one === "*" ? ".*" : `\\${one}`))}$`),
  );
  return (type) => patterns.some((pattern) => pattern.test(type));
}
