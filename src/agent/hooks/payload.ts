/** What Claude Code posts to a hook. Only what we read; anything may be missing or of another kind. Pure. */
import * as z from "zod";
import { type AgentRef, MAIN } from "../core/model.ts";

const text = z.string().catch("");

const toolFields = {
  tool_name: text,
  tool_use_id: text,
  tool_input: z.unknown().optional(),
};

export const payloadShape = z.object({
  ...toolFields,
  agent_id: z.string().optional().catch(undefined),
  agent_type: z.string().optional().catch(undefined),
  tool_response: z.unknown().optional(),
  /** PostToolUseFailure. */
  error: z.unknown().optional(),
  duration_ms: z.number().optional().catch(undefined),
  /** UserPromptSubmit. */
  prompt: text,
  /** PostToolBatch: the responses as the model sees them. */
  tool_calls: z.array(z.object({ ...toolFields, tool_response: z.unknown().optional() })).catch([]),
});
export type Payload = z.infer<typeof payloadShape>;

/** The same id as in the headers of its calls to the model. */
export function agentOf({ agent_id, agent_type }: Payload): AgentRef {
  if (agent_id === undefined || agent_id === "") return MAIN;
  return { id: agent_id, parent: MAIN.id, ...(agent_type ? { name: agent_type } : {}) };
}

/** A tool's response as text: what it printed, or all of it. */
export function responseText(response: unknown): string {
  if (typeof response === "string") return response;
  if (Array.isArray(response)) {
    const texts = response.map((one: unknown) => field(one, "text"));
    if (texts.every((one) => one !== undefined)) return texts.join("\n");
  }
  const printed = ["stdout", "stderr"].map((name) => field(response, name));
  if (printed[0] !== undefined) return printed.filter((one) => one !== undefined && one !== "").join("\n");
  return JSON.stringify(response) ?? "";
}

function field(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === "string" ? found : undefined;
}
