/** The bridge as a middleware of the Anthropic SDK, whose time-outs do not count what happens here. */
import type { AgentBridge } from "../bridge.ts";
import { insideOf } from "../live.ts";
import type { HttpAdapterOptions } from "./call.ts";
import { exchange } from "./exchange.ts";

/** As much of the SDK's own type as is used: it must not be needed to compile. */
export type AnthropicMiddleware = <R extends AnthropicRequest>(
  request: R,
  next: (request: R) => Promise<Response>,
) => Promise<Response>;

export interface AnthropicRequest {
  url: string;
  method?: string | undefined;
  headers?: unknown;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** `new Anthropic({ middleware: [anthropicMiddleware(bridge)] })` */
export function anthropicMiddleware(
  bridge: AgentBridge,
  options: HttpAdapterOptions = {},
): AnthropicMiddleware {
  const inside = insideOf(bridge);
  return async (request, next) => {
    const { url, method = "GET", body, signal } = request;
    if (!inside || typeof body !== "string") return next(request);
    return exchange(
      inside,
      { url, method: method.toUpperCase(), body, signal: signal ?? undefined },
      options,
      (sent) => next(sent === body ? request : { ...request, body: sent }),
    );
  };
}
