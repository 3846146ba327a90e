/** A run in numbers: one pass over its events, with memory that does not grow with their number. */
import type { AgentEvent, Usage } from "../events.ts";
import { Greatest, RecentMap } from "./bounded.ts";
import { ByHand } from "./by-hand.ts";
import { CacheMisses } from "./cache-misses.ts";
import {
  type AgentRow,
  type ErrorRow,
  type Explanation,
  type ModelRow,
  noTokens,
  type SlowCall,
  type Tokens,
  type ToolRow,
} from "./explanation.ts";
import {
  agentOf,
  type Fields,
  isRecord,
  line,
  number,
  preview,
  type ReadBody,
  text,
  timeOf,
  usageOf,
} from "./fields.ts";
import { costOf, type Price, type PriceOf, priceTable } from "./prices.ts";
import type { EventBatches } from "./range.ts";
import { Repeats } from "./repeats.ts";

export interface ExplainOptions {
  readBody: ReadBody;
  /** The user's own, which go before the list prices. */
  prices?: readonly Price[] | undefined;
  /** Of a run that is alive: the time, in milliseconds since 1970. What is held is held until now. */
  now?: number | undefined;
  signal?: AbortSignal | undefined;
}

export async function explainRun(events: EventBatches, options: ExplainOptions): Promise<Explanation> {
  const run = new Run(options);
  for await (const batch of events) {
    options.signal?.throwIfAborted();
    for (const event of batch) {
      const later = run.take(event);
      if (later !== undefined) await later;
    }
  }
  return run.explanation(options.now);
}

interface OpenCall {
  req: number;
  agent: string;
  class: string;
  wire: string;
  model: string;
  body: unknown;
  timeMs: number;
}

/** Names come from the wire, so each of these is bounded. */
const MOST_ROWS = 2000;

class Run {
  readonly #priceOf: PriceOf;
  readonly #cache: CacheMisses;
  readonly #repeats = new Repeats();
  readonly #open = new RecentMap<number, OpenCall>(10_000);
  readonly #models = new RecentMap<string, ModelRow>(MOST_ROWS);
  readonly #agents = new RecentMap<string, AgentRow>(MOST_ROWS);
  readonly #tools = new RecentMap<string, ToolRow>(MOST_ROWS);
  readonly #errors = new RecentMap<string, ErrorRow>(MOST_ROWS);
  readonly #slow = new Greatest<SlowCall>(3);
  readonly #unpriced = new Set<string>();
  readonly #known: Explanation;
  /** The call that each agent made last: a hook does not know which one asked for its tool. */
  readonly #lastCall = new RecentMap<string, number>(MOST_ROWS);
  readonly #byHand = new ByHand();
  #first: number | undefined;
  #began: number | undefined;
  #last = 0;

  constructor({ readBody, prices }: ExplainOptions) {
    this.#priceOf = priceTable(prices);
    this.#cache = new CacheMisses(readBody);
    this.#known = blank(this.#cache.summary(), this.#byHand);
  }

  /** A promise only where a body has to be read: there is one for few of the events, and waiting for each would cost more than all the rest. */
  take(event: AgentEvent): Promise<void> | undefined {
    const known = this.#known;
    const time = timeOf(event);
    if (known.events === 0) known.session = event.sessionId;
    known.events += 1;
    if (!Number.isNaN(time)) {
      this.#first ??= time;
      this.#began ??= Date.parse(event.timestamp);
      this.#last = time;
    }
    const data = isRecord(event.data) ? event.data : {};
    this.#byHand.take(event, data);
    return this.#model(event, data, time) ?? this.#other(event, data);
  }

