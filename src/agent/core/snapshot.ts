/** The state of an agent as a person asks for it. */
import { cut } from "../../util/text.ts";
import type { AgentState } from "./agents.ts";
import { isSummary, textOf } from "./message-text.ts";
import type { Stop } from "./model.ts";
import { requestDifference } from "./request-difference.ts";

export type What = "messages" | "context" | "tools" | "system" | "request" | "diff" | "stops" | "all";

const PREVIEW = 200;
const RECENT = 3;

export function snapshot(
  state: AgentState,
  what: What,
  run: { sessionId: string; paused: boolean; stops: readonly Stop[]; replaced: string | undefined },
): Record<string, unknown> {
  const { last } = state;
  const all = what === "all";
  return {
    timestamp: new Date().toISOString(),
    sessionId: run.sessionId,
    agent: state.ref.id,
    turn: state.turn,
    iteration: state.iteration,
    totalIterations: state.totalIterations,
    paused: run.paused,
    stops: run.stops,
    ...(last ? { req: last.req, provider: { name: last.provider, model: last.request.model } } : {}),
    ...(all || what === "messages" ? { messages: messagesOf(state) } : {}),
    ...(all || what === "context" ? { context: contextOf(state) } : {}),
    ...(all || what === "tools" ? { tools: toolsOf(state) } : {}),
    ...(what === "system" ? { system: last?.request.system ?? "" } : {}),
    ...(what === "request" ? { request: last ? parsed(run.replaced ?? last.request.body) : null } : {}),
    ...changesOf(state, run.replaced),
    ...(what === "diff" ? { diff: differenceOf(state) } : {}),
    workingSet: [...state.files],
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

function messagesOf({ last }: AgentState) {
  const messages = last?.request.messages ?? [];
  const roles: Record<string, number> = {};
  for (const { role } of messages) roles[role] = (roles[role] ?? 0) + 1;
  const recent = messages
    .slice(-RECENT)
    .map((one) => ({ role: one.role, preview: cut(textOf(one), PREVIEW) }));
  return { count: messages.length, roles, recent };
}

/** A token is about four characters of English: an estimate until the provider has counted. */
const CHARACTERS_A_TOKEN = 4;

function contextOf({ last, lastUsage, usage, cost, placed, toInject, set }: AgentState) {
  const estimate = Math.ceil((last?.request.body.length ?? 0) / CHARACTERS_A_TOKEN);
  const summary = last?.request.messages.find(isSummary);
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

function toolsOf({ last }: AgentState) {
  const tools = last?.request.tools ?? [];
  return { enabled: tools.map(({ name }) => name), count: tools.length };
}

function differenceOf({ previous, last }: AgentState) {
  return previous && last ? requestDifference(previous, last.request) : null;
}
