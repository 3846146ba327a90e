/** The tool calls of a run: each is decided once, whoever asks first (the stream that brings it, a hook, the agent's own loop). */
import { isDeepStrictEqual } from "node:util";
import { SondeError } from "../../errors.ts";
import type { AgentState } from "./agents.ts";
import type { Hold, Outcome } from "./gate.ts";
import type { AgentRef, ToolCall, ToolDecision, ToolOutcome } from "./model.ts";
import type { Run, Why } from "./run.ts";

interface Known {
  call: ToolCall;
  decision: Promise<ToolDecision>;
  hold?: Hold;
  /** How long it was held, once that is over. */
  heldMs?: number;
  /** What it was changed to when the run was recorded. */
  again?: { value: unknown };
  state: "deciding" | "running" | "cancelled" | "finished";
  began: number;
  cancel: AbortController;
}

/** A retry or a late hook asks about one of the last; older ones are forgotten. */
const MOST_KNOWN = 5_000;

export class ToolCalls {
  readonly #run: Run;
  readonly #known = new Map<string, Known>();
  /** Of those, by request, the ones that a proxy has held: few, where there may be thousands in all. */
  readonly #held = new Map<number, Set<Known>>();

  constructor(run: Run) {
    this.#run = run;
  }

  decide(call: ToolCall, signal: AbortSignal | undefined): Promise<ToolDecision> {
    const before = this.#known.get(call.id);
    if (before && isSameCall(before, call))
      return before.hold ? this.#joined(before, before.hold, signal) : before.decision;
    const known: Known = {
      call,
      decision: NEVER,
      state: "deciding",
      began: performance.now(),
      cancel: new AbortController(),
    };
    this.#drop(call.id);
    this.#known.set(call.id, known);
    this.#forget();
    const [state] = this.#run.agents.of(call.agent);
    this.#begin(call, state);
    const recorded = this.#run.options.decided?.get(call.id);
    if (recorded?.cancelled !== undefined) return this.#cancelAgain(known, recorded.cancelled);
    if (recorded && "input" in recorded) known.again = { value: recorded.input };
    const why = this.#why(call, state);
    if (why) {
      known.hold = this.#run.hold(state, `tool ${call.id}`, why, {
        at: "tool",
        ...(call.req === undefined ? {} : { req: call.req }),
        tool: {
          id: call.id,
          name: call.name,
          ...(known.again ? { input: known.again.value } : inputOf(call)),
        },
      });
    }
    known.decision = known.hold
      ? known.hold.ended.then(({ outcome, heldMs }) => {
          known.heldMs = heldMs;
          this.#noteHeld(known);
          return this.#decision(known, outcome);
        })
      : Promise.resolve(this.#go(known));
    return known.hold ? this.#joined(known, known.hold, signal) : known.decision;
  }

  #cancelAgain(known: Known, reason: string): Promise<ToolDecision> {
    known.state = "cancelled";
    this.#cancelled(known.call, reason);
    known.decision = Promise.resolve({ do: "cancel", reason, heldMs: 0 });
    return known.decision;
  }

  #cancelled({ id, name, agent }: ToolCall, reason: string): void {
    this.#run.emit("tool_call_cancel", { toolId: id, name, reason, agent: agent.id });
  }

  #begin(call: ToolCall, state: AgentState): void {
    const { id, name, input, agent, req, source } = call;
    state.touch(input);
    this.#run.emit("tool_call_start", {
      toolId: id,
      name,
      input: this.#run.log.store(jsonOf(call)),
      agent: agent.id,
      ...(req === undefined ? {} : { req }),
      source,
    });
  }

  #why(call: ToolCall, state: AgentState): Why | undefined {
    const { name, agent } = call;
    const text = jsonOf(call);
    const repeats = state.countCall(name, text);
    const met = this.#run.meet({ kind: "tool", agent: agent.id, name, input: text, repeats });
    if (state.step === "tool") {
      state.step = undefined;
      this.#run.emit("step_complete", { kind: "tool", agent: agent.id, iteration: state.iteration });
      return { reason: "step", why: "the next tool call" };
    }
    if (met) return { reason: "breakpoint", breakpoint: met.breakpoint.id, why: met.why };
    const { pending } = state;
    if (!pending) return undefined;
    state.pending = undefined;
    return { reason: "breakpoint", ...pending };
  }

  async #joined(known: Known, hold: Hold, signal: AbortSignal | undefined): Promise<ToolDecision> {
    await this.#run.gate.join(hold, signal);
    return known.decision;
  }

  /** Made when it may be, with what was changed until then. */
  #decision(known: Known, outcome: Outcome): ToolDecision {
    if (outcome.how === "release" || outcome.how === "abandoned") return this.#go(known);
    known.state = "cancelled";
    const reason =
      outcome.how === "cancel" ? outcome.reason : outcome.how === "fail" ? outcome.message : outcome.text;
    // Who cancels by hand has said so already.
    if (outcome.how !== "cancel") this.#cancelled(known.call, reason);
    return { do: "cancel", reason, heldMs: heldOf(known.hold) };
  }

  #go(known: Known): ToolDecision {
    const { call, hold, cancel } = known;
    known.state = "running";
    known.began = performance.now();
    const input = hold?.edited.input ?? known.again;
    if (input) {
      const { value, exact } = { exact: undefined, ...input };
      this.#run.emit("tool_call_edit", {
        toolId: call.id,
        name: call.name,
        agent: call.agent.id,
        before: this.#run.log.store(jsonOf(call)),
        after: this.#run.log.store(jsonOf({ input: value, exact })),
      });
    }
    return {
      do: "run",
      ...(input ? { ...input, input: input.value } : inputOf(call)),
      edited: input !== undefined,
      heldMs: heldOf(hold),
      signal: cancel.signal,
    };
  }

  /** A held one is never run; one that runs in an agent that listens is broken off. */
  cancel(toolId: string, reason: string | undefined, by: string): { was: "held" | "running" } {
    const known = this.#find(toolId);
    const was = known.state;
    if (was !== "deciding" && !(was === "running" && this.#canBreakOff(known)))
      throw new SondeError("NOT_STOPPED", `tool call ${toolId} (${known.call.name}) ${TOO_LATE[was]}`, {
        hint: "a tool call can be cancelled while it is held: a breakpoint on the tool holds the next one",
      });
    known.state = "cancelled";
    const why = reason ?? CANCELLED;
    this.#cancelled(known.call, why);
    if (known.hold && was === "deciding") this.#run.gate.end(known.hold, { how: "cancel", reason: why }, by);
    known.cancel.abort(new Error(why));
    return { was: was === "deciding" ? "held" : "running" };
  }

  /** Only an agent that runs its tools beside the bridge hears of it. */
  #canBreakOff({ call }: Known): boolean {
    return call.source === "library";
  }

  edit(toolId: string, input: unknown, exact: string | undefined): Hold {
    const known = this.#find(toolId);
    if (known.state !== "deciding" || !known.hold)
      throw new SondeError("NOT_STOPPED", `tool call ${toolId} (${known.call.name}) is not held`, {
        hint: "only a held tool call can be edited: a breakpoint on the tool holds the next one",
      });
    known.hold.edited.input = { value: input, exact };
    const { tool } = known.hold.stop;
    if (tool) Object.assign(tool, { input, exact });
    return known.hold;
  }

  #find(toolId: string): Known {
    const known = this.#known.get(toolId);
    if (known) return known;
    const held = this.#run.gate.holds.flatMap(({ stop }) => (stop.tool ? [stop.tool.id] : []));
    throw new SondeError("BAD_ARGUMENT", `there is no tool call ${toolId}`, {
      hint: held.length === 0 ? "no tool call is held now" : `held now: ${held.join(", ")}`,
    });
  }

  finished({ id, name, text, isError, durationMs }: ToolOutcome, agent: AgentRef): void {
    const known = this.#known.get(id);
    if (known?.state === "finished") return;
    const took = durationMs ?? (known ? performance.now() - known.began : undefined);
    const by = known?.call.agent ?? agent;
    if (known) known.state = "finished";
    else this.#remember(id, name, by);
    const named = known?.call.name ?? name;
    this.#run.emit("tool_call_end", {
      toolId: id,
      name: named,
      ...(took === undefined ? {} : { durationMs: Math.round(took) }),
      isError,
      agent: by.id,
    });
    const content = this.#run.log.store(text);
    this.#run.emit("tool_result", { toolId: id, name: named, content, isError, agent: by.id });
    if (!isError) return;
    const [state] = this.#run.agents.of(by);
    this.#run.meetLater(state, { kind: "failed", agent: by.id, what: `tool ${named} failed` });
  }

  /** Its result came without its call: it is told once all the same. */
  #remember(id: string, name: string, agent: AgentRef): void {
    this.#known.set(id, {
      call: { id, name, input: undefined, agent, source: "proxy" },
      decision: NEVER,
      state: "finished",
      began: 0,
      cancel: new AbortController(),
    });
    this.#forget();
  }

  /**
   * The answer that asked for them has reached the client whole: what it runs begins now. How long the answer was kept back for them, in
   * milliseconds.
   */
  delivered(req: number): number {
    let held = 0;
    for (const known of this.#held.get(req) ?? []) {
      held += known.heldMs ?? 0;
      if (known.state === "running") known.began = performance.now();
    }
    return held;
  }

  #noteHeld(known: Known): void {
    const { id, req, source } = known.call;
    // Another call may have its id by now.
    if (source !== "proxy" || req === undefined || this.#known.get(id) !== known) return;
    this.#held.set(req, (this.#held.get(req) ?? new Set()).add(known));
  }

  #drop(id: string): void {
    const known = this.#known.get(id);
    this.#known.delete(id);
    const { req } = known?.call ?? {};
    const held = req === undefined ? undefined : this.#held.get(req);
    if (known === undefined || req === undefined || !held?.delete(known)) return;
    if (held.size === 0) this.#held.delete(req);
  }

  /** Those that run now: a `sonde` command belongs to one of them. */
  get running(): readonly ToolCall[] {
    return [...this.#known.values()].filter(({ state }) => state === "running").map(({ call }) => call);
  }

  #forget(): void {
    for (const [id, { state }] of this.#known) {
      if (this.#known.size <= MOST_KNOWN) return;
      if (state !== "deciding") this.#drop(id);
    }
  }
}

/** Some providers use an id again: one that has ended, or asks for something else, is another call. */
function isSameCall({ call, state, hold, again }: Known, other: ToolCall): boolean {
  if (state === "finished") return false;
  if (call.req !== undefined && other.req !== undefined && call.req !== other.req) return false;
  const inputs = [call.input, hold?.edited.input?.value, again?.value];
  return call.name === other.name && inputs.some((input) => isDeepStrictEqual(input, other.input));
}

function inputOf({ input, exact }: ToolCall): { input: unknown; exact?: string } {
  return exact === undefined ? { input } : { input, exact };
}

function jsonOf({ input, exact }: { input: unknown; exact?: string | undefined }): string {
  return exact ?? JSON.stringify(input) ?? "null";
}

const NEVER = new Promise<ToolDecision>(() => {});
const CANCELLED = "cancelled in the debugger";
const TOO_LATE = {
  deciding: "",
  running: "runs already",
  cancelled: "is cancelled already",
  finished: "has ended",
} as const;

function heldOf(hold: Hold | undefined): number {
  return hold ? performance.now() - hold.began : 0;
}
