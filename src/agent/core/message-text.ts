/** Messages as text, for previews. */
import type { Message, Part } from "./model.ts";

export function textOf({ parts }: Message): string {
  return parts.map(partText).join("\n");
}

function partText(part: Part): string {
  switch (part.kind) {
    case "text":
    case "thinking":
      return part.text;
    case "tool_call":
      return `[calls ${part.name} ${JSON.stringify(part.input)}]`;
    case "tool_result":
      return `[result${part.isError ? ", an error" : ""}] ${part.text}`;
    case "other":
      return `[${part.type}, ${part.bytes} bytes]`;
  }
}

/** How clients begin what they put in place of a conversation that grew too long. */
const SUMMARY =
  /\b(continued from a previous conversation|conversation (so far|summary)|summary of (the|our|this) conversation)\b/i;

export function isSummary(message: Message): boolean {
  return SUMMARY.test(textOf(message).slice(0, 400));
}
