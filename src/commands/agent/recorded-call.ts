/** A call to the model as it is recorded: what `agent inspect` shows of runs that have ended, and of calls before the last. */
import { AgentState } from "../../agent/core/agents.ts";
import type { AgentRef, RequestView, Wire } from "../../agent/core/model.ts";
import { snapshot, type What } from "../../agent/core/snapshot.ts";
import type { AgentEvent, StoredBody } from "../../agent/events.ts";
import { agentOf, type Fields, isRecord, number, text, usageOf } from "../../agent/explain/fields.ts";
import { costOf, type Price, priceTable } from "../../agent/explain/prices.ts";
import { Blobs } from "../../agent/store/blobs.ts";
import type { SessionFolder } from "../../agent/store/layout.ts";
import { readEvents } from "../../agent/store/reader.ts";
import { readRequest } from "../../agent/wire/request.ts";
import { SondeError } from "../../errors.ts";

export interface Wanted {
  what: What;
  /** The last one that is not auxiliary, of the main agent if left out. */
  call?: number | undefined;
  agent?: string | undefined;
}

export interface RecordedCall {
  /** In the shape of a live run's answer. */
  data: Record<string, unknown>;
  view: RequestView;
}

interface Sent {
  req: number;
  agent: AgentRef;
  timestamp: string;
  data: Fields;
  /** What was sent instead, if it was changed. */
  edited?: unknown;
}

export async function recordedCall(
  folder: SessionFolder,
  wanted: Wanted,
  options: { prices: readonly Price[]; signal: AbortSignal },
): Promise<RecordedCall> {
  const found = new Finder(wanted, options.prices);
  for await (const batch of readEvents(folder.events, { signal: options.signal }))
    for (const event of batch) found.take(event);
  const { call, before, state } = found.result(folder.id);
  const blobs = new Blobs(folder.blobs);
  const view = viewOf(call, blobs);
  const { data } = call;
  state.turn = number(data.turn) ?? 0;
  state.iteration = number(data.iteration) ?? 0;
  state.totalIterations = number(data.totalIterations) ?? 0;
  const provider = text(data.provider) ?? "";
  state.last = { req: call.req, key: "", request: view, provider, state: "answered" };
  state.previous = wanted.what === "diff" && before !== undefined ? viewOf(before, blobs) : undefined;
  const shown = snapshot(state, wanted.what, {
    sessionId: folder.id,
    paused: false,
    stops: [],
  });
  // What only a live run has.
  for (const key of ["paused", "stops", "workingSet", "changes"]) delete shown[key];
  return {
    data: {
      ...shown,
      timestamp: call.timestamp,
      recorded: true,
      ...(call.edited === undefined ? {} : { edited: true }),
    },
    view,
  };
}

function viewOf({ data, edited }: Sent, blobs: Blobs): RequestView {
  const wire = text(data.wire);
  return readRequest(
    isWire(wire) ? wire : "library",
    blobs.readBody((edited ?? data.body ?? "") as StoredBody),
  );
}

export function isWire(wire: string | undefined): wire is Wire {
  return ["anthropic", "openai-chat", "openai-responses", "library"].includes(wire ?? "");
}

/** In one pass: the call, the one before it of the same agent, and what that agent had used by then. */
class Finder {
  readonly #wanted: Wanted;
  readonly #priceOf: ReturnType<typeof priceTable>;
  readonly #agents = new Map<string, { calls: Sent[]; state: AgentState }>();
  #newest: Sent | undefined;
  #found: Sent | undefined;
  #first: number | undefined;
  #last: number | undefined;

  constructor(wanted: Wanted, prices: readonly Price[]) {
    this.#wanted = wanted;
    this.#priceOf = priceTable(prices);
  }

  take({ type, data: raw, timestamp }: AgentEvent): void {
    const data = isRecord(raw) ? raw : {};
    const req = number(data.req);
    if (req === undefined) return;
    if (type === "api_request") this.#request(req, data, timestamp);
    else if (type === "api_request_edit") this.#edited(req, data);
    else if (type === "api_response") this.#answered(req, data);
  }

  #request(req: number, data: Fields, timestamp: string): void {
    this.#first ??= req;
    this.#last = req;
    const id = agentOf(data);
    const sent: Sent = { req, agent: { id }, timestamp, data };
    const isWanted = (this.#wanted.agent ?? "main") === id;
    if (this.#wanted.call === req) this.#found = sent;
    if (isWanted && data.class !== "auxiliary") this.#newest = sent;
    // Those after the one that is wanted do not matter any more.
    if (this.#found !== undefined && this.#found !== sent) return;
    const known = this.#of(id);
    // The last two: one to show, one to compare it with.
    if (data.class !== "auxiliary" || this.#found === sent) known.calls.push(sent);
    if (known.calls.length > 2) known.calls.shift();
  }

  #edited(req: number, data: Fields): void {
    for (const { calls } of this.#agents.values())
      for (const call of calls) if (call.req === req) call.edited = data.body;
  }

  #answered(req: number, data: Fields): void {
    const usage = usageOf(data);
    const wanted = this.#wanted.call;
    if (usage === undefined || (wanted !== undefined && req > wanted)) return;
    const price = this.#priceOf(text(data.model) ?? "");
    this.#of(agentOf(data)).state.add(usage, price && costOf(usage, price));
  }

  #of(id: string): { calls: Sent[]; state: AgentState } {
    const known = this.#agents.get(id) ?? { calls: [], state: new AgentState({ id }) };
    this.#agents.set(id, known);
    return known;
  }

  result(session: string): { call: Sent; before: Sent | undefined; state: AgentState } {
    const { call: wanted } = this.#wanted;
    const call = wanted === undefined ? this.#newest : this.#found;
    if (call === undefined) throw this.#none(session);
    const { calls, state } = this.#of(call.agent.id);
    return { call, before: calls.filter((one) => one !== call).at(-1), state };
  }

  #none(session: string): SondeError {
    const { call, agent } = this.#wanted;
    if (this.#first === undefined)
      return new SondeError("BAD_ARGUMENT", `no call to the model was recorded in ${session}`);
    return new SondeError(
      "BAD_ARGUMENT",
      call === undefined
        ? `no call of agent ${agent ?? "main"} was recorded`
        : `there is no call ${call} in ${session}`,
      { hint: `recorded: calls ${this.#first} to ${this.#last}` },
    );
  }
}
