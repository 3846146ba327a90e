/** agent wait: what is held, as soon as something is. */
import { statSync } from "node:fs";
import * as z from "zod";
import { advice, type Told } from "../../advice/advice.ts";
import { endText } from "../../agent/explain/ending.ts";
import { rowsOf } from "../../agent/store/listing.ts";
import type { SessionRow } from "../../agent/store/sessions.ts";
import { asSondeError, SondeError } from "../../errors.ts";
import { timeoutSignal } from "../../util/timeout-signal.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runAppears, untilItListens } from "./appearing.ts";
import { agentsRoot, runToControl, runToRead, type Scope } from "./choosing.ts";
import { ask, stateOf } from "./control.ts";
import { followRun } from "./following.ts";
import { heldIn, recentEvents } from "./recent.ts";
import { dir, type RunState, runState, seconds } from "./shapes.ts";
import { nextLine, nextSteps, stateText } from "./stop-text.ts";

interface Asked {
  dir?: string | undefined;
  timeout?: number | undefined;
}

interface Waiting {
  usualMs?: number;
  /** The run that something was just done to: that it has ended since is an answer. */
  after?: string;
}

/** Waits until something is held, or the run has ended, or the time is over. */
export async function nextStop(
  context: Context,
  args: Asked,
  { usualMs = context.waits.stopMs, after }: Waiting = {},
): Promise<{ state: RunState; next: Told[] }> {
  const scope = await runToControl(context, args).catch((thrown: unknown) =>
    endedRun(context, args, thrown, after),
  );
  if (!scope.row.alive) return { state: await endedState(scope.row), next: whatItDid(scope) };
  const timeoutMs = args.timeout === undefined ? usualMs : args.timeout * 1000;
  // One that has just begun does not take commands yet; that it does not answer is not its end.
  const { signal } = context;
  await untilItListens(scope.row, { timeoutMs: Math.min(APPEARS_MS, timeoutMs), signal });
  const state = await waitIn(context, scope, timeoutMs);
  if (state.state === "ended") return { state, next: whatItDid(scope) };
  if (state.state === "held") return { state, next: nextOf(state, scope) };
  const next = [
    advice`${scope.call("agent wait")} waits on`,
    ...(state.state === "running" ? [advice`${scope.call("agent pause")} holds it at its next call`] : []),
  ];
  return { state, next };
}

/** How long one that nobody has named may take to appear. */
const APPEARS_MS = 3000;

/** That the run which was named has ended is what one waits for, too. */
async function endedRun(
  context: Context,
  args: Asked,
  thrown: unknown,
  after: string | undefined,
): Promise<Scope> {
  if (!(thrown instanceof SondeError) || !["NO_SESSION", "SESSION_ENDED"].includes(thrown.code)) throw thrown;
  const named = context.agents.named ?? after;
  if (named !== undefined) return runToRead({ cwd: context.cwd, agents: { ...context.agents, named } }, args);
  const timeoutMs = Math.min(APPEARS_MS, args.timeout === undefined ? APPEARS_MS : args.timeout * 1000);
  const root = agentsRoot(context, args.dir);
  const { signal } = context;
  if (!(await runAppears(root, args.dir === undefined, { timeoutMs, signal }))) throw thrown;
  return runToControl(context, args);
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
    // How it ended is known by its last event, which comes after the answer.
    if (answer.ended === true) await ends;
    return answer.ended === true ? endedState(scope.row) : await stateOf(context, scope, answer);
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
export function isOther({ row }: Scope): boolean {
  return row.foreign || row.socket === undefined;
}

async function waitByEvents(context: Context, scope: Scope, timeoutMs: number): Promise<RunState> {
  const { row } = scope;
  const from = statSync(row.folder.events, { throwIfNoEntry: false })?.size ?? 0;
  const before = await stateByEvents(row);
  if (before.state !== "running") return before;
  const signal = AbortSignal.any([context.signal, timeoutSignal(timeoutMs)]);
  for await (const events of followRun(row, { from, signal })) {
    if (events.some(({ type }) => type === "session_end")) return endedState(row);
    if (heldIn(events) > 0) return { session: row.id, state: "held", held: [] };
  }
  return before;
}

export async function stateByEvents(row: SessionRow): Promise<RunState> {
  const isHeld = heldIn(await recentEvents(row.folder.events)) > 0;
  return { session: row.id, state: isHeld ? "held" : "running", held: [] };
}

/** By its record, or, while that is still being written, by its last event. */
export async function endedState(row: SessionRow): Promise<RunState> {
  const now = rowsOf(row.folder.root).find(({ id }) => id === row.id) ?? row;
  const how = now.ended === undefined ? await endByEvents(row) : now;
  return { session: row.id, state: "ended", ended: endText(how), held: [] };
}

async function endByEvents(row: SessionRow): Promise<{ exit?: number; signal?: string }> {
  const last = (await recentEvents(row.folder.events)).findLast(({ type }) => type === "session_end");
  const { exit, signal } = (last?.data ?? {}) as { exit?: unknown; signal?: unknown };
  return {
    ...(typeof exit === "number" ? { exit } : {}),
    ...(typeof signal === "string" ? { signal } : {}),
  };
}

/** For the answer to arrive, once the agent's own time is over. */
const LEEWAY_MS = 5_000;

export function nextOf({ held }: RunState, scope: Scope): Told[] {
  return held.length > 0 ? nextSteps(held, scope) : [advice`${scope.call("agent resume")} lets it go on`];
}

export function whatItDid(scope: Scope): Told[] {
  const { id } = scope.row;
  return [
    advice`${scope.call("agent explain", {}, id)} says what it did`,
    advice`${scope.call("agent transcript", {}, id)} shows it`,
  ];
}

export const wait = command({
  name: "agent wait",
  summary: "wait until one of the agent's calls is held, or its run ends",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    timeout: seconds.describe("how many seconds to wait at most (default 300)"),
    dir,
  }),
  result: runState.extend({ next: z.array(told()).describe("what to do next") }),
  mcp: {
    tool: "agent",
    action: "wait",
    takes: ["timeout"],
    ofSession: true,
    brief: "until something is held; shows it.",
  },
  examples: ["sonde agent wait", "sonde agent wait --timeout 30"],
  run: async (context, args) => {
    const { state, next } = await nextStop(context, args, { usualMs: context.waits.awaitMs });
    return { ...state, next };
  },
  text: (shown, options) => lines(stateText(shown, options), nextLine(shown.next, options)),
});
