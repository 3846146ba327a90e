/** Items of a Responses output, changed. */
import { type Fields, fields, parse } from "../fields.ts";
import { replaceAt } from "../json-slices.ts";
import { inputText } from "./gate.ts";

/** The JSON text of an item that calls a tool, with another input. */
export function withInput(item: string, input: unknown): string {
  switch (fields(parse(item)).type) {
    case "custom_tool_call":
      return replaceAt(item, ["input"], JSON.stringify(inputText(input)));
    case "local_shell_call":
      return replaceAt(item, ["action"], JSON.stringify(input));
    default:
      return replaceAt(item, ["arguments"], JSON.stringify(inputText(input)));
  }
}

export function messageItem(id: string, said: string): Fields {
  return {
    id,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: said, annotations: [] }],
  };
}
