/** The state of an agent as a person asks for it. */
import { exactJson } from "../../util/exact-json.ts";
import { cut } from "../../util/text.ts";
import type { AgentState } from "./agents.ts";
import { isSummary, textOf } from "./message-text.ts";
import type { RequestView, Stop } from "./model.ts";
import { requestDifference } from "./request-difference.ts";

export type What = "messages" | "context" | "tools" | "system" | "request" | "diff" | "stops" | "all";

const PREVIEW = 200;
const RECENT = 3;

export function snapshot(state: AgentState, what: What, run: Standing): Record<string, unknown> {
  const { last } = state;
  const all = what === "all";
  const shown = requestToShow(state, run);
  return {
    timestamp: new Date().toISOString(),
    sessionId: run.sessionId,
    agent: state.ref.id,
    turn: state.turn,
    iteration: state.iteration,
    totalIterations: state.totalIterations,
    paused: run.paused,
    stops: run.stops,
    ...(last ? { req: last.req, provider: { name: last.provider, model: shown?.model ?? "" } } : {}),
    ...(all || what === "messages" ? { messages: messagesOf(shown) } : {}),
    ...(all || what === "context" ? { context: contextOf(state, shown) } : {}),
    ...(all || what === "tools" ? { tools: toolsOf(shown) } : {}),
    ...(what === "system" ? { system: shown?.system ?? "" } : {}),
    ...(what === "request" ? requestOf(state, shown, run) : {}),
    ...changesOf(state, run.held?.body),
    ...(what === "diff" ? { diff: differenceOf(state, shown) } : {}),
    workingSet: [...state.files],
  };
}

interface Standing {
  sessionId: string;
  paused: boolean;
  stops: readonly Stop[];
  /** The call that is held before it is sent, if one is. */
  held?: { body?: string | undefined } | undefined;
}

/** What would be sent if it was let go now, or what was sent. */
function requestToShow({ last, toInject, set }: AgentState, { held }: Standing): RequestView | undefined {
  if (last === undefined || held === undefined) return last?.sent ?? last?.request;
  const changes = { inject: toInject, set, ...(held.body === undefined ? {} : { body: held.body }) };
  const isChanged = toInject.length > 0 || held.body !== undefined || Object.keys(set).length > 0;
  return isChanged ? (last.changed?.(changes) ?? last.request) : last.request;
}

/** `own`: what the agent wrote, where that is not what is sent. `exact`: as text, where its value is not the same. */
function requestOf({ last }: AgentState, shown: RequestView | undefined, { held }: Standing) {
  if (last === undefined || shown === undefined) return { request: null };
  // Where only the agent can put changes in, a body that takes the place of its own is still known.
  const body = shown === last.request ? (held?.body ?? shown.body) : shown.body;
  const exact = exactJson(body);
  return {
    request: parsed(body),
    ...(exact === undefined ? {} : { exact }),
    ...(body === last.request.body ? {} : { own: parsed(last.request.body) }),
    ...(held === undefined && last.sent !== undefined ? { edited: true } : {}),
    ...(held === undefined ? {} : { held: true }),
  };
}

/** What the call that is sent next will have besides what the agent wrote. */
function changesOf({ toInject, set }: AgentState, replaced: string | undefined): Record<string, unknown> {
  if (toInject.length === 0 && Object.keys(set).length === 0 && replaced === undefined) return {};
  const injected = toInject.map(({ role, content }) => ({ role, content }));
  return { changes: { injected, set: replaced === undefined ? set : {}, replaced: replaced !== undefined } };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function messagesOf(request: RequestView | undefined) {
  const messages = request?.messages ?? [];
  const roles: Record<string, number> = {};
  for (const { role } of messages) roles[role] = (roles[role] ?? 0) + 1;
  const recent = messages
    .slice(-RECENT)
    .map((one) => ({ role: one.role, preview: cut(textOf(one), PREVIEW) }));
  return { count: messages.length, roles, recent };
}

/** A token is about four characters of English: an estimate until the provider has counted. */
const CHARACTERS_A_TOKEN = 4;

function contextOf(
  { lastUsage, usage, cost, placed, toInject, set }: AgentState,
  request: RequestView | undefined,
) {
  const estimate = Math.ceil((request?.body.length ?? 0) / CHARACTERS_A_TOKEN);
  const summary = request?.messages.find(isSummary);
  return {
    tokenEstimate: estimate,
    ...(lastUsage ? { lastUsage } : {}),
    usage,
    ...(cost === undefined ? {} : { costEstimate: cost }),
    hasSummary: summary !== undefined,
    ...(summary ? { summaryPreview: cut(textOf(summary), PREVIEW) } : {}),
    injected: placed.length,
    waitingToBeInjected: toInject.length,
    set,
  };
}

function toolsOf(request: RequestView | undefined) {
  const tools = request?.tools ?? [];
  return { enabled: tools.map(({ name }) => name), count: tools.length };
}

function differenceOf({ previous }: AgentState, request: RequestView | undefined) {
  return previous && request ? requestDifference(previous, request) : null;
}
