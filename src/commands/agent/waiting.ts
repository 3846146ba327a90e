/** agent wait, agent status: what is held, now or as soon as something is. */
import * as z from "zod";
import { advice, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl, runToRead, type Scope } from "./choosing.ts";
import { ask, stateOf } from "./control.ts";
import { recentEvents } from "./recent.ts";
import { ending } from "./row-text.ts";
import { dir, type RunState, runState, seconds } from "./shapes.ts";
import { nextLine, nextSteps, stateText } from "./stop-text.ts";

/** Waits until something is held, or the run has ended, or the time is over. */
export async function nextStop(
  context: Context,
  args: { dir?: string | undefined; timeout?: number | undefined },
  usualMs = context.waits.stopMs,
): Promise<{ state: RunState; next: Told[] }> {
  const scope = await runToControl(context, args);
  const timeoutMs = args.timeout === undefined ? usualMs : args.timeout * 1000;
  const state = await waitIn(context, scope, timeoutMs);
  if (state.state === "ended") return { state, next: whatItDid(scope) };
  if (state.held.length > 0) return { state, next: nextSteps(state.held, scope) };
  const next = [
    advice`${scope.call("agent wait")} waits on`,
    ...(state.state === "running" ? [advice`${scope.call("agent pause")} holds it at its next call`] : []),
  ];
  return { state, next };
}

/** Its own process tells; what it says last is its end. */
async function waitIn(context: Context, scope: Scope, timeoutMs: number): Promise<RunState> {
  try {
    const answer = await ask(context, scope, "wait", { timeoutMs }, timeoutMs + LEEWAY_MS);
    return await stateOf(context, scope, answer);
  } catch (thrown) {
    // The run ended while we waited: its socket went with it.
    const ended = thrown instanceof SondeError && thrown.code === "SESSION_ENDED";
    if (!ended) throw thrown;
    return { session: scope.row.id, state: "ended", ended: "the run is over", held: [] };
  }
}

/** For the answer to arrive, once the agent's own time is over. */
const LEEWAY_MS = 5_000;

function whatItDid(scope: Scope): Told[] {
  const { id } = scope.row;
  return [
    advice`${scope.call("agent explain", {}, id)} says what it did`,
    advice`${scope.call("agent transcript", {}, id)} shows it`,
  ];
}

const result = runState.extend({ next: z.array(told()).describe("what to do next") });

export const wait = command({
  name: "agent wait",
  summary: "wait until something is held or the run ends, then show what is held",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    timeout: seconds.describe("how many seconds to wait at most (default 300)"),
    dir,
  }),
  result,
  mcp: {
    tool: "agent",
    action: "wait",
    takes: ["timeout"],
    ofSession: true,
    brief: "until something is held; shows it.",
  },
  examples: ["sonde agent wait", "sonde agent wait --timeout 30"],
  run: async (context, args) => {
    const { state, next } = await nextStop(context, args, context.waits.awaitMs);
    return { ...state, next };
  },
  text: (shown, options) => lines(stateText(shown, options), nextLine(shown.next, options)),
});

export const status = command({
  name: "agent status",
  aliases: ["agent stops"],
  summary: "show what is held right now, in full: why, where, the tool and its input, what can be done",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({ dir }),
  result: result.extend({ last: z.string().exactOptional().describe("the last event, in a line") }),
  mcp: { tool: "agent", action: "status", ofSession: true },
  examples: ["sonde agent status"],
  run: async (context, args) => {
    const scope = await runToRead(context, args);
    const { row } = scope;
    const last = await lastLine(row.folder.events);
    if (!row.alive) {
      const state = { session: row.id, state: "ended" as const, ended: ending(row), held: [] };
      return { ...state, next: whatItDid(scope), ...last };
    }
    const state = await stateOf(context, scope, await ask(context, scope, "inspect", { what: "stops" }));
    const next =
      state.held.length > 0
        ? nextSteps(state.held, scope)
        : [advice`${scope.call("agent wait")} waits until it is held`];
    return { ...state, next, ...last };
  },
  text: (shown, options) =>
    lines(
      stateText(shown, options),
      shown.held.length === 0 && shown.last !== undefined && `last: ${shown.last.trim()}`,
      nextLine(shown.next, options),
    ),
});

async function lastLine(events: string): Promise<{ last?: string }> {
  const { eventLine } = await import("../../agent/explain/event-line.ts");
  const [last] = (await recentEvents(events, 1)).slice(-1);
  return last ? { last: eventLine(last) } : {};
}
