/** The gate for each wire. */
import type { HttpWire } from "../routes.ts";
import { AnthropicGate } from "./anthropic.ts";
import { ChatGate } from "./chat.ts";
import type { ToolGate } from "./gate.ts";
import { ResponsesGate } from "./responses.ts";

export function toolGate(wire: HttpWire): ToolGate {
  switch (wire) {
    case "anthropic":
      return new AnthropicGate();
    case "openai-chat":
      return new ChatGate();
    case "openai-responses":
      return new ResponsesGate();
  }
}
