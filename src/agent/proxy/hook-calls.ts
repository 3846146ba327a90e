/** Hooks of a client that come in on the proxy's port: a POST each, answered with JSON. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProxyOptions } from "./options.ts";
import { readBody } from "./request-body.ts";

const MOST_BYTES = 64 * 2 ** 20;

interface HookCall {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  gone: AbortSignal;
}

export async function serveHook(
  hooks: NonNullable<ProxyOptions["hooks"]>,
  { request, response, path, gone }: HookCall,
): Promise<void> {
  const body = await readBody(request, MOST_BYTES);
  const event = /^\/hooks\/(\w+)/.exec(path)?.[1] ?? "";
  if ("tooLong" in body || request.method !== "POST") {
    response.writeHead(400, { "content-length": 0 });
    response.end();
    return;
  }
  try {
    const answer = await hooks.handle(event, body.whole.toString("utf8"), gone);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  } catch (thrown) {
    if (gone.aborted) return;
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: (thrown as Error).message }));
  }
}
