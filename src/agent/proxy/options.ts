/** What a proxy is given. */
import type { Seams } from "../core/model.ts";
import type { HookHandler } from "../hooks/handler.ts";
import type { EventLog } from "../store/log.ts";

/**
 * What a client that waits for a held call gets to hear. `silent`: nothing, its own limits were raised. The others begin the answer early and send
 * what its wire allows: `ping` events for Anthropic Messages, comments for the OpenAI wires.
 */
export type KeepAlive = "silent" | "ping" | "comment";

export interface ProxyOptions {
  bridge: Seams;
  log: EventLog;
  /** As the clients' own variables have them: Anthropic's without `/v1`, OpenAI's with it. Paths in front are kept. */
  upstreams: { anthropic?: string | URL; openai?: string | URL };
  /** The user's, for the proxy and the certificates that it names. */
  env?: NodeJS.ProcessEnv;
  /** Told to the user: what of the environment is left out. */
  note?(text: string): void;
  keepAlive?: KeepAlive;
  /** Claude Code's hooks come in on the same port. Once they do, tools are decided there and not in the stream. */
  hooks?: Pick<HookHandler, "live" | "handle">;
  /** Milliseconds of silence before the first keep-alive, and between two. */
  keepAliveAfterMs?: number;
  keepAliveEveryMs?: number;
  /** The upstream is one of ours: it is told the number of each call. */
  numbersCalls?: boolean;
  /** Longer request bodies pass unread. */
  maxBodyBytes?: number;
}
