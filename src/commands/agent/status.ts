/** agent status: what is held right now; of several runs, a line each. */
import * as z from "zod";
import { advice } from "../../advice/advice.ts";
import { eventLine } from "../../agent/explain/event-line.ts";
import { holdPrice } from "../../agent/explain/hold-price.ts";
import { priceTable } from "../../agent/explain/prices.ts";
import { Blobs } from "../../agent/store/blobs.ts";
import { listSessions } from "../../agent/store/sessions.ts";
import { asSondeError } from "../../errors.ts";
import { oneLine } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import { lines, shortPath } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { agentsRoot, runToRead, type Scope, scopeOf, shortName } from "./choosing.ts";
import { ask, heldNow, stateOf } from "./control.ts";
import { recentEvents } from "./recent.ts";
import { whatRuns } from "./row-text.ts";
import { standing } from "./sessions.ts";
import { dir, type HeldStop, runState } from "./shapes.ts";
import { nextLine, stateText, stopTitle } from "./stop-text.ts";
import { endedState, isOther, nextOf, stateByEvents, whatItDid } from "./waiting.ts";

const runRow = z.object({
  session: z.string(),
  short: z.string().describe("what `-s` takes for it"),
  what: z.string(),
  cwd: z.string(),
  state: z.string().describe("running, or what is held"),
});

export const status = command({
  name: "agent status",
  aliases: ["agent stops"],
  summary:
    "show the calls that are held right now, in full: why, where, the tool and its input, and what you can do",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({ dir }),
  result: runState.extend({
    session: z.string().exactOptional().describe("left out where several runs are alive"),
    state: z.enum([...runState.shape.state.options, "several"]),
    runs: z.array(runRow).exactOptional().describe("those that are alive, where there are several"),
    last: z.string().exactOptional().describe("the last event, in a line"),
    next: z.array(told()).describe("what to do next"),
  }),
  mcp: { tool: "agent", action: "status", ofSession: true },
  examples: ["sonde agent status"],
  run: async (context, args) => {
    const alive = (await listSessions(agentsRoot(context, args.dir))).filter((row) => row.alive);
    const [first] = alive;
    if (context.agents.named === undefined && first !== undefined && alive.length > 1) {
      const scopes = alive.map((row) => scopeOf(context, args.dir, row, alive));
      return {
        state: "several" as const,
        held: [],
        runs: await Promise.all(scopes.map((scope) => rowOf(context, scope))),
        next: [
          advice`${scopeOf(context, args.dir, first, alive).call("agent status")} shows one of them: give its name with -s`,
        ],
      };
    }
    const scope = await runToRead(context, args);
    const { row } = scope;
    const last = await lastLine(row.folder.events);
    if (!row.alive) return { ...(await endedState(row)), next: whatItDid(scope), ...last };
    const now = await stateNow(context, scope);
    const state = { ...now, held: await priced(context, scope, now.held) };
    const next =
      state.state === "held"
        ? nextOf(state, scope)
        : [advice`${scope.call("agent wait")} waits until it is held`];
    return { ...state, next, ...last };
  },
  text: ({ runs, session, state, ...shown }, options) =>
    state === "several" || session === undefined
      ? lines(
          `${runs?.length ?? 0} agents are running`,
          (runs ?? []).map(
            ({ session: id, short, what, cwd, state: stands }) =>
              `  -s ${oneLine(short)}  ${oneLine(stands)}  ${oneLine(what)}  in ${shortPath(cwd, options.cwd)}  ${oneLine(id)}`,
          ),
          nextLine(shown.next, options),
        )
      : lines(
          stateText({ ...shown, session, state }, options),
          shown.held.length === 0 && shown.last !== undefined && `last: ${shown.last.trim()}`,
          nextLine(shown.next, options),
        ),
});

async function stateNow(context: Context, scope: Scope) {
  return isOther(scope)
    ? stateByEvents(scope.row)
    : stateOf(context, scope, await ask(context, scope, "inspect", { what: "stops" }));
}

/** Enough to find the last answered call of each agent that is held. */
const RECENT_EVENTS = 2_000;

async function priced(context: Context, { row }: Scope, held: readonly HeldStop[]): Promise<HeldStop[]> {
  if (held.length === 0) return [];
  const events = await recentEvents(row.folder.events, RECENT_EVENTS);
  const blobs = new Blobs(row.folder.blobs);
  const known = { priceOf: priceTable(context.agents.prices), readBody: blobs.readBody.bind(blobs) };
  return Promise.all(
    held.map(async (stop) => {
      const price = await holdPrice(events, stop.agent.id, known);
      return price === undefined ? stop : { ...stop, price };
    }),
  );
}

async function rowOf(context: Context, scope: Scope): Promise<z.infer<typeof runRow>> {
  const { row } = scope;
  return {
    session: row.id,
    short: shortName(row),
    what: whatRuns(row),
    cwd: row.cwd,
    state: await heldText(context, scope),
  };
}

/** `held: before tool Bash (breakpoint 1) · stop s1` */
async function heldText(context: Context, scope: Scope): Promise<string> {
  if (isOther(scope)) return standing(scope.row);
  try {
    const held = await heldNow(context, scope);
    return held.length === 0 ? "running" : held.map((stop) => stopTitle(stop)).join("; ");
  } catch (thrown) {
    // One that does not answer does not keep the others from being shown.
    return asSondeError(thrown).code === "SESSION_ENDED" ? "ended" : standing(scope.row);
  }
}

async function lastLine(events: string): Promise<{ last?: string }> {
  const [last] = (await recentEvents(events, 1)).slice(-1);
  return last ? { last: eventLine(last) } : {};
}
