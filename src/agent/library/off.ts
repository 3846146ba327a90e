/** The bridge when it is off. Nothing is loaded, made or recorded. */

import type { AgentBridge } from "./bridge.ts";
import { conversationOf } from "./conversation.ts";

export function offBridge(): AgentBridge {
  const running = new AbortController().signal;
  return {
    enabled: false,
    session: undefined,
    folder: undefined,
    beforeModel: async (request) => ({ req: 0, request, heldMs: 0 }),
    afterModel() {},
    modelFailed() {},
    model: (request, run) => run(request),
    beforeTool: async ({ input, signal }) => ({
      run: true,
      input,
      edited: false,
      heldMs: 0,
      signal: signal ?? running,
    }),
    afterTool() {},
    tool: async ({ input, signal }, run) => ({
      cancelled: false,
      value: await run(input, { signal: signal ?? running }),
      input,
      edited: false,
    }),
    message() {},
    turnEnded() {},
    conversation: conversationOf,
    now: () => performance.now(),
    heldMs: () => 0,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
