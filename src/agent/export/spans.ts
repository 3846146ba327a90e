/** A run's events as spans, by the names that OpenTelemetry gives to what generative models do. */
import type { AgentEvent } from "../events.ts";
import { RecentMap } from "../explain/bounded.ts";
import {
  agentOf,
  type Fields,
  isRecord,
  number,
  preview,
  type ReadBody,
  text,
  usageOf,
} from "../explain/fields.ts";
import { Clock } from "../explain/range.ts";
import { contentOf } from "./content.ts";
import { type AttributeValue, type Resource, type Span, spanIdOf, traceIdOf } from "./span.ts";

export interface SpanOptions {
  version: string;
  /** What was said and done goes along, not only that it was. */
  content?: { readBody: ReadBody } | undefined;
}

interface OpenTool {
  span: Span;
  agent: string;
  ended: boolean;
}

export class SpanBuilder {
  readonly #options: SpanOptions;
  readonly #clock = new Clock();
  readonly #agents = new RecentMap<string, Span>(2000);
  readonly #calls = new RecentMap<number, Span>(10_000);
  readonly #tools = new RecentMap<string, OpenTool>(10_000);
  #done: Span[] = [];
  #root: Span | undefined;
  #base = 0;
  #last = 0;
  #session = "";
  #client: string | undefined;
  #provider: string | undefined;

  constructor(options: SpanOptions) {
    this.#options = options;
  }

  get resource(): Resource {
    return {
      attributes: {
        "service.name": this.#client ?? "agent",
        "service.instance.id": this.#session,
        "telemetry.sdk.name": "sonde",
        "telemetry.sdk.language": "nodejs",
      },
      version: this.#options.version,
    };
  }

  /** A promise only where content has to be read. */
  take(event: AgentEvent): Promise<void> | undefined {
    const { atMs, seq } = this.#clock.place(event);
    const data = isRecord(event.data) ? event.data : {};
    if (this.#root === undefined) this.#begin(event, atMs, data);
    const now = this.#base + atMs;
    this.#last = Math.max(this.#last, now);
    switch (event.type) {
      case "api_request":
        return this.#request(data, now, seq);
      case "api_response":
        return this.#response(data, now);
      case "api_error":
        this.#failed(data, now);
        return undefined;
      case "tool_call_start":
        return this.#toolStart(data, now, seq);
      case "tool_call_end":
      case "tool_result":
      case "tool_call_cancel":
        return this.#toolEnd(event.type, data, now);
      case "agent_start":
        this.#agent(agentOf(data), now, data);
        return undefined;
      case "agent_end":
        this.#end(this.#agents.take(agentOf(data)), now);
        return undefined;
      case "session_end": {
        if (this.#root === undefined) return undefined;
        const exit = number(data.exit);
        if (exit !== undefined && exit !== 0) this.#root.error = `exit ${exit}`;
        this.#root.attributes["process.exit.code"] = exit;
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #begin(event: AgentEvent, atMs: number, data: Fields): void {
    this.#session = event.sessionId;
    this.#base = (Date.parse(event.timestamp) || 0) - atMs;
    this.#client = text(data.client);
    this.#provider = text(data.provider);
    const name = this.#client;
    this.#root = this.#span(
      "agent main",
      name === undefined ? "invoke_agent" : `invoke_agent ${name}`,
      this.#base + atMs,
      {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": this.#provider,
        "gen_ai.agent.id": "main",
        "gen_ai.agent.name": name,
      },
    );
  }

  #span(
    key: string,
    name: string,
    startMs: number,
    attributes: Record<string, AttributeValue | undefined>,
    parent?: string,
  ): Span {
    return {
      traceId: traceIdOf(this.#session),
      spanId: spanIdOf(this.#session, key),
      parentSpanId: parent,
      name,
      kind: "internal",
      startMs,
      endMs: startMs,
      attributes: { ...attributes, "gen_ai.conversation.id": this.#session },
    };
  }

  /** The span of an agent; one that was never announced begins with what it does first. */
  #agent(id: string, now: number, data: Fields = {}): Span | undefined {
    if (id === "main") return this.#root;
    const known = this.#agents.get(id);
    if (known !== undefined) return known;
    const parent = text(data.parent) ?? "main";
    const name = text(data.name);
    const span = this.#span(
      `agent ${id}`,
      `invoke_agent ${name ?? id}`,
      now,
      { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": id, "gen_ai.agent.name": name },
      this.#startedBy(parent),
    );
    this.#agents.set(id, span);
    return span;
  }

  /** The tool call that a sub-agent is the work of, where there is only one that it can be. */
  #startedBy(parent: string): string | undefined {
    const running = [...this.#tools.values()].filter(({ agent, ended }) => agent === parent && !ended);
    const [only] = running;
    return running.length === 1 && only !== undefined
      ? only.span.spanId
      : (this.#agents.get(parent) ?? this.#root)?.spanId;
  }

  #request(data: Fields, now: number, seq: number): Promise<void> | undefined {
    const agent = agentOf(data);
    const model = text(data.model);
    this.#settleTools(agent, now);
    const span = this.#span(
      `event ${seq}`,
      model === undefined ? "chat" : `chat ${model}`,
      now,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": text(data.provider) ?? this.#provider,
        "gen_ai.request.model": model,
        "gen_ai.request.stream": typeof data.stream === "boolean" ? data.stream : undefined,
        "gen_ai.agent.id": agent,
        "sonde.call": number(data.req),
        "sonde.call.class": text(data.class),
        "sonde.call.edited": data.dirty === true ? true : undefined,
      },
      this.#agent(agent, now)?.spanId,
    );
    span.kind = "client";
    this.#calls.set(number(data.req) ?? -seq, span);
    return this.#fill(span, () => contentOf.request(text(data.wire) ?? "", data.sent ?? data.body));
  }

  #response(data: Fields, now: number): Promise<void> | undefined {
    const span = this.#calls.take(number(data.req) ?? Number.NaN);
    if (span === undefined) return undefined;
    const usage = usageOf(data);
    const stop = text(data.stopReason);
    const firstMs = number(data.firstMs);
    Object.assign(span.attributes, {
      "gen_ai.response.id": text(data.id),
      "gen_ai.response.model": text(data.model),
      "gen_ai.response.finish_reasons": stop === undefined ? undefined : [stop],
      "gen_ai.response.time_to_first_chunk": firstMs === undefined ? undefined : firstMs / 1000,
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
      "gen_ai.usage.cache_creation.input_tokens": usage?.cacheCreationTokens,
      "gen_ai.usage.reasoning.output_tokens": usage?.reasoningTokens,
    });
    this.#end(span, now);
    return this.#fill(span, () => contentOf.response(data.content, stop ?? ""));
  }

  #failed(data: Fields, now: number): void {
    const span = this.#calls.take(number(data.req) ?? Number.NaN);
    if (span === undefined) return;
    const status = number(data.status);
    span.attributes["error.type"] =
      text(data.errorType) ?? (status === undefined ? "_OTHER" : String(status));
    span.attributes["http.response.status_code"] = status;
    // A provider's words may repeat what it was asked.
    span.error =
      this.#options.content === undefined ? `status ${status ?? "none"}` : preview(data.message, 500);
    this.#end(span, now);
  }

