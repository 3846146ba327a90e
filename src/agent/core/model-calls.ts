/** The calls of a run's agents to their models: counted in turns and iterations, recorded, held, sent. */
import { type AgentState, startsTurn, userWords } from "./agents.ts";
import type { Ended, Hold } from "./gate.ts";
import { isSummary } from "./message-text.ts";
import {
  type AgentRef,
  type AnswerFacts,
  MAIN,
  type ModelAnswer,
  type ModelCall,
  type ModelDecision,
  type ModelError,
  type RequestChanges,
} from "./model.ts";
import type { Run, Why } from "./run.ts";

/** A call whose client left, and that was let go then: its retry is let go too. */
const RETRY_MS = 120_000;
const MOST_RETRIES = 100;
const MOST_OPEN = 1000;

/** Why something is held, if nothing else is known. */
export const PAUSED = "a pause was requested";

export class ModelCalls {
  readonly #run: Run;
  readonly #lateRetries = new Map<string, { decision: ModelDecision; until: number }>();
  readonly #requests = new Map<number, { state: AgentState; model: string }>();
  #calls = 0;

  constructor(run: Run) {
    this.#run = run;
    run.onHoldEnded((hold, ended) => this.#keepForRetry(hold, ended));
  }

  async decide(call: ModelCall, signal?: AbortSignal): Promise<ModelDecision> {
    const [state, isNew] = this.#run.agents.of(call.agent);
    // Only one whose client has gone: two that are the same and wait at the same time are two calls.
    const held = this.#run.gate.byKey(call.key, true);
    if (held) return this.#decided(state, held, await this.#join(call, state, held, signal));
    const late = this.#lateDecision(state, call.key);
    if (late) return late;
    this.#abandonOrphans(call.agent);
    const firstOfSubagent = isNew && call.agent.id !== MAIN.id;
    if (firstOfSubagent) this.#run.emit("agent_start", refData(call.agent));

    const retryOf = retried(state, call);
    const compacted = retryOf === undefined ? compaction(state, call) : undefined;
    const req = ++this.#calls;
    const isMain = call.class === "main" || call.class === "subagent";
    if (isMain && retryOf === undefined) this.#advance(state, call);
    this.#record(state, call, req, retryOf);
    if (compacted !== undefined)
      this.#run.emit("context_compaction", { agent: state.ref.id, req, ...compacted });
    if (isMain)
      state.sending({
        ...{ req, key: call.key, request: call.request, provider: call.provider, state: "open" },
        ...(call.changed && { changed: call.changed }),
      });

    const why = isMain
      ? this.#whyHold(state, retryOf !== undefined, { firstOfSubagent, compacted: compacted !== undefined })
      : undefined;
    if (why === undefined) return this.#send(state, isMain, req, undefined, 0);
    const hold = this.#run.hold(state, call.key, why, { at: "model", req });
    return this.#decided(state, hold, await this.#join(call, state, hold, signal));
  }

  /** What was decided about a call while nobody waited for it; not if a a pause was requested since. */
  #lateDecision(state: AgentState, key: string): ModelDecision | undefined {
    const late = this.#lateRetries.get(key);
    // One that was ended stays so for all of its retries.
    if (late?.decision.do !== "fail") this.#lateRetries.delete(key);
    if (late === undefined || performance.now() > late.until) return undefined;
    if (late.decision.do === "fail") return { ...late.decision, heldMs: 0 };
    const { decision } = late;
    if (!this.#run.pausing && state.paused === undefined) return { ...decision, heldMs: 0 };
    if (decision.do === "send") {
      const ids = decision.inject.map(({ id }) => id);
      state.placed = state.placed.filter(({ id }) => !ids.includes(id));
      state.toInject.unshift(...decision.inject);
    }
    return undefined;
  }

  #advance(state: AgentState, call: ModelCall): void {
    if (!state.inTurn || startsTurn(call)) {
      if (state.inTurn) this.#endTurn(state);
      state.beginTurn();
      this.#run.emit("turn_start", { agent: state.ref.id, turn: state.turn });
      const words = userWords(call);
      if (words !== "" && !heardBefore(state, words))
        this.#run.emit("user_input", { agent: state.ref.id, content: this.#run.log.store(words) });
      state.heard.clear();
    }
    state.beginIteration();
  }

