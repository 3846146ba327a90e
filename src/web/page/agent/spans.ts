/** Where in time things happened: spans of calls, tools and holds, by lane. Pure. */
import type { Columns } from "./columns.ts";

export interface Span {
  row: number;
  from: number;
  to: number;
  kind: "model" | "tool" | "held" | "sonde";
  failed: boolean;
}

export interface Lane {
  id: string;
  title: string;
  spans: Span[];
}

/** Of sub-agents with lanes of their own; the others share one. */
const MOST_AGENTS = 6;

/** `model` and `tools` of each agent, then what was held, then what the agent did with Sonde. */
export function lanesOf(columns: Columns): Lane[] {
  const { names, type, agent, at, ms } = columns;
  const lanes = new Map<string, Lane>();
  const failed = new Set(columns.failed);
  const lane = (id: string, title: string): Lane => {
    const known = lanes.get(id) ?? { id, title, spans: [] };
    lanes.set(id, known);
    return known;
  };
  const kinds = names.types.map(kindOf);
  const paused = names.types.indexOf("paused");
  /** Held and not let go yet. */
  const open: Span[] = [];
  const end = at.at(-1) ?? 0;
  for (let row = 0; row < type.length; row++) {
    const kind = kinds[type[row] ?? 0];
    if (kind === undefined) continue;
    const to = at[row] ?? 0;
    const took = Math.max(0, ms[row] ?? 0);
    const span = { row, from: to - took, to, kind, failed: failed.has(columns.seq[row] ?? 0) };
    if (type[row] === paused) {
      open.push({ ...span, to: end });
      continue;
    }
    if (kind === "held") open.shift();
    const who = agent[row] ?? 0;
    const name = who < MOST_AGENTS ? (names.agents[who] ?? "main") : "other agents";
    if (kind === "held") lane("held", "held").spans.push(span);
    else if (kind === "sonde") lane("sonde", "debugger").spans.push(span);
    else lane(`${kind} ${name}`, name === "main" ? kind : `${name} · ${kind}`).spans.push(span);
  }
  if (open.length > 0) lane("held", "held").spans.push(...open);
  const order = ["model main", "tool main"];
  const rank = (id: string) =>
    id === "held" ? 8 : id === "sonde" ? 9 : order.includes(id) ? order.indexOf(id) : 5;
  return [...lanes.values()].sort((a, b) => rank(a.id) - rank(b.id) || a.id.localeCompare(b.id));
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

export function wholeOf({ at }: Columns): Window {
  const last = at.at(-1) ?? 0;
  return { from: 0, to: Math.max(last, 1) };
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