  #model({ type }: AgentEvent, data: Fields, time: number): Promise<void> | undefined {
    switch (type) {
      case "api_request":
        this.#request(data, time);
        return undefined;
      case "api_response":
        return this.#response(data);
      case "api_error": {
        const call = this.#open.take(number(data.req) ?? -1);
        const status = number(data.status);
        const kind = [status, text(data.errorType)].filter((part) => part !== undefined).join(" ");
        this.#error("api", kind === "" ? "no answer" : kind, data.message ?? data.error ?? call?.model);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #request(data: Fields, timeMs: number): void {
    const known = this.#known;
    const kind = text(data.class) ?? "main";
    if (kind === "subagent" || kind === "compaction" || kind === "auxiliary") known.calls[kind] += 1;
    else known.calls.main += 1;
    if (data.retryOf !== undefined) known.calls.retries += 1;
    if (data.dirty === true) this.#byHand.touched.requestsEdited += 1;
    if (kind !== "auxiliary") known.iterations += 1;
    const agent = agentOf(data);
    this.#agent(agent).calls += 1;
    const req = number(data.req);
    if (req !== undefined && kind !== "auxiliary") this.#lastCall.set(agent, req);
    const model = text(data.model) ?? "unknown";
    const body = data.sent ?? data.body;
    if (req !== undefined) {
      this.#open.set(req, { req, agent, class: kind, wire: text(data.wire) ?? "", model, body, timeMs });
    }
  }

  #response(data: Fields): Promise<void> | undefined {
    const req = number(data.req) ?? -1;
    const call = this.#open.take(req);
    const agent = call?.agent ?? agentOf(data);
    const model = text(data.model) ?? call?.model ?? "unknown";
    const durationMs = number(data.durationMs);
    if (durationMs !== undefined) {
      this.#known.modelMs += durationMs;
      this.#slow.add(durationMs, { req, agent, model, firstMs: number(data.firstMs), durationMs });
    }
    const usage = usageOf(data);
    if (usage === undefined) return undefined;
    this.#spend(agent, model, usage);
    if (call === undefined || call.class === "auxiliary" || call.class === "compaction") return undefined;
    return this.#cache.answered({ ...call, usage });
  }

  #spend(agent: string, model: string, usage: Usage): void {
    const price = this.#priceOf(model);
    const dollars = price === undefined ? undefined : costOf(usage, price);
    const row = this.#models.get(model) ?? { model, calls: 0, tokens: noTokens(), dollars: price && 0 };
    row.calls += 1;
    add(row.tokens, usage);
    if (dollars === undefined) {
      if (this.#unpriced.size < 100) this.#unpriced.add(model);
    } else row.dollars = (row.dollars ?? 0) + dollars;
    this.#models.set(model, row);
    const who = this.#agent(agent);
    add(who.tokens, usage);
    who.dollars += dollars ?? 0;
    add(this.#known.tokens, usage);
    this.#known.dollars += dollars ?? 0;
  }

  #other({ type, timestamp }: AgentEvent, data: Fields): undefined {
    const known = this.#known;
    switch (type) {
      case "session_start":
        known.client = text(data.client) ?? text(data.provider);
        known.cwd = text(data.cwd);
        known.startedAt ??= timestamp;
        break;
      case "session_end":
        known.end = {
          known: true,
          exit: number(data.exit),
          signal: text(data.signal),
          reason: text(data.reason),
        };
        break;
      case "agent_start": {
        const row = this.#agent(agentOf(data));
        row.name = text(data.name) ?? row.name;
        row.parent = text(data.parent) ?? row.parent;
        break;
      }
      case "turn_start":
        known.turns += 1;
        break;
      case "user_input":
        this.#userInputs += 1;
        break;
      case "context_compaction":
        this.#cache.compaction(agentOf(data));
        known.compactions.count += 1;
        known.compactions.last = {
          req: number(data.req),
          before: number(data.messagesBefore) ?? 0,
          after: number(data.messagesAfter) ?? 0,
        };
        break;
      case "error":
        this.#error("run", "error", data.message);
        break;
      default:
        this.#tool(type, data);
    }
  }

  #userInputs = 0;

