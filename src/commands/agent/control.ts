/** Asking a running agent for something, and telling the caller what came of it. */
import { advice, type Told } from "../../advice/advice.ts";
import type { CommandData, CommandType } from "../../agent/core/commands.ts";
import { askAgent } from "../../agent/inbox/ask-agent.ts";
import { type ErrorCode, exitStatus, SondeError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { runToControl, type Scope } from "./choosing.ts";
import { hitsIn, recentEvents } from "./recent.ts";
import { type ControlResult, changes, type HeldStop, heldStop, type RunState } from "./shapes.ts";
import { nextSteps } from "./stop-text.ts";

/** An agent answers at once; one that is busy computing may take a moment. */
const ANSWER_MS = 10_000;

export type Answer = Record<string, unknown>;

export async function ask<T extends CommandType>(
  context: Pick<Context, "signal">,
  { row }: Scope,
  type: T,
  data: Partial<CommandData<T>>,
  timeoutMs = ANSWER_MS,
): Promise<Answer> {
  const answer = await askAgent(row, type, withoutGaps(data), { signal: context.signal, timeoutMs });
  if (answer.ok) return answer.data;
  const { code, message, hint } = answer.error;
  throw new SondeError(knownCode(code), message, hint === undefined ? {} : { hint });
}

/** What was not said is not sent. */
function withoutGaps(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** An agent of another version, or of another make, may have words of its own. */
function knownCode(code: string): ErrorCode {
  return exitStatus(code as ErrorCode) === undefined ? "REQUEST_FAILED" : (code as ErrorCode);
}

/** What is held now. Agents of other makes do not tell. */
export async function heldNow(context: Pick<Context, "signal">, scope: Scope): Promise<HeldStop[]> {
  if (scope.row.foreign || scope.row.socket === undefined) return [];
  return stopsIn(await ask(context, scope, "inspect", { what: "stops" }));
}

export function stopsIn({ stops }: Answer): HeldStop[] {
  return Array.isArray(stops) ? stops.flatMap((one) => heldStop.safeParse(one).data ?? []) : [];
}

/** One command to the run that the caller means, and how it stands afterwards. */
export async function control<T extends CommandType>(
  context: Context,
  args: { dir?: string | undefined },
  type: T,
  data: Partial<CommandData<T>>,
  did: (answer: Answer) => string,
): Promise<ControlResult> {
  const scope = await runToControl(context, args);
  const answer = await ask(context, scope, type, data);
  return controlled(context, scope, answer, did(answer));
}

export async function controlled(
  context: Pick<Context, "signal">,
  scope: Scope,
  answer: Answer,
  did: string,
  others: readonly Told[] = [],
): Promise<ControlResult> {
  const state = await stateOf(context, scope, answer);
  const next = [...others, ...nextSteps(state.held, scope)];
  const waiting = advice`${scope.call("agent wait")} waits until it is held`;
  return { ...state, did, next: next.length === 0 && state.state === "pausing" ? [waiting] : next };
}

/** By what a command's answer says of it; those of other makes say nothing. */
export async function stateOf(
  context: Pick<Context, "signal">,
  scope: Scope,
  answer: Answer,
): Promise<RunState> {
  const session = scope.row.id;
  if (answer.ended === true) return { session, state: "ended", ended: "it ended", held: [] };
  if (!Array.isArray(answer.stops)) return { session, state: "unknown", held: [] };
  const released = new Set(Array.isArray(answer.released) ? answer.released : []);
  const held = await Promise.all(
    stopsIn(answer)
      .filter(({ id }) => !released.has(id))
      .map((stop) => completed(context, scope, stop)),
  );
  const paused = answer.paused === true && released.size === 0;
  return { session, state: held.length > 0 ? "held" : paused ? "pausing" : "running", held };
}

/** With how often its breakpoint was hit, and with what is about to be sent. */
async function completed(context: Pick<Context, "signal">, scope: Scope, stop: HeldStop): Promise<HeldStop> {
  return {
    ...stop,
    ...(stop.breakpoint === undefined ? {} : await hitsOf(scope, stop.id)),
    ...(stop.at === "model" ? await sendsOf(context, scope, stop) : {}),
  };
}

async function hitsOf({ row }: Scope, stopId: string): Promise<{ hits?: number }> {
  const hits = hitsIn(await recentEvents(row.folder.events), stopId);
  return hits === undefined ? {} : { hits };
}

async function sendsOf(
  context: Pick<Context, "signal">,
  scope: Scope,
  stop: HeldStop,
): Promise<Pick<HeldStop, "sends">> {
  const answer = (await ask(context, scope, "inspect", {
    what: "messages",
    agent: stop.agent.id,
  })) as {
    messages?: { count?: number; recent?: { role: string; preview: string }[] };
    provider?: { model?: string };
    changes?: unknown;
  };
  const { messages, provider } = answer;
  const changed = changes.safeParse(answer.changes).data;
  if (messages === undefined) return {};
  const model = provider?.model;
  return {
    sends: {
      ...(model === undefined ? {} : { model }),
      messages: messages.count ?? 0,
      recent: messages.recent ?? [],
      ...(changed === undefined ? {} : { changes: changed }),
    },
  };
}
