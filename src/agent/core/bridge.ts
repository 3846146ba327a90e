/**
 * One run of an agent: what it does comes in by the seams, what a person wants comes in by commands, and between the two stands the
 * gate. The same object behind the library, the proxy and the hooks.
 */
import type { AgentState } from "./agents.ts";
import type { AgentCommand, CommandAnswer } from "./commands.ts";
import {
  type AgentRef,
  type AnswerFacts,
  MAIN,
  type ModelAnswer,
  type ModelCall,
  type ModelDecision,
  type ModelError,
  type Placed,
  type Seams,
  type Stop,
  type ToolCall,
  type ToolDecision,
  type ToolOutcome,
} from "./model.ts";
import { ModelCalls } from "./model-calls.ts";
import { answerCommand } from "./obey.ts";
import { type CoreOptions, Run } from "./run.ts";
import { ToolCalls } from "./tool-calls.ts";

export type { Conversation, CoreOptions, DecidedBefore, Variable } from "./run.ts";

export function createCore(options: CoreOptions): Bridge {
  return new Bridge(options);
}

export class Bridge implements Seams {
  readonly #run: Run;
  readonly #models: ModelCalls;
  readonly #tools: ToolCalls;

  constructor(options: CoreOptions) {
    this.#run = new Run(options);
    this.#models = new ModelCalls(this.#run);
    this.#tools = new ToolCalls(this.#run);
  }

  get stops(): readonly Stop[] {
    return this.#run.stops;
  }

  /** Something is held, or will be before its next call. */
  get paused(): boolean {
    return this.#run.paused;
  }

  startPaused(): void {
    this.#run.pausing = true;
  }

  command(command: AgentCommand, origin: "file" | "socket"): Promise<CommandAnswer> {
    return answerCommand({ run: this.#run, tools: this.#tools }, command, origin);
  }

  beforeModel(call: ModelCall, signal?: AbortSignal): Promise<ModelDecision> {
    return this.#models.decide(call, signal);
  }

  requestEdited(req: number, body: string, cuts: readonly number[] = []): void {
    this.#models.edited(req, body, cuts);
  }

  afterModel(req: number, answer: ModelAnswer, facts: AnswerFacts): void {
    const held = this.#tools.delivered(req);
    this.#models.answered(req, answer, { ...facts, durationMs: Math.max(0, facts.durationMs - held) });
  }

  modelFailed(req: number, error: ModelError): void {
    this.#models.failed(req, error);
  }

  turnEnded(agent: AgentRef): void {
    this.#models.turnEnded(agent);
  }

  agentEnded(agent: AgentRef): void {
    this.#models.agentEnded(agent);
  }

  message({ role, content, agent = MAIN }: { role: string; content: string; agent?: AgentRef }): void {
    const state = this.#stateOf(agent);
    const type = role === "assistant" ? "assistant_text" : "user_input";
    if (type === "user_input") state.heard.add(content.trim());
    const other = role === "user" || role === "assistant" ? {} : { role };
    this.#run.emit(type, { agent: agent.id, content: this.#run.log.store(content), ...other });
  }

  beforeTool(call: ToolCall, signal?: AbortSignal): Promise<ToolDecision> {
    return this.#tools.decide(call, signal);
  }

  afterTool(outcome: ToolOutcome, agent: AgentRef = MAIN): void {
    this.#tools.finished(outcome, agent);
  }

  watchesTools(agent: AgentRef): boolean {
    const state = this.#run.agents.get(agent.id);
    if (this.#run.options.decided?.size) return true;
    if (state?.step === "tool" || state?.pending !== undefined) return true;
    return this.#run.breakpoints.watchesTools(agent.id);
  }

  mayHold(): boolean {
    const { paused, agents, breakpoints, options } = this.#run;
    if (paused || options.decided?.size || breakpoints.list.some(({ enabled, log }) => enabled && !log))
      return true;
    return agents.all.some(({ step, pending }) => step !== undefined || pending !== undefined);
  }

  ledgerFor(agent: AgentRef): readonly Placed[] {
    return this.#run.agents.get(agent.id)?.placed ?? [];
  }

  placed(id: string, anchor: string): void {
    for (const { placed } of this.#run.agents.all)
      for (const one of placed) if (one.id === id) one.anchor = anchor;
  }

  anchorLost(id: string): void {
    for (const { placed, ref } of this.#run.agents.all) {
      const at = placed.findIndex((one) => one.id === id);
      if (at === -1) continue;
      placed.splice(at, 1);
      this.#run.emit("anchor_lost", { id, agent: ref.id });
    }
  }

  /** How long this agent was held until now. */
  heldMs(agent: AgentRef = MAIN): number {
    return this.#run.heldMs(agent);
  }

  /** A clock that stands still while the agent is held: milliseconds since the run began. */
  now(agent: AgentRef = MAIN): number {
    return this.#run.now(agent);
  }

  /** `held`: an agent that goes on without us is let go; of one that is gone nothing is sent or run any more. */
  close(reason: string, held: "release" | "fail" = "release"): void {
    if (this.#run.closed) return;
    this.#models.endTurns();
    this.#run.close(reason, held);
  }

  #stateOf(agent: AgentRef): AgentState {
    return this.#run.agents.of(agent)[0];
  }
}
