/** Items of a Responses output, changed. */
import { type EditedInput, editedInput, editedText } from "../edited-input.ts";
import { type Fields, fields, parse, text } from "../fields.ts";
import { changeAt } from "../json-slices.ts";

/** The JSON text of an item that calls a tool, with another input. */
export function withInput(item: string, input: EditedInput): string {
  switch (fields(parse(item)).type) {
    case "custom_tool_call":
      return changeAt(item, ["input"], (json) => asText(input, json));
    case "local_shell_call":
      return changeAt(item, ["action"], (json) => editedInput(input, json));
    default:
      return changeAt(item, ["arguments"], (json) => asText(input, json));
  }
}

/** In place of a JSON text that holds the input as text. */
export function asText(input: EditedInput, json: string): string {
  return JSON.stringify(editedText(input, text(parse(json))));
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
