/** OpenAI Chat Completions: what a request says. */
import type { Message, Part, ToolDescription } from "../../core/model.ts";
import { exactOf, type Fields, fields, list, sizeOf, text, toolInput } from "../fields.ts";
import { plainText } from "./anthropic.ts";

const SYSTEM = new Set(["system", "developer"]);

/** Those at the beginning: later ones are part of the conversation. */
export function system(body: Fields): string {
  const found: string[] = [];
  for (const entry of list(body.messages)) {
    const message = fields(entry);
    if (!SYSTEM.has(text(message.role))) break;
    found.push(plainText(message.content));
  }
  return found.join("\n\n");
}

export function messages(body: Fields): Message[] {
  return list(body.messages).map((entry) => {
    const message = fields(entry);
    return { role: text(message.role), parts: parts(message) };
  });
}

export function tools(body: Fields): ToolDescription[] {
  return list(body.tools).map((entry) => {
    const tool = fields(entry);
    const inner = fields(tool.function ?? tool.custom);
    return {
      name: text(inner.name) || text(tool.name) || text(tool.type),
      description: text(inner.description) || text(tool.description),
    };
  });
}

/** Of a message in a request, or in an answer that was not streamed. */
export function parts(message: Fields): Part[] {
  if (message.role === "tool") {
    return [
      {
        kind: "tool_result",
        id: text(message.tool_call_id),
        text: plainText(message.content),
        isError: false,
      },
    ];
  }
  const said: Part[] = [];
  if (typeof message.reasoning_content === "string")
    said.push({ kind: "thinking", text: message.reasoning_content });
  if (typeof message.content === "string") said.push({ kind: "text", text: message.content });
  for (const entry of list(message.content)) said.push(contentPart(fields(entry)));
  if (typeof message.refusal === "string") said.push({ kind: "text", text: message.refusal });
  for (const entry of list(message.tool_calls)) said.push(toolCall(fields(entry)));
  return said;
}

function contentPart(entry: Fields): Part {
  if (typeof entry.text === "string") return { kind: "text", text: entry.text };
  if (typeof entry.refusal === "string") return { kind: "text", text: entry.refusal };
  return { kind: "other", type: text(entry.type) || "unknown", bytes: sizeOf(entry) };
}

export function toolCall(call: Fields): Part & { kind: "tool_call" } {
  const custom = fields(call.custom);
  const named = fields(call.function);
  return {
    kind: "tool_call",
    id: text(call.id),
    name: text(named.name) || text(custom.name),
    ...(call.type === "custom"
      ? { input: text(custom.input) }
      : { input: toolInput(text(named.arguments)), ...exactOf(text(named.arguments)) }),
  };
}