  #toolStart(data: Fields, now: number, seq: number): Promise<void> | undefined {
    const id = text(data.toolId) ?? `event ${seq}`;
    const agent = agentOf(data);
    const name = text(data.name) ?? "tool";
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": text(data.toolId),
      "gen_ai.agent.id": agent,
    };
    const span = this.#span(
      `event ${seq}`,
      `execute_tool ${name}`,
      now,
      attributes,
      this.#agent(agent, now)?.spanId,
    );
    this.#tools.set(id, { span, agent, ended: false });
    return this.#fill(span, () => contentOf.text("gen_ai.tool.call.arguments", data.input));
  }

  /** A tool's end and its result come apart, in either order: the span is complete with the result. */
  #toolEnd(type: string, data: Fields, now: number): Promise<void> | undefined {
    const id = text(data.toolId) ?? "";
    const open = this.#tools.get(id);
    if (open === undefined) return undefined;
    if (!open.ended) open.span.endMs = now;
    open.ended = true;
    if (data.isError === true || type === "tool_call_cancel") {
      open.span.error = type === "tool_call_cancel" ? "cancelled" : "the tool failed";
      open.span.attributes["error.type"] = type === "tool_call_cancel" ? "cancelled" : "tool_error";
    }
    if (type === "tool_call_end") return undefined;
    this.#tools.take(id);
    this.#done.push(open.span);
    return this.#fill(open.span, () =>
      contentOf.text("gen_ai.tool.call.result", data.content ?? data.result),
    );
  }

  /** Tools that have ended and whose results never came on their own. */
  #settleTools(agent: string, now: number): void {
    for (const [id, open] of [...this.#tools.entries()]) {
      if (open.agent !== agent || !open.ended) continue;
      this.#tools.take(id);
      this.#end(open.span, Math.min(now, open.span.endMs));
    }
  }

  #end(span: Span | undefined, now: number): void {
    if (span === undefined) return;
    span.endMs = now;
    this.#done.push(span);
  }

  #fill(span: Span, content: () => ReturnType<typeof contentOf.text>): Promise<void> | undefined {
    const { content: wanted } = this.#options;
    if (wanted === undefined) return undefined;
    return content()(wanted.readBody).then((attributes) => {
      Object.assign(span.attributes, attributes);
    });
  }

  /** Spans that are complete, once each. */
  drain(): Span[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  /** What is still open ends with the last event; it is marked. */
  finish(): Span[] {
    const open = [...this.#calls.values(), ...[...this.#tools.values()].map(({ span }) => span)];
    for (const span of open) span.attributes["sonde.unfinished"] = true;
    for (const span of [...open, ...this.#agents.values()]) this.#end(span, this.#last);
    this.#end(this.#root, this.#last);
    this.#root = undefined;
    return this.drain();
  }
}
