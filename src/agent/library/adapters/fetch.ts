/** A `fetch` that goes through the bridge, for the `fetch` option of the Anthropic and OpenAI SDKs and whatever else takes one. */
import type { AgentBridge } from "../bridge.ts";
import { insideOf } from "../live.ts";
import type { HttpAdapterOptions } from "./call.ts";
import { exchange } from "./exchange.ts";

export type Fetch = typeof globalThis.fetch;

/**
 * Calls to models (Anthropic Messages, OpenAI Chat and Responses) are recorded, held and changed; all others pass. An SDK's time-out goes on
 * while a call is held: its next try joins the same stop.
 */
export function bridgedFetch(
  bridge: AgentBridge,
  fetch: Fetch = globalThis.fetch,
  options: HttpAdapterOptions = {},
): Fetch {
  const inside = insideOf(bridge);
  if (!inside) return fetch;
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = request?.url ?? String(input);
    const method = init?.method ?? request?.method ?? "GET";
    const given = init?.body ?? undefined;
    const body =
      typeof given === "string"
        ? given
        : given === undefined && request
          ? await request.clone().text()
          : undefined;
    // What is not text is no call to a model.
    if (body === undefined || method !== "POST") return fetch(input, init);
    const signal = init?.signal ?? request?.signal ?? undefined;
    return exchange(inside, { url, method, body, signal }, options, (sent) =>
      sent === body ? fetch(input, init) : fetch(url, rewritten(request, init, sent)),
    );
  };
}

function rewritten(request: Request | undefined, init: RequestInit | undefined, body: string): RequestInit {
  const headers = new Headers(init?.headers ?? request?.headers);
  headers.delete("content-length");
  const signal = init?.signal ?? request?.signal;
  return { ...init, method: "POST", headers, body, ...(signal ? { signal } : {}) };
}
