/** What `agent explain` says of a run, as data. */
import type { PrefixChange } from "./prefix-change.ts";

export interface Tokens {
  /** All that went in, the cache's share included. */
  input: number;
  cacheRead: number;
  cacheWritten: number;
  output: number;
}

export type MissCause =
  | { kind: "model_changed"; before: string; after: string }
  | { kind: "compacted" }
  | { kind: "prefix_changed"; change: PrefixChange }
  | { kind: "params_changed"; names: string[] }
  | { kind: "expired"; idleMs: number; limitMs: number }
  | { kind: "not_marked" }
  /** All that was sent before is still there, and in time; or a body is no longer stored. */
  | { kind: "unknown"; why: string };

export interface CacheMiss {
  req: number;
  agent: string;
  /** Tokens that were in the cache after the call before, and had to be read anew. */
  lostTokens: number;
  cause: MissCause;
}

export interface Repeat {
  agent: string;
  tool: string;
  input: string;
  count: number;
  /** The longest run of it without another call between. */
  inRow: number;
  /** The calls to the model that asked for it, the first ones. */
  reqs: number[];
  lastReq?: number | undefined;
}

export interface ToolRow {
  name: string;
  count: number;
  errors: number;
  /** Forbidden by hand: they did not run. */
  cancelled: number;
  /** How many of them have a time. */
  timed: number;
  totalMs: number;
  maxMs: number;
  /** Before they ran. */
  heldMs: number;
}

export interface SlowCall {
  req: number;
  agent: string;
  model: string;
  firstMs?: number | undefined;
  durationMs: number;
}

export interface ErrorRow {
  of: "tool" | "api" | "run";
  what: string;
  count: number;
  /** The last one's words. */
  message: string;
}

export interface AgentRow {
  id: string;
  name?: string | undefined;
  parent?: string | undefined;
  calls: number;
  toolCalls: number;
  tokens: Tokens;
  dollars: number;
}

export interface ModelRow {
  model: string;
  calls: number;
  tokens: Tokens;
  /** Undefined if no price is known. An estimate by list prices. */
  dollars: number | undefined;
}

export interface Explanation {
  session: string;
  client?: string | undefined;
  cwd?: string | undefined;
  startedAt?: string | undefined;
  /** From the first event to the last, or until now where it still runs. */
  wallMs: number;
  /** It still runs. */
  live: boolean;
  end: {
    known: boolean;
    exit?: number | undefined;
    signal?: string | undefined;
    reason?: string | undefined;
  };
  events: number;
  turns: number;
  iterations: number;
  calls: {
    main: number;
    subagent: number;
    compaction: number;
    auxiliary: number;
    retries: number;
    unanswered: number;
  };
  tokens: Tokens;
  /** An estimate, of the calls whose model has a price. */
  dollars: number;
  unpriced: string[];
  models: ModelRow[];
  cache: {
    /** Calls that could have used the cache: all but each agent's first. */
    calls: number;
    hits: number;
    firstCalls: number;
    misses: number;
    lostTokens: number;
    byCause: Partial<Record<MissCause["kind"], number>>;
    /** The most expensive ones. */
    worst: CacheMiss[];
  };
  repeats: { calls: number; worst: Repeat[] };
  tools: ToolRow[];
  slowCalls: SlowCall[];
  modelMs: number;
  toolMs: number;
  errors: ErrorRow[];
  /** `now`: how many stops are still held; their time counts until now. `atEnd`: how many were held when the recording ended. */
  held: { stops: number; ms: number; by: Record<string, number>; now: number; atEnd: number };
  agents: AgentRow[];
  compactions: {
    count: number;
    last?: { req?: number | undefined; before: number; after: number } | undefined;
  };
  touched: {
    injected: number;
    toolsEdited: number;
    toolsCancelled: number;
    requestsEdited: number;
    callsKilled: number;
    settings: number;
    anchorsLost: number;
  };
}

export function noTokens(): Tokens {
  return { input: 0, cacheRead: 0, cacheWritten: 0, output: 0 };
}
