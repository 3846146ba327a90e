/** agent sessions: which agents run, and which have run. */
import * as z from "zod";
import { advice, call, shell, type Told } from "../../advice/advice.ts";
import { endText } from "../../agent/explain/ending.ts";
import { listSessions, type SessionRow } from "../../agent/store/sessions.ts";
import { oneLine, plural } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import { lines, shortPath } from "../answers/text.ts";
import { command } from "../define.ts";
import { agentsRoot } from "./choosing.ts";
import { heldIn, recentEvents } from "./recent.ts";
import { whatRuns } from "./row-text.ts";
import { dir } from "./shapes.ts";

const agentRow = z.object({
  id: z.string(),
  name: z.string().exactOptional(),
  alive: z.boolean(),
  state: z.string().describe("running, what is held, or how it ended"),
  held: z.number().describe("calls that are held"),
  what: z.string().describe("what is run"),
  client: z.string().exactOptional(),
  route: z
    .enum(["library", "proxy"])
    .describe("whether it holds the bridge itself or is run behind the proxy"),
  pid: z.number(),
  startTime: z.string(),
  endTime: z.string().exactOptional(),
  cwd: z.string(),
});

const MOST_ROWS = 50;

export const sessions = command({
  name: "agent sessions",
  summary: "list the agents that run under Sonde, the newest first",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    all: z.boolean().optional().describe("also those that have ended"),
    dir,
  }),
  result: z.object({
    sessions: z.array(agentRow),
    /** How many have ended and are not listed. */
    ended: z.number(),
    more: z.number().describe("how many older ones are not listed"),
    next: z.array(told()),
  }),
  mcp: { tool: "agent", action: "sessions", takes: ["all"] },
  examples: ["sonde agent sessions", "sonde agent sessions --all"],
  run: async (context, args) => {
    const all = await listSessions(agentsRoot(context, args.dir));
    const wanted = args.all ? all : all.filter(({ alive }) => alive);
    const shown = wanted.slice(0, MOST_ROWS);
    const rows = await Promise.all(shown.map(rowOf));
    return {
      sessions: rows,
      ended: all.length - (args.all ? all.length : wanted.length),
      more: wanted.length - shown.length,
      next: rows.length > 0 ? [] : nextOf(all.length, args.dir),
    };
  },
  text: ({ sessions: rows, ended, more, next }, { cwd, say }) =>
    lines(
      rows.length === 0 && (ended === 0 ? "no agents" : `no agent is running; ${plural(ended, "run")} ended`),
      rows.map(({ id, state, what, pid, alive, cwd: folder, startTime }) => {
        const where = folder === "" ? "" : `  in ${shortPath(folder, cwd)}`;
        return `${oneLine(id)}  ${oneLine(state)}  ${what}${alive ? `  pid ${pid}` : ""}${where}  since ${startTime.slice(0, 19)}Z`;
      }),
      more > 0 && `and ${plural(more, "older run")}`,
      next.map((one) => `next: ${say(one)}`),
    ),
});

function nextOf(ended: number, folder: string | undefined): Told[] {
  const args = folder === undefined ? {} : { dir: folder };
  const start = advice`${shell("sonde agent run -- claude")} runs one so that it can be held and inspected`;
  return ended === 0
    ? [start]
    : [advice`${call("agent sessions", { all: true, ...args })} lists those that have ended`, start];
}

async function rowOf(row: SessionRow): Promise<z.infer<typeof agentRow>> {
  const { id, name, alive, client, route, pid, startTime, endTime, cwd } = row;
  const held = alive ? await heldOf(row) : 0;
  return {
    id,
    alive,
    state: alive ? standingText(held) : endText(row),
    held,
    what: whatRuns(row),
    route,
    pid,
    startTime,
    cwd,
    ...(name === undefined ? {} : { name }),
    ...(client === undefined ? {} : { client }),
    ...(endTime === undefined ? {} : { endTime }),
  };
}

export async function standing(row: SessionRow): Promise<string> {
  return standingText(await heldOf(row));
}

/** By its last events, so that a look leaves no trace in them. */
async function heldOf(row: SessionRow): Promise<number> {
  return heldIn(await recentEvents(row.folder.events));
}

function standingText(held: number): string {
  return held === 0 ? "running" : `${plural(held, "call")} held`;
}
