/** What the parts of a run share: its log, its agents, its breakpoints, and what is held. */
import type { EventType, Usage } from "../events.ts";
import type { EventLog } from "../store/log.ts";
import { type AgentState, Agents } from "./agents.ts";
import { Breakpoints, type Met, type Occasion } from "./breakpoints.ts";
import { BY_DEADLINE, type Deadline, type Ended, Gate, type Hold, type Outcome } from "./gate.ts";
import { type AgentRef, type Injection, MAIN, type Stop, type StopReason } from "./model.ts";

/** A value of a library agent that a person may change. */
export interface Variable {
  get(): unknown;
  set(value: unknown): void;
}

/** A library agent's own messages. */
export interface Conversation {
  checkpoint(label?: string): string;
  rewind(checkpoint: string): void;
}

export interface CoreOptions {
  log: EventLog;
  sessionId: string;
  maxHold?: Deadline;
  /** In the currency of the price table; undefined for a model whose price is not known. */
  costOf?(model: string, usage: Usage): number | undefined;
  /** Undefined: values at the top of a request can be set. */
  variables?: Readonly<Record<string, Variable>>;
  conversation?: Conversation;
  /** What a person decided about a tool call when this run was recorded: it is decided so again. */
  decided?: ReadonlyMap<string, DecidedBefore>;
  onStop?(stop: Stop): void;
}

export interface DecidedBefore {
  /** The input it ran with. */
  input?: unknown;
  /** It did not run, and why. */
  cancelled?: string;
}

export interface Why {
  reason: StopReason;
  why: string;
  breakpoint?: number;
}

export class Run {
  readonly options: CoreOptions;
  readonly log: EventLog;
  readonly agents = new Agents();
  readonly breakpoints = new Breakpoints();
  readonly gate: Gate;
  /** Everything is to be held before its next call. */
  pausing = false;
  /** When that was asked for. */
  pausedAt = 0;
  readonly #stopListeners = new Set<() => void>();
  readonly #endListeners = new Set<(hold: Hold, ended: Ended) => void>();
  readonly #began = performance.now();
  #injections = 0;
  #closed = false;

  constructor(options: CoreOptions) {
    this.options = options;
    this.log = options.log;
    this.gate = new Gate((hold, ended) => this.#holdEnded(hold, ended));
    this.agents.of(MAIN);
  }

  get stops(): readonly Stop[] {
    return this.gate.holds.map(({ stop }) => stop);
  }

  /** Something is held, or will be before its next call. */
  get paused(): boolean {
    return (
      this.pausing || this.gate.holds.length > 0 || this.agents.all.some(({ paused }) => paused !== undefined)
    );
  }

  get closed(): boolean {
    return this.#closed;
  }

  emit(type: EventType, data: Record<string, unknown>): void {
    if (!this.#closed) this.log.append(type, data);
  }

  inject(state: AgentState, one: Omit<Injection, "id">): Injection {
    const injection = { id: `i${++this.#injections}`, ...one };
    state.toInject.push(injection);
    return injection;
  }

  /** Looks at every breakpoint; the first that stops. */
  meet(occasion: Occasion): Met | undefined {
    const met = this.breakpoints.meet(occasion);
    for (const { breakpoint, why, stops } of met)
      if (!stops)
        this.emit("breakpoint_hit", {
          breakpoint: { ...breakpoint },
          why,
          agent: occasion.agent,
          logOnly: true,
        });
    return met.find(({ stops }) => stops);
  }

  /** Known too late to hold what it is about: what comes next is held. */
  meetLater(state: AgentState, occasion: Occasion): void {
    const met = this.meet(occasion);
    if (met) state.pending = { breakpoint: met.breakpoint.id, why: met.why };
  }

  hold(state: AgentState, key: string, why: Why, where: Pick<Stop, "at" | "req" | "tool">): Hold {
    const { maxHold } = this.options;
    const stop: Stop = {
      id: this.gate.nextId(),
      ...why,
      ...where,
      agent: state.ref,
      turn: state.turn,
      iteration: state.iteration,
      totalIterations: state.totalIterations,
      since: new Date().toISOString(),
      ...(maxHold
        ? { deadline: { at: new Date(Date.now() + maxHold.ms).toISOString(), outcome: maxHold.outcome } }
        : {}),
      actions: where.at === "model" ? MODEL_ACTIONS : TOOL_ACTIONS,
    };
    const hold = this.gate.open(stop, key, maxHold);
    if (why.breakpoint !== undefined) {
      const breakpoint = this.breakpoints.list.find(({ id }) => id === why.breakpoint);
      this.emit("breakpoint_hit", {
        stop: { ...stop },
        breakpoint: breakpoint ? { ...breakpoint } : { id: why.breakpoint },
      });
    }
    this.emit("paused", { stop: { ...stop } });
    this.log.flush();
    this.options.onStop?.(stop);
    this.wake();
    return hold;
  }

  #holdEnded(hold: Hold, ended: Ended): void {
    const { stop } = hold;
    const state = this.agents.get(stop.agent.id);
    const others = this.gate.holds.some((one) => one.stop.agent.id === stop.agent.id);
    // Two that are held at the same time hold the agent once.
    if (state && !others) state.heldMs += ended.heldMs;
    this.emit("resumed", {
      stopId: stop.id,
      heldMs: Math.round(ended.heldMs),
      by: ended.by,
      outcome: ended.outcome.how,
      agent: stop.agent.id,
    });
    this.log.flush();
    // Nobody came: a pause would only hold the next call for as long again.
    if (ended.by === BY_DEADLINE && stop.reason === "pause") {
      this.pausing = false;
      if (state) state.paused = undefined;
    }
    for (const listener of this.#endListeners) listener(hold, ended);
  }

  /** Whoever waits for a stop is to look again. */
  wake(): void {
    for (const listener of [...this.#stopListeners]) listener();
  }

  /** Called whenever something is held, when a step ends with its turn, and when the run ends. */
  onStop(listener: () => void): () => void {
    this.#stopListeners.add(listener);
    return () => this.#stopListeners.delete(listener);
  }

  onHoldEnded(listener: (hold: Hold, ended: Ended) => void): void {
    this.#endListeners.add(listener);
  }

  /** How long this agent was held until now. */
  heldMs(agent: AgentRef = MAIN, now = performance.now()): number {
    const state = this.agents.get(agent.id);
    const began = this.gate.holds.filter(({ stop }) => stop.agent.id === agent.id).map((one) => one.began);
    return (state?.heldMs ?? 0) + (began.length === 0 ? 0 : now - Math.min(...began));
  }

  /** A clock that stands still while the agent is held. */
  now(agent: AgentRef = MAIN): number {
    const now = performance.now();
    return now - this.#began - this.heldMs(agent, now);
  }

  close(reason: string, held: "release" | "fail"): void {
    const outcome: Outcome = held === "fail" ? { how: "fail", message: reason } : { how: "release" };
    for (const hold of this.gate.holds) this.gate.end(hold, outcome, reason);
    this.#closed = true;
    this.wake();
  }
}

const COMMON_ACTIONS = ["resume", "step", "inspect", "inject_message"];
const MODEL_ACTIONS: readonly string[] = [...COMMON_ACTIONS, "edit_request", "kill_call", "set_variable"];
const TOOL_ACTIONS: readonly string[] = [...COMMON_ACTIONS, "edit_tool", "cancel_tool"];