  #tool(type: string, data: Fields): void {
    const name = text(data.name) ?? "unknown";
    switch (type) {
      case "tool_call_start":
        this.#toolRow(name).count += 1;
        this.#agent(agentOf(data)).toolCalls += 1;
        this.#repeats.add(
          agentOf(data),
          name,
          data.input,
          number(data.req) ?? this.#lastCall.get(agentOf(data)),
        );
        break;
      case "tool_call_end": {
        const ms = number(data.durationMs);
        if (ms === undefined) break;
        const row = this.#toolRow(name);
        row.totalMs += ms;
        row.maxMs = Math.max(row.maxMs, ms);
        row.timed += 1;
        this.#known.toolMs += ms;
        break;
      }
      case "tool_result":
        // What a person forbade did not fail.
        if (data.isError !== true || this.#byHand.forbidden.has(data.toolId)) break;
        this.#toolRow(name).errors += 1;
        this.#error("tool", name, data.content ?? data.result);
        break;
      case "tool_call_cancel":
        if (data.name !== undefined && this.#byHand.forbidden.has(data.toolId))
          this.#toolRow(name).cancelled += 1;
        break;
    }
  }

  #agent(id: string): AgentRow {
    const row = this.#agents.get(id) ?? { id, calls: 0, toolCalls: 0, tokens: noTokens(), dollars: 0 };
    this.#agents.set(id, row);
    return row;
  }

  #toolRow(name: string): ToolRow {
    const row = this.#tools.get(name) ?? {
      ...{ name, count: 0, errors: 0, cancelled: 0 },
      ...{ timed: 0, totalMs: 0, maxMs: 0, heldMs: 0 },
    };
    this.#tools.set(name, row);
    return row;
  }

  #error(of: ErrorRow["of"], what: string, message: unknown): void {
    const key = `${of} ${what}`;
    const row = this.#errors.get(key) ?? { of, what: line(what, 60), count: 0, message: "" };
    row.count += 1;
    row.message = preview(message, 100);
    this.#errors.set(key, row);
  }

  explanation(now: number | undefined): Explanation {
    const known = this.#known;
    const live = now !== undefined && !known.end.known;
    const wallMs = this.#first === undefined ? 0 : this.#last - this.#first;
    const until = live ? (this.#first ?? 0) + Math.max(wallMs, now - (this.#began ?? now)) : this.#last;
    const tools = [...this.#tools.values()].map((row) => ({
      ...row,
      heldMs: this.#byHand.held.ofTool(row.name, until),
    }));
    const errors = [...this.#errors.values()];
    return {
      ...known,
      turns: known.turns === 0 ? this.#userInputs : known.turns,
      wallMs: live ? until - (this.#first ?? until) : wallMs,
      live,
      held: this.#byHand.held.summary(until, live),
      touched: this.#byHand.touched,
      calls: { ...known.calls, unanswered: this.#open.size },
      cache: this.#cache.summary(),
      unpriced: [...this.#unpriced],
      models: [...this.#models.values()].sort((a, b) => b.tokens.input - a.tokens.input),
      repeats: this.#repeats.summary(),
      tools: tools.sort((a, b) => b.totalMs - a.totalMs || b.count - a.count),
      slowCalls: this.#slow.list(),
      errors: errors.sort((a, b) => b.count - a.count),
      agents: [...this.#agents.values()].sort((a, b) => b.tokens.input - a.tokens.input),
    };
  }
}

function add(to: Tokens, usage: Usage): void {
  to.input += usage.inputTokens;
  to.cacheRead += usage.cacheReadTokens;
  to.cacheWritten += usage.cacheCreationTokens;
  to.output += usage.outputTokens;
}

function blank(cache: Explanation["cache"], byHand: ByHand): Explanation {
  return {
    session: "",
    wallMs: 0,
    live: false,
    end: { known: false },
    events: 0,
    turns: 0,
    iterations: 0,
    calls: { main: 0, subagent: 0, compaction: 0, auxiliary: 0, retries: 0, unanswered: 0 },
    tokens: noTokens(),
    dollars: 0,
    unpriced: [],
    models: [],
    cache,
    repeats: { calls: 0, worst: [] },
    tools: [],
    slowCalls: [],
    modelMs: 0,
    toolMs: 0,
    errors: [],
    held: byHand.held.summary(0, false),
    agents: [],
    compactions: { count: 0 },
    touched: byHand.touched,
  };
}
