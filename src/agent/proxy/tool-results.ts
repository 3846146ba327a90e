/** What became of tools, as far as the next request shows it. */
import type { Message, RequestView, ToolOutcome } from "../core/model.ts";

/** The results that a request brings: those behind the last thing that the model said. */
export function newResults({ wire, messages }: RequestView): ToolOutcome[] {
  let first = messages.length;
  for (; first > 0; first--) {
    const message = messages[first - 1];
    if (!message || isSaid(wire, message)) break;
  }
  const results = messages
    .slice(first)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "tool_result" ? [part] : [])));
  return results.map(({ id, text, isError }) => ({ id, name: nameOf(messages, id), text, isError }));
}

/** Responses: calls and their results may stand in turns; only words end them. */
function isSaid(wire: string, { role, parts }: Message): boolean {
  if (role !== "assistant") return false;
  return wire !== "openai-responses" || parts.some(({ kind }) => kind === "text");
}

function nameOf(messages: readonly Message[], id: string): string {
  for (let at = messages.length - 1; at >= 0; at--)
    for (const part of messages[at]?.parts ?? [])
      if (part.kind === "tool_call" && part.id === id) return part.name;
  return "";
}
