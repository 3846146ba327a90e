/** Events as a session writes them, for tests of what reads them. */
import type { AgentEvent } from "../../../src/agent/events.ts";

export class Events {
  readonly all: AgentEvent[] = [];
  #at = 0;
  readonly #start = Date.parse("2026-11-15T10:00:00.000Z");

  /** `later`: milliseconds since the event before. */
  add(type: string, data: Record<string, unknown> = {}, later = 10): this {
    this.#at += later;
    this.all.push({
      type,
      timestamp: new Date(this.#start + this.#at).toISOString(),
      sessionId: "debug_20261115_100000_abcd",
      seq: this.all.length + 1,
      at: this.#at,
      data,
    });
    return this;
  }

  call(req: number, body: unknown, facts: Record<string, unknown> = {}, later = 10): this {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return this.add(
      "api_request",
      {
        req,
        agent: "main",
        class: "main",
        wire: "anthropic",
        provider: "anthropic",
        model: "claude-opus-4-8",
        body: text,
        dirty: false,
        ...facts,
      },
      later,
    );
  }

  answer(
    req: number,
    usage: Partial<Record<string, number>>,
    facts: Record<string, unknown> = {},
    later = 100,
  ): this {
    const all = { inputTokens: 0, outputTokens: 10, cacheReadTokens: 0, cacheCreationTokens: 0, ...usage };
    return this.add(
      "api_response",
      {
        req,
        agent: "main",
        model: "claude-opus-4-8",
        stopReason: "end_turn",
        usage: all,
        durationMs: later,
        firstMs: later / 2,
        ...facts,
      },
      later,
    );
  }

  async *batches(of = 100): AsyncGenerator<AgentEvent[]> {
    for (let at = 0; at < this.all.length; at += of) yield this.all.slice(at, at + of);
  }
}

export const readBody = (body: unknown): string => {
  if (typeof body === "string") return body;
  throw new Error("not stored");
};

export async function collected(chunks: AsyncIterable<string>): Promise<string> {
  let out = "";
  for await (const chunk of chunks) out += chunk;
  return out;
}
