/**
 * A run as columns: for each event a few numbers, so that a view of a hundred thousand of them costs megabytes and not seconds. What an event
 * says is read by range (`eventWords`), its bodies one at a time.
 */
import type { AgentEvent } from "../events.ts";
import { callKey } from "./call-key.ts";
import type { RunColumns } from "./columns.ts";
import { agentOf, type Fields, isRecord, line, number, preview, record, text, usageOf } from "./fields.ts";
import { costOf, type PriceOf } from "./prices.ts";
import { Clock } from "./range.ts";

/** Names come from the wire; what goes beyond counts as the last. */
const MOST_NAMES = 2_000;
const MOST_REPEATS = 200;
const MOST_PLACES = 1_000;
const MOST_DEBUGGED = 5_000;

type Repeated = RunColumns["repeats"][number];

export class ColumnsOfRun {
  readonly #priceOf: PriceOf;
  readonly #clock = new Clock();
  readonly #types = new Names();
  readonly #agents = new Names();
  readonly #tools = new Names();
  readonly #calls = new Map<string, number>();
  readonly #models = new Map<number, string>();
  /** Of a call that was made once, as most are, only the number of its event: what is kept of each is copied by the collector of garbage. */
  readonly #repeats = new Map<string, Repeated | number>();
  #columns = empty();
  #began: number | undefined;
  #debugged = 0;

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  take(event: AgentEvent): void {
    const columns = this.#columns;
    const data = isRecord(event.data) ? event.data : {};
    const { seq, atMs } = this.#clock.place(event);
    this.#began ??= Date.parse(event.timestamp) - atMs || 0;
    const tool = toolOf(data);
    const call = this.#call(text(data.toolId) ?? tool.id);
    columns.seq.push(seq);
    columns.at.push(Math.round(atMs));
    columns.type.push(this.#types.at(event.type));
    columns.agent.push(this.#agents.at(agentOf(data)));
    columns.tool.push(tool.name === undefined ? 0 : this.#tools.at(tool.name) + 1);
    columns.req.push(number(data.req) ?? number(record(data.stop).req) ?? 0);
    columns.call.push(call);
    columns.ms.push(Math.round(number(data.durationMs) ?? number(data.heldMs) ?? -1));
    if (saysFailed(event.type, data)) columns.failed.push(seq);
    const stop = stopOf(event.type, data);
    if (stop !== undefined) {
      columns.holds.seq.push(seq);
      columns.holds.stop.push(line(stop, 80));
    }
    if (event.type === "api_request") this.#models.set(number(data.req) ?? 0, text(data.model) ?? "");
    if (event.type === "api_response") this.#spend(seq, data);
    if (event.type === "tool_call_start") this.#repeat(seq, agentOf(data), tool.name ?? "", data.input);
    if (event.type === "sonde_call" && this.#debugged++ < MOST_DEBUGGED)
      columns.debugged.push(debuggedBy(seq, call, data));
  }

  #call(id: string | undefined): number {
    if (id === undefined) return 0;
    const known = this.#calls.get(id);
    if (known !== undefined) return known;
    this.#calls.set(id, this.#calls.size + 1);
    return this.#calls.size;
  }

  #spend(seq: number, data: Fields): void {
    const usage = usageOf(data);
    if (usage === undefined) return;
    const req = number(data.req) ?? 0;
    const price = this.#priceOf(text(data.model) ?? this.#models.get(req) ?? "");
    this.#models.delete(req);
    const { spent } = this.#columns;
    spent.seq.push(seq);
    spent.input.push(usage.inputTokens);
    spent.cacheRead.push(usage.cacheReadTokens);
    spent.cacheWritten.push(usage.cacheCreationTokens);
    spent.output.push(usage.outputTokens);
    spent.dollars.push(price === undefined ? -1 : Number(costOf(usage, price).toFixed(6)));
  }

  #repeat(seq: number, agent: string, tool: string, input: unknown): void {
    const key = callKey(agent, tool, input);
    const known = this.#repeats.get(key);
    if (known === undefined) this.#repeats.set(key, seq);
    else if (typeof known === "number")
      this.#repeats.set(key, { tool, agent, input: preview(input, 80), seq: [known, seq], count: 2 });
    else {
      known.count += 1;
      if (known.seq.length < MOST_PLACES) known.seq.push(seq);
    }
  }

  /** How many have come since the last part. */
  get size(): number {
    return this.#columns.seq.length;
  }

  /** What has come since the last part. All names so far are in it, so that its numbers mean the same in every part. */
  part(): RunColumns {
    const columns = this.#columns;
    this.#columns = empty();
    const names = { types: this.#types.list, agents: this.#agents.list, tools: this.#tools.list };
    return { began: this.#began ?? 0, names, ...columns, repeats: [] };
  }

  /** The last part, or all of it where no other was taken, and what is only known at the end. */
  result(): RunColumns {
    const repeats = [...this.#repeats.values()].filter((one) => typeof one !== "number");
    return {
      ...this.part(),
      repeats: repeats.sort((a, b) => b.count - a.count).slice(0, MOST_REPEATS),
    };
  }
}

function empty(): Omit<RunColumns, "began" | "names" | "repeats"> {
  return {
    ...{ seq: [], at: [], type: [], agent: [], tool: [], req: [], call: [], ms: [], failed: [] },
    holds: { seq: [], stop: [] },
    spent: { seq: [], input: [], cacheRead: [], cacheWritten: [], output: [], dollars: [] },
    debugged: [],
  };
}

class Names {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  at(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    if (this.list.length >= MOST_NAMES) return this.list.length - 1;
    this.#places.set(name, this.list.length);
    return this.list.push(line(name, 80)) - 1;
  }
}

/** Events about a tool call name it themselves; a stop has it inside. */
function toolOf(data: Fields): { id: string | undefined; name: string | undefined } {
  const stopped = record(record(data.stop).tool);
  const isTool = data.toolId !== undefined;
  return { id: text(stopped.id), name: isTool ? text(data.name) : text(stopped.name) };
}

function stopOf(type: string, data: Fields): string | undefined {
  if (type === "paused") return text(record(data.stop).id);
  return type === "resumed" ? text(data.stopId) : undefined;
}

function saysFailed(type: string, data: Fields): boolean {
  return type === "api_error" || type === "error" || (type === "tool_result" && data.isError === true);
}

function debuggedBy(seq: number, call: number, data: Fields): RunColumns["debugged"][number] {
  const session = text(data.session);
  const trace = text(data.trace);
  const profile = text(data.profile);
  const argv = Array.isArray(data.argv) ? data.argv.map(String).join(" ") : "";
  return {
    seq,
    call,
    argv: line(argv, 200),
    ...(session === undefined ? {} : { session }),
    ...(trace === undefined ? {} : { trace }),
    ...(profile === undefined ? {} : { profile }),
  };
}