  #record(state: AgentState, call: ModelCall, req: number, retryOf: number | undefined): void {
    const { request, asked = request } = call;
    this.#requests.set(req, { state, model: request.model });
    // One whose client left is never finished.
    if (this.#requests.size > MOST_OPEN) this.#requests.delete([...this.#requests.keys()][0] ?? 0);
    this.#run.emit("api_request", {
      req,
      agent: call.agent.id,
      class: call.class,
      wire: request.wire,
      provider: call.provider,
      model: request.model,
      turn: state.turn,
      iteration: state.iteration,
      totalIterations: state.totalIterations,
      messageCount: request.messages.length,
      toolCount: request.tools.length,
      stream: request.stream,
      body: this.#run.log.storeBody(asked.body, [...(asked.cuts ?? [])]),
      ...(retryOf === undefined ? {} : { retryOf }),
      key: call.key,
    });
  }

  #whyHold(
    state: AgentState,
    isRetry: boolean,
    seen: { firstOfSubagent: boolean; compacted: boolean },
  ): Why | undefined {
    // A breakpoint that was met is counted even where something else holds the call already.
    const met = isRetry
      ? undefined
      : this.#run.meet({ kind: "model", agent: state.ref.id, ...countsOf(state), ...seen });
    const { pending } = state;
    state.pending = undefined;
    if (state.step === "model") {
      state.step = undefined;
      this.#run.emit("step_complete", { kind: "model", agent: state.ref.id, iteration: state.iteration });
      return { reason: "step", why: "one iteration was run" };
    }
    if (met) return { reason: "breakpoint", breakpoint: met.breakpoint.id, why: met.why };
    if (pending) return { reason: "breakpoint", ...pending };
    if (state.paused !== undefined) return { reason: "pause", why: state.paused };
    if (this.#run.pausing) return { reason: "pause", why: PAUSED };
    return undefined;
  }

  async #join(
    call: ModelCall,
    state: AgentState,
    hold: Hold,
    signal: AbortSignal | undefined,
  ): Promise<Ended> {
    try {
      return await this.#run.gate.join(hold, signal);
    } catch (thrown) {
      if (state.last?.key === call.key) state.last.state = "gone";
      // Its retry came before it was seen to have gone.
      if (this.#run.gate.byKey(call.key, false))
        this.#run.gate.end(hold, { how: "abandoned" }, "its client retried it");
      throw thrown;
    }
  }

  #decided(state: AgentState, hold: Hold, ended: Ended): ModelDecision {
    const { outcome, heldMs } = ended;
    const req = hold.stop.req ?? 0;
    if (outcome.how === "answer") return { do: "answer", req, text: outcome.text, heldMs };
    if (outcome.how === "fail" || outcome.how === "cancel")
      return { do: "fail", req, message: outcome.how === "fail" ? outcome.message : outcome.reason, heldMs };
    return this.#send(state, true, req, hold.edited.body, heldMs);
  }

  #send(
    state: AgentState,
    isMain: boolean,
    req: number,
    body: string | undefined,
    heldMs: number,
  ): ModelDecision {
    if (!isMain) return { do: "send", req, inject: [], set: {}, heldMs };
    const inject = state.toInject.splice(0);
    this.#noteChanges(state, req, { inject, set: state.set, body });
    for (const one of inject) {
      state.placed.push(one);
      const { id, role, content } = one;
      this.#run.emit("injected", {
        id,
        role,
        content: this.#run.log.store(content),
        req,
        agent: state.ref.id,
      });
    }
    return {
      do: "send",
      req,
      inject,
      set: { ...state.set },
      heldMs,
      ...(body === undefined ? {} : { body }),
    };
  }

  /** For who asks later what was sent. */
  #noteChanges({ last }: AgentState, req: number, changes: RequestChanges): void {
    const { inject, set, body } = changes;
    const isSame = inject.length === 0 && body === undefined && Object.keys(set).length === 0;
    if (last?.req === req && !isSame) last.sent = last.changed?.(changes);
  }

  edited(req: number, body: string, cuts: readonly number[] = []): void {
    const agent = this.#requests.get(req)?.state.ref.id ?? MAIN.id;
    this.#run.emit("api_request_edit", { req, agent, body: this.#run.log.storeBody(body, [...cuts]) });
  }

  answered(req: number, answer: ModelAnswer, facts: AnswerFacts): void {
    const { state, model } = this.#finish(req, "answered");
    const { parts, stopReason, usage } = answer;
    const agent = state.ref.id;
    this.#run.emit("api_response", {
      req,
      agent,
      model: answer.model ?? model,
      ...(answer.id === undefined ? {} : { id: answer.id }),
      stopReason,
      ...(usage ? { usage } : {}),
      ...facts,
      content: this.#run.log.store(JSON.stringify(parts)),
    });
    const text = parts.flatMap((one) => (one.kind === "text" ? [one.text] : [])).join("\n");
    if (text !== "") this.#run.emit("assistant_text", { agent, req, content: this.#run.log.store(text) });
    if (usage) state.add(usage, this.#run.options.costOf?.(answer.model ?? model, usage));
    this.#run.meetLater(state, { kind: "answered", agent, stopReason });
    const isOfTurn = state.last?.req === req;
    if (isOfTurn && !parts.some(({ kind }) => kind === "tool_call")) this.turnEnded(state.ref);
  }

  failed(req: number, error: ModelError): void {
    const { state } = this.#finish(req, "failed");
    const { status, type, message, body, ...rest } = error;
    this.#run.emit("api_error", {
      req,
      agent: state.ref.id,
      ...(status === undefined ? {} : { status }),
      errorType: type,
      message,
      ...rest,
      ...(body === undefined ? {} : { body: this.#run.log.store(body) }),
    });
    this.#run.meetLater(state, {
      kind: "failed",
      agent: state.ref.id,
      what: `the model call failed: ${type}`,
    });
  }

  #finish(req: number, how: "answered" | "failed"): { state: AgentState; model: string } {
    const known = this.#requests.get(req);
    this.#requests.delete(req);
    const state = known?.state ?? this.#run.agents.of(MAIN)[0];
    if (state.last?.req === req) state.last.state = how;
    return { state, model: known?.model ?? "" };
  }

  turnEnded(agent: AgentRef): void {
    const state = this.#run.agents.get(agent.id);
    if (state?.inTurn) this.#endTurn(state);
  }

  #endTurn(state: AgentState): void {
    state.inTurn = false;
    this.#run.emit("turn_end", { agent: state.ref.id, turn: state.turn, iterations: state.iteration });
    const { step } = state;
    if (step === undefined) return;
    // Whatever was stepped to did not come in this turn; the next one begins held, and is not run past.
    state.step = undefined;
    state.paused = `the turn of a step (${step}) has ended`;
    this.#run.emit("step_complete", {
      kind: step,
      agent: state.ref.id,
      iteration: state.iteration,
      turnEnded: true,
    });
    this.#run.wake();
  }

  endTurns(): void {
    for (const state of this.#run.agents.all) if (state.inTurn) this.#endTurn(state);
  }

  agentEnded(agent: AgentRef): void {
    this.turnEnded(agent);
    if (agent.id !== MAIN.id && this.#run.agents.get(agent.id)) this.#run.emit("agent_end", refData(agent));
    this.#run.agents.remove(agent.id);
  }

  /** Its client left while it was held: what was decided is for the retry. */
  #keepForRetry(hold: Hold, ended: Ended): void {
    const { stop } = hold;
    const state = this.#run.agents.get(stop.agent.id);
    if (!state || stop.at !== "model" || ended.outcome.how === "abandoned") return;
    // A client whose answer had begun hears of a killed call only by the end of the connection, and asks again.
    if (!stop.orphaned && ended.outcome.how !== "fail") return;
    const decision = this.#decided(state, hold, ended);
    this.#lateRetries.set(hold.key, { decision, until: performance.now() + RETRY_MS });
    if (this.#lateRetries.size > MOST_RETRIES)
      this.#lateRetries.delete([...this.#lateRetries.keys()][0] ?? "");
  }

  #abandonOrphans(agent: AgentRef): void {
    for (const hold of this.#run.gate.holds)
      if (hold.stop.orphaned && hold.stop.at === "model" && hold.stop.agent.id === agent.id)
        this.#run.gate.end(hold, { how: "abandoned" }, "its client moved on to another call");
  }
}

function refData({ id, parent, name }: AgentRef): Record<string, unknown> {
  return { agent: id, ...(parent === undefined ? {} : { parent }), ...(name === undefined ? {} : { name }) };
}

function countsOf({ iteration, totalIterations, usage, cost }: AgentState) {
  return { iteration, totalIterations, tokens: usage.inputTokens + usage.outputTokens, cost };
}

/** The number of the call that this one tries again. */
function retried({ last }: AgentState, { key }: ModelCall): number | undefined {
  return last && last.key === key && last.state !== "answered" && last.state !== "open"
    ? last.req
    : undefined;
}

/** A client that sends fewer messages than before has put a summary in place of them, or began anew: `how` says what is known. */
function compaction({ last }: AgentState, call: ModelCall): Record<string, unknown> | undefined {
  const messages = call.request.messages;
  const before = last?.request.messages.length ?? 0;
  // Another system prompt is another conversation.
  const isSame = last?.request.system === call.request.system;
  const fewer = call.class !== "auxiliary" && isSame && messages.length < before;
  if (call.class !== "compaction" && !fewer) return undefined;
  const how =
    call.class === "compaction"
      ? "the client says so"
      : messages.slice(0, 2).some(isSummary)
        ? "it begins with a summary"
        : "fewer messages than before";
  return { messagesBefore: before, messagesAfter: messages.length, how };
}

function heardBefore({ heard }: AgentState, words: string): boolean {
  return [...heard].some((one) => one !== "" && words.includes(one));
}
