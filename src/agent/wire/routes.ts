/** Which wire a request speaks, by its path. */
import type { Wire } from "../core/model.ts";

export type HttpWire = Exclude<Wire, "library">;

export interface Route {
  wire: HttpWire;
  /** It asks a question about a request, not a model: a token count. */
  auxiliary: boolean;
}

const ROUTES: readonly { ends: string; route: Route }[] = [
  { ends: "/v1/messages", route: { wire: "anthropic", auxiliary: false } },
  { ends: "/v1/messages/count_tokens", route: { wire: "anthropic", auxiliary: true } },
  { ends: "/chat/completions", route: { wire: "openai-chat", auxiliary: false } },
  { ends: "/responses", route: { wire: "openai-responses", auxiliary: false } },
];

/** Undefined: none that we know; it is passed on as it is. */
export function wireOf(method: string, path: string): Route | undefined {
  if (method !== "POST") return undefined;
  const plain = path.split(/[?#]/, 1)[0]?.replace(/\/+$/, "") ?? "";
  return ROUTES.find(({ ends }) => plain === ends || plain.endsWith(ends))?.route;
}

/** The key that holds the conversation. */
export function conversationKey(wire: Wire): "messages" | "input" {
  return wire === "openai-responses" ? "input" : "messages";
}
