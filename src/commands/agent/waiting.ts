/** agent wait, agent status: what is held, now or as soon as something is. */
import { statSync } from "node:fs";
import * as z from "zod";
import { advice, type Told } from "../../advice/advice.ts";
import { rowsOf } from "../../agent/store/listing.ts";
import type { SessionRow } from "../../agent/store/sessions.ts";
import { asSondeError, SondeError } from "../../errors.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl, runToRead, type Scope } from "./choosing.ts";
import { ask, stateOf } from "./control.ts";
import { followRun } from "./following.ts";
import { heldIn, recentEvents } from "./recent.ts";
import { ending } from "./row-text.ts";
import { dir, type RunState, runState, seconds } from "./shapes.ts";
import { nextLine, nextSteps, stateText } from "./stop-text.ts";

/** Waits until something is held, or the run has ended, or the time is over. */
export async function nextStop(
  context: Context,
  args: { dir?: string | undefined; timeout?: number | undefined },
  usualMs = context.waits.stopMs,
): Promise<{ state: RunState; next: Told[] }> {
  const scope = await runToControl(context, args).catch((thrown: unknown) => endedRun(context, args, thrown));
  if (!scope.row.alive) return { state: endedState(scope.row), next: whatItDid(scope) };
  const timeoutMs = args.timeout === undefined ? usualMs : args.timeout * 1000;
  const state = await waitIn(context, scope, timeoutMs);
  if (state.state === "ended") return { state, next: whatItDid(scope) };
  if (state.state === "held") return { state, next: nextOf(state, scope) };
  const next = [
    advice`${scope.call("agent wait")} waits on`,
    ...(state.state === "running" ? [advice`${scope.call("agent pause")} holds it at its next call`] : []),
  ];
  return { state, next };
}

/** That it has ended is what one waits for, too. */
async function endedRun(
  context: Context,
  args: { dir?: string | undefined },
  thrown: unknown,
): Promise<Scope> {
  if (!(thrown instanceof SondeError) || !["NO_SESSION", "SESSION_ENDED"].includes(thrown.code)) throw thrown;
  return runToRead(context, args);
}

/** Its own process tells. It may end without an answer: that is seen by its events, and by the end of its socket. */
async function waitIn(context: Context, scope: Scope, timeoutMs: number): Promise<RunState> {
  if (isOther(scope)) return waitByEvents(context, scope, timeoutMs);
  const over = new AbortController();
  const done = new AbortController();
  const ends = untilOver(scope.row, AbortSignal.any([context.signal, done.signal])).then(() => over.abort());
  try {
    const signal = AbortSignal.any([context.signal, over.signal]);
    const answer = await ask({ signal }, scope, "wait", { timeoutMs }, timeoutMs + LEEWAY_MS);
    return await stateOf(context, scope, answer);
  } catch (thrown) {
    const isOver = over.signal.aborted && !context.signal.aborted;
    const { code } = asSondeError(thrown);
    if (!isOver && code !== "SESSION_ENDED" && code !== "REQUEST_FAILED") throw thrown;
    return endedState(scope.row);
  } finally {
    done.abort();
    await ends;
  }
}

async function untilOver(row: SessionRow, signal: AbortSignal): Promise<void> {
  for await (const _ of followRun(row, { from: "end", signal }));
}

/** Those of other tools, which know no such command, are known by their files. */
function isOther({ row }: Scope): boolean {
  return row.foreign || row.socket === undefined;
}

async function waitByEvents(context: Context, scope: Scope, timeoutMs: number): Promise<RunState> {
  const { row } = scope;
  const from = statSync(row.folder.events, { throwIfNoEntry: false })?.size ?? 0;
  const before = await stateByEvents(row);
  if (before.state !== "running") return before;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
  for await (const events of followRun(row, { from, signal })) {
    if (events.some(({ type }) => type === "session_end")) return endedState(row);
    if (heldIn(events) > 0) return { session: row.id, state: "held", held: [] };
  }
  return before;
}

async function stateByEvents(row: SessionRow): Promise<RunState> {
  const isHeld = heldIn(await recentEvents(row.folder.events)) > 0;
  return { session: row.id, state: isHeld ? "held" : "running", held: [] };
}

function endedState(row: SessionRow): RunState {
  const now = rowsOf(row.folder.root).find(({ id }) => id === row.id) ?? row;
  return {
    session: row.id,
    state: "ended",
    ended: now.ended === undefined ? "it ended" : ending(now),
    held: [],
  };
}

/** For the answer to arrive, once the agent's own time is over. */
const LEEWAY_MS = 5_000;

function nextOf({ held }: RunState, scope: Scope): Told[] {
  return held.length > 0 ? nextSteps(held, scope) : [advice`${scope.call("agent resume")} lets it go on`];
}

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
      return { ...endedState(row), next: whatItDid(scope), ...last };
    }
    const state = isOther(scope)
      ? await stateByEvents(row)
      : await stateOf(context, scope, await ask(context, scope, "inspect", { what: "stops" }));
    const next =
      state.state === "held"
        ? nextOf(state, scope)
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
