/** Anthropic Messages: what a request says. */
import type { Message, Part, ToolDescription } from "../../core/model.ts";
import { type Fields, fields, list, sizeOf, text } from "../fields.ts";

export function system(body: Fields): string {
  return plainText(body.system);
}

export function messages(body: Fields): Message[] {
  return list(body.messages).map((entry) => {
    const message = fields(entry);
    return { role: text(message.role), parts: parts(message.content) };
  });
}

export function tools(body: Fields): ToolDescription[] {
  return list(body.tools).map((entry) => {
    const tool = fields(entry);
    return { name: text(tool.name) || text(tool.type), description: text(tool.description) };
  });
}

/** A text, or a list of blocks. */
export function parts(content: unknown): Part[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return list(content).map((block) => part(fields(block)));
}

export function part(block: Fields): Part {
  switch (block.type) {
    case "text":
      return { kind: "text", text: text(block.text) };
    case "thinking":
      return { kind: "thinking", text: text(block.thinking) };
    case "tool_use":
      return { kind: "tool_call", id: text(block.id), name: text(block.name), input: block.input ?? {} };
    case "tool_result":
      return {
        kind: "tool_result",
        id: text(block.tool_use_id),
        text: plainText(block.content),
        isError: block.is_error === true,
      };
    default:
      return { kind: "other", type: text(block.type) || "unknown", bytes: sizeOf(block) };
  }
}

/** The text of a string or of blocks; what is no text is named by its type. */
export function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((entry) => {
      const block = fields(entry);
      return typeof block.text === "string" ? block.text : `[${text(block.type) || "unknown"}]`;
    })
    .join("\n");
}
