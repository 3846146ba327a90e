/** What tools returned, as the next request tells it: for agents whose tools the bridge does not see. */
import type { Bridge } from "../../core/bridge.ts";
import type { AgentRef, Message } from "../../core/model.ts";

/** Those since the model spoke last; each is reported once. */
export function reportResults(core: Bridge, messages: readonly Message[], agent: AgentRef): void {
  const last = messages.findLastIndex(({ role, parts }) => role === "assistant" && !parts.some(isResult));
  for (const { parts } of messages.slice(last + 1))
    for (const part of parts)
      if (part.kind === "tool_result") {
        const { id, text, isError } = part;
        core.afterTool({ id, name: nameOf(id, messages), text, isError }, agent);
      }
}

function isResult({ kind }: Message["parts"][number]): boolean {
  return kind === "tool_result";
}

function nameOf(id: string, messages: readonly Message[]): string {
  for (const { parts } of messages)
    for (const part of parts) if (part.kind === "tool_call" && part.id === id) return part.name;
  return "";
}
