/**
 * Claude Code's hooks, as they come in on the proxy's port. They see each tool call right before it runs, with its input parsed, and are
 * told what becomes of it; a call that a person cancels is answered by an error, and the agent goes on.
 */
import type { AgentRef, Seams, ToolDecision } from "../core/model.ts";
import { agentOf, type Payload, payloadShape, responseText } from "./payload.ts";
import type { HookEvent } from "./settings.ts";

export type HookAnswer = Readonly<Record<string, unknown>>;

export interface HookHandler {
  /** A hook has been called: tools are decided there, and need not be held in the stream that brings them. */
  readonly live: boolean;
  /**
   * `event`: the last part of the path; `body`: what was posted. Answers with the JSON to send back, when it may. Rejects if the
   * body is not for us, or the client has gone away.
   */
  handle(event: string, body: string, signal: AbortSignal): Promise<HookAnswer>;
}

type Handler = (payload: Payload, agent: AgentRef, signal: AbortSignal) => HookAnswer | Promise<HookAnswer>;

type HookSeams = Pick<Seams, "beforeTool" | "afterTool" | "message" | "turnEnded" | "agentEnded">;

const NOTHING: HookAnswer = {};

export function hookHandler(bridge: HookSeams): HookHandler {
  const handlers: Record<HookEvent, Handler> = {
    async PreToolUse({ tool_use_id, tool_name, tool_input }, agent, signal) {
      const call = { id: tool_use_id, name: tool_name, input: tool_input, agent, source: "hook" as const };
      return preToolAnswer(await bridge.beforeTool(call, signal));
    },
    PostToolUse({ tool_use_id, tool_name, tool_response, duration_ms }, agent) {
      const text = responseText(tool_response);
      bridge.afterTool(outcome(tool_use_id, tool_name, text, false, duration_ms), agent);
      return NOTHING;
    },
    PostToolUseFailure({ tool_use_id, tool_name, error, duration_ms }, agent) {
      bridge.afterTool(outcome(tool_use_id, tool_name, responseText(error), true, duration_ms), agent);
      return NOTHING;
    },
    PostToolBatch({ tool_calls }, agent) {
      // What ran has been reported one by one; what is new here was refused, by us or by the user's permissions.
      for (const { tool_use_id, tool_name, tool_response } of tool_calls)
        bridge.afterTool(outcome(tool_use_id, tool_name, responseText(tool_response), true), agent);
      return NOTHING;
    },
    UserPromptSubmit({ prompt }, agent) {
      bridge.message({ role: "user", content: prompt, agent });
      return NOTHING;
    },
    SubagentStop(_payload, agent) {
      bridge.agentEnded(agent);
      return NOTHING;
    },
    Stop(_payload, agent) {
      bridge.turnEnded(agent);
      return NOTHING;
    },
  };
  let live = false;
  return {
    get live() {
      return live;
    },
    async handle(event, body, signal) {
      const payload = payloadShape.parse(JSON.parse(body));
      live = true;
      const handler = Object.hasOwn(handlers, event) ? handlers[event as HookEvent] : undefined;
      return handler ? handler(payload, agentOf(payload), signal) : NOTHING;
    },
  };
}

function outcome(id: string, name: string, text: string, isError: boolean, durationMs?: number) {
  return { id, name, text, isError, ...(durationMs === undefined ? {} : { durationMs }) };
}

/**
 * A call that was only looked at gets no decision, and an edited one none either: the user's own permissions apply to what is going to
 * run. The model still sees the call as it made it, so it is told of an edit.
 */
export function preToolAnswer(decision: ToolDecision): HookAnswer {
  const answer = (fields: Record<string, unknown>) => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
  });
  if (decision.do === "cancel")
    return answer({ permissionDecision: "deny", permissionDecisionReason: decision.reason });
  if (!decision.edited) return NOTHING;
  return answer({ updatedInput: decision.input, additionalContext: editNote(decision.input) });
}

const MOST_CONTEXT = 8_000;

function editNote(input: unknown): string {
  const text = JSON.stringify(input) ?? "null";
  const shown = text.length > MOST_CONTEXT ? `${text.slice(0, MOST_CONTEXT)}…` : text;
  return `The user changed the input of this tool call before it ran. It ran with: ${shown}`;
}
