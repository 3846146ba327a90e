/** Says that a call is still at it, to a client that asked to be told. */
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";

const EVERY_MS = 1000;

export interface Progress {
  say(text: string): void;
  end(): void;
}

export function progress(
  extra: RequestHandlerExtra<ServerRequest, ServerNotification>,
): Progress | undefined {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const began = performance.now();
  let last = -1;
  let message = "started";
  const send = () => {
    // It must grow with every message.
    last = Math.max(last + 0.001, Math.round((performance.now() - began) / 100) / 10);
    const params = { progressToken, progress: last, message };
    // Whoever is gone needs no news.
    extra.sendNotification({ method: "notifications/progress", params }).catch(() => {});
  };
  send();
  const timer = setInterval(() => {
    message = message === "started" ? "running" : message;
    send();
  }, EVERY_MS);
  return {
    say: (text) => {
      message = text.trim();
      send();
    },
    end: () => clearInterval(timer),
  };
}
