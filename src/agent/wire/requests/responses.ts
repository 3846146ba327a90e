/** OpenAI Responses: what a request says. Each item of `input` is a message of its own. */
import type { Message, Part, ToolDescription } from "../../core/model.ts";
import { exactOf, type Fields, fields, list, sizeOf, text, toolInput } from "../fields.ts";
import { plainText } from "./anthropic.ts";

export function system(body: Fields): string {
  return text(body.instructions);
}

export function messages(body: Fields): Message[] {
  if (typeof body.input === "string") {
    return [{ role: "user", parts: [{ kind: "text", text: body.input }] }];
  }
  return list(body.input).map((entry) => {
    const item = fields(entry);
    return { role: role(item), parts: parts(item) };
  });
}

/** Codex has some models told of their tools by an item of the input. */
export function tools(body: Fields): ToolDescription[] {
  const inInput = list(body.input).flatMap((entry) => {
    const item = fields(entry);
    return item.type === "additional_tools" ? list(item.tools) : [];
  });
  return [...list(body.tools), ...inInput].map((entry) => {
    const tool = fields(entry);
    return { name: text(tool.name) || text(tool.type), description: text(tool.description) };
  });
}

function role(item: Fields): string {
  if (typeof item.role === "string") return item.role;
  return text(item.type).endsWith("_output") ? "tool" : "assistant";
}

/** Calls that the client runs; the provider runs the others (web_search_call …) itself. */
export const CLIENT_CALLS = new Set(["function_call", "custom_tool_call", "local_shell_call"]);

/** Of an item in a request or in an answer. */
export function parts(item: Fields): Part[] {
  const type = text(item.type) || (item.role === undefined ? "" : "message");
  if (type === "message") return contentParts(item.content);
  if (type === "reasoning") {
    const said = [...list(item.summary), ...list(item.content)].map((entry) => text(fields(entry).text));
    return [{ kind: "thinking", text: said.join("\n") }];
  }
  if (CLIENT_CALLS.has(type)) return [toolCall(item)];
  if (type.endsWith("_output")) {
    const { output } = item;
    const isError = item.status === "incomplete" || fields(output).success === false;
    return [
      { kind: "tool_result", id: text(item.call_id) || text(item.id), text: outputText(output), isError },
    ];
  }
  return [{ kind: "other", type: type || "unknown", bytes: sizeOf(item) }];
}

function outputText(output: unknown): string {
  if (typeof output === "string" || Array.isArray(output)) return plainText(output);
  return output === undefined ? "" : JSON.stringify(output);
}

function contentParts(content: unknown): Part[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return list(content).map((entry) => {
    const piece = fields(entry);
    const said = piece.text ?? piece.refusal;
    if (typeof said === "string") return { kind: "text", text: said };
    return { kind: "other", type: text(piece.type) || "unknown", bytes: sizeOf(piece) };
  });
}

export function toolCall(item: Fields): Part & { kind: "tool_call" } {
  const id = text(item.call_id) || text(item.id);
  const written = text(item.arguments);
  switch (item.type) {
    case "custom_tool_call":
      return { kind: "tool_call", id, name: text(item.name), input: text(item.input) };
    case "local_shell_call":
      return { kind: "tool_call", id, name: "local_shell", input: item.action ?? {} };
    default:
      return { kind: "tool_call", id, name: text(item.name), input: toolInput(written), ...exactOf(written) };
  }
}
