/** Where in time things happened: spans of calls, tools and holds, by lane. Pure. */
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";

export interface Span {
  row: number;
  from: number;
  to: number;
  kind: "model" | "tool" | "held" | "sonde" | "hits" | "busy";
  failed: boolean;
  /** How much of it, 0 to 1: it is drawn so high. */
  level?: number;
}

export interface Lane {
  id: string;
  title: string;
  spans: Span[];
}

/** Of sub-agents with lanes of their own; the others share one. */
const MOST_AGENTS = 6;

/** The lane of an agent's calls and tools; those of the one the user talks to have two of their own. */
export function agentLane({ names }: Columns, agent: number): string | undefined {
  const name = names.agents[agent] ?? "main";
  if (name === "main") return undefined;
  return agent < MOST_AGENTS ? `agent ${name}` : "agents";
}

/** `model` and `tools` of the main agent, one for each other, then what was held, then what the agent did with Sonde. Only what came since the last time is looked at. */
export function lanesOf(columns: Columns, until?: number): Lane[] {
  const known = makers.get(columns) ?? new LaneMaker(columns);
  makers.set(columns, known);
  return known.lanes(until);
}

const makers = new WeakMap<Columns, LaneMaker>();

/** Columns only grow, and so do lanes. */
class LaneMaker {
  readonly #columns: Columns;
  readonly #lanes = new Map<string, Lane>();
  /** Held and not let go yet. */
  readonly #open: { stop: string | undefined; span: Span }[] = [];
  readonly #kinds: (Span["kind"] | undefined)[] = [];
  #row = 0;
  #failed = 0;
  #hold = 0;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** `until`: what is open is held until then, where that is later than the last event. */
  lanes(until = 0): Lane[] {
    const { names, at } = this.#columns;
    for (let type = this.#kinds.length; type < names.types.length; type++)
      this.#kinds.push(kindOf(names.types[type] ?? ""));
    const paused = names.types.indexOf("paused");
    for (; this.#row < this.#columns.seq.length; this.#row++) this.#take(this.#row, paused);
    const end = Math.max(at.at(-1) ?? 0, until);
    const held = this.#lanes.get("held") ?? { id: "held", title: "held", spans: [] };
    const now = { ...held, spans: [...held.spans, ...this.#open.map(({ span }) => ({ ...span, to: end }))] };
    const lanes = [...this.#lanes.values()].filter(({ id }) => id !== "held");
    return [...lanes, ...(now.spans.length === 0 ? [] : [now])].sort(
      (a, b) => rank(a.id) - rank(b.id) || (a.id < b.id ? -1 : 1),
    );
  }

  #take(row: number, paused: number): void {
    const { type, agent, at, ms } = this.#columns;
    const failed = this.#isFailed(row);
    const kind = this.#kinds[type[row] ?? 0];
    if (kind === undefined) return;
    const to = at[row] ?? 0;
    const span = { row, from: to - Math.max(0, ms[row] ?? 0), to, kind, failed };
    if (type[row] === paused) {
      this.#open.push({ stop: this.#stopOf(row), span });
      return;
    }
    if (kind === "held") this.#close(this.#stopOf(row));
    const others = agentLane(this.#columns, agent[row] ?? 0);
    if (kind === "held") this.#lane("held", "held").spans.push(span);
    else if (kind === "sonde") this.#lane("sonde", "debugger").spans.push(span);
    else if (others === undefined) this.#lane(kind, kind).spans.push(span);
    else this.#lane(others, others.slice("agent ".length) || "other agents").spans.push(span);
  }

  /** Those of other makes may not say which: then it is the oldest. */
  #close(stop: string | undefined): void {
    const at = stop === undefined ? 0 : this.#open.findIndex((one) => one.stop === stop);
    if (at !== -1) this.#open.splice(at, 1);
  }

  /** Both are in order. */
  #stopOf(row: number): string | undefined {
    const { seq, holds } = this.#columns;
    const wanted = seq[row] ?? 0;
    while ((holds.seq[this.#hold] ?? Number.POSITIVE_INFINITY) < wanted) this.#hold += 1;
    return holds.seq[this.#hold] === wanted ? holds.stop[this.#hold] : undefined;
  }

  /** Both are in order. */
  #isFailed(row: number): boolean {
    const { seq, failed } = this.#columns;
    const wanted = seq[row] ?? 0;
    while ((failed[this.#failed] ?? Number.POSITIVE_INFINITY) < wanted) this.#failed += 1;
    return failed[this.#failed] === wanted;
  }

  #lane(id: string, title: string): Lane {
    const known = this.#lanes.get(id) ?? { id, title, spans: [] };
    this.#lanes.set(id, known);
    return known;
  }
}

/** `agents`, those that share one, come after those with one of their own. */
const ORDER = ["model", "tool", "", "agents", "held", "sonde"];

function rank(id: string): number {
  const at = ORDER.indexOf(id);
  return at === -1 ? 2 : at;
}

function kindOf(type: string): Span["kind"] | undefined {
  if (type === "api_response" || type === "api_error") return "model";
  if (type === "tool_call_end" || type === "tool_result") return "tool";
  if (type === "resumed" || type === "paused") return "held";
  return type === "sonde_call" ? "sonde" : undefined;
}

/** What of the whole time is shown. */
export interface Window {
  from: number;
  to: number;
}

export function wholeOf({ at }: Columns, until = 0): Window {
  const last = at.at(-1) ?? 0;
  return { from: 0, to: Math.max(last, until, 1) };
}

/** Nearer or further, around a moment. */
export function zoomed(window: Window, whole: Window, factor: number, around: number): Window {
  const length = Math.max(10, Math.min(whole.to - whole.from, (window.to - window.from) * factor));
  const share = (around - window.from) / (window.to - window.from || 1);
  return kept({ from: around - share * length, to: around + (1 - share) * length }, whole);
}

export function moved(window: Window, whole: Window, by: number): Window {
  return kept({ from: window.from + by, to: window.to + by }, whole);
}

function kept({ from, to }: Window, whole: Window): Window {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.max(whole.from, Math.min(from, whole.to - length));
  return { from: start, to: start + length };
}

/** `850 ms`, `12.3 s`, `3 m 12 s`. */
export function time(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
