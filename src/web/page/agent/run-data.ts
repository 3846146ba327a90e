/**
 * A run as the view has it: columns that only grow, words of events by page as they are looked at, what the run stands at. Everything comes
 * from commands (`agent events`, `agent status`, `agent explain`); the topic of the run only says that there is more.
 */

import { batch, type Signal, signal } from "@preact/signals";
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import type { PageTold } from "../../protocol.ts";
import { call, linkState, watch } from "../state/link.ts";
import { announce } from "../state/say.ts";
import { lanesOf } from "./spans.ts";
import type { Timeline } from "./timeline.ts";

export interface HeldStop {
  id: string;
  reason: string;
  at: string;
  agent: { id: string; name?: string };
  turn?: number;
  iteration?: number;
  breakpoint?: number;
  hits?: number;
  why: string;
  /** `exact`: the input as JSON text, where it has numbers that a value cannot hold. */
  tool?: { id: string; name: string; input: unknown; exact?: string };
  req?: number;
  since?: string;
  deadline?: { at: string; outcome: string };
  orphaned?: boolean;
  price?: { cachedTokens: number; until: string; dollars?: number };
  sends?: { model?: string; messages: number; recent: { role: string; preview: string }[] };
}

export interface RunState {
  session?: string;
  state: string;
  ended?: string;
  held: HeldStop[];
  next?: PageTold[];
}

interface Tokens {
  input: number;
  cacheRead: number;
  cacheWritten: number;
  output: number;
}

export interface Explanation {
  client?: string;
  cwd?: string;
  wallMs: number;
  live: boolean;
  events: number;
  turns: number;
  iterations: number;
  calls: { main: number; subagent: number; compaction: number; auxiliary: number; retries: number };
  tokens: Tokens;
  dollars: number;
  unpriced: string[];
  cache: {
    calls: number;
    hits: number;
    misses: number;
    lostTokens: number;
    worst: { req: number; agent: string; lostTokens: number; cause: MissCause }[];
  };
  repeats: {
    calls: number;
    worst: { tool: string; input: string; count: number; inRow: number; reqs: number[] }[];
  };
  errors: { of: string; what: string; count: number; message: string }[];
  modelMs: number;
  toolMs: number;
  held: { stops: number; ms: number; now: number };
}

export interface MissCause {
  kind: string;
  change?: { holder: string; before: string; after: string };
  before?: string;
  after?: string;
  idleMs?: number;
  limitMs?: number;
  names?: string[];
  why?: string;
}

export interface RunData {
  id: string;
  /** Undefined until all that there was has come; the object stays, `size` says that it grew. */
  columns: Signal<Columns | undefined>;
  /** The end of a long run, shown until all of it has come. Nothing may be counted or summed from it. */
  end: Signal<Columns | undefined>;
  /** How many events have come so far, while the first answer is on its way. */
  read: Signal<number>;
  size: Signal<number>;
  state: Signal<RunState | undefined>;
  explanation: Signal<Explanation | undefined>;
  /** What programs did meanwhile. */
  timeline: Signal<Timeline | undefined>;
  failure: Signal<PageTold | undefined>;
  /** Grows when words of events came. */
  worded: Signal<number>;
  words: Map<number, string>;
}

export function runData(id: string): RunData {
  return {
    id,
    columns: signal(undefined),
    end: signal(undefined),
    read: signal(0),
    size: signal(0),
    state: signal(undefined),
    explanation: signal(undefined),
    timeline: signal(undefined),
    failure: signal(undefined),
    worded: signal(0),
    words: new Map(),
  };
}

export const quiet = { quiet: true } as const;

/** What Sonde says to the agent: of no interest to who follows the agent. */
export const OWN: ReadonlySet<string> = new Set(["command_executed", "command_response", "state_snapshot"]);

/** Follows it while it is looked at. */
export function followRun(run: RunData): () => void {
  let over = false;
  const more = oneAtATime(async () => {
    if (over) return;
    const grew = await fetchColumns(run);
    if (!grew) return;
    void explainSoon(); // what comes meanwhile does not wait for it
    await fetchState(run);
    await fetchTimeline(run);
  });
  const explainSoon = oneAtATime(async () => {
    const began = performance.now();
    await fetchExplanation(run);
    // The longer the run, the longer a reading of all of it: who only watches must not keep the daemon busy.
    await pause((performance.now() - began) * RESTS);
  });
  // What is held comes first, what takes a whole reading of the run last.
  void fetchState(run);
  void more();
  const unwatch = watch(`agent:${run.id}`, (event) => {
    if (event.kind === "run") void more();
  });
  return () => {
    over = true;
    unwatch();
  };
}

/** How many times as long as it worked. */
const RESTS = 4;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Asked again while it works, it works once more afterwards. */
function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await work();
    } while (again);
    running = undefined;
  };
  return () => {
    again = running !== undefined;
    running ??= run();
    return running;
  };
}

/** The first time all of it, then what came since: in parts, so that none of them keeps the page from doing something else. */
async function fetchColumns(run: RunData): Promise<boolean> {
  const have = run.columns.peek();
  const last = have?.seq.at(-1) ?? 0;
  const to = have ?? noColumns();
  const before = to.seq.length;
  // What comes since numbers its tool calls anew; they only have to differ from those before.
  const calls = have === undefined ? 0 : (greatestCall.get(have) ?? 0);
  const take = (part: Columns) => {
    append(to, part, calls);
    lanesOf(to); // a little with each part, instead of all of it in the end
    if (have === undefined) run.read.value = to.seq.length;
  };
  const args = { source: run.id, ...(last === 0 ? {} : { from: last + 1 }) };
  if (have === undefined) void fetchEnd(run);
  const answer = await columnsOf(args, take);
  if (answer !== undefined) {
    if (have === undefined) run.failure.value = answer;
    return false;
  }
  batch(() => {
    run.columns.value = to;
    run.size.value = to.seq.length;
  });
  // Our own questions are events, too: asking again because of them would never end.
  return to.type.slice(before).some((type) => !OWN.has(to.names.types[type] ?? ""));
}

/** A screen or two, and what is scrolled to meanwhile. */
const END = 500;

/** Asked for first, and there long before the rest of a long run. A short one is there as soon. */
async function fetchEnd(run: RunData): Promise<void> {
  if (linkState.peek() === "stored") return;
  const answer = await call<{ columns?: Columns }>("agent events", { source: run.id, last: END }, quiet);
  const isLong = answer.ok && answer.data.columns?.seq.length === END;
  if (isLong && run.columns.peek() === undefined) run.end.value = answer.data.columns;
}

/** Why not, if it failed. A page that was saved has them in one. */
async function columnsOf(
  args: Record<string, unknown>,
  take: (part: Columns) => void,
): Promise<PageTold | undefined> {
  const isSaved = linkState.peek() === "stored";
  const chunk = (text: string) => {
    for (const line of text.split("\n")) if (line !== "") take(JSON.parse(line) as Columns);
  };
  const answer = await call<{ columns?: Columns }>(
    "agent events",
    isSaved ? args : { ...args, parts: true },
    isSaved ? quiet : { ...quiet, chunk },
  );
  if (!answer.ok) return answer.error.message;
  if (answer.data.columns !== undefined) take(answer.data.columns);
  return undefined;
}

/** The number of the last tool call in them. */
const greatestCall = new WeakMap<Columns, number>();

function noColumns(): Columns {
  return {
    began: 0,
    names: { types: [], agents: [], tools: [] },
    ...{ seq: [], at: [], type: [], agent: [], tool: [], req: [], call: [], ms: [], failed: [] },
    holds: { seq: [], stop: [] },
    spent: { seq: [], input: [], cacheRead: [], cacheWritten: [], output: [], dollars: [] },
    ...{ repeats: [], debugged: [] },
  };
}

/** `calls`: what the numbers of its tool calls begin behind. */
function append(to: Columns, more: Columns, calls: number): void {
  const names = (kind: keyof Columns["names"]) =>
    more.names[kind].map((name) => {
      const at = to.names[kind].indexOf(name);
      return at === -1 ? to.names[kind].push(name) - 1 : at;
    });
  const [types, agents, tools] = [names("types"), names("agents"), names("tools")];
  let greatest = greatestCall.get(to) ?? 0;
  if (to.seq.length === 0) to.began = more.began;
  for (let row = 0; row < more.seq.length; row++) {
    to.seq.push(more.seq[row] ?? 0);
    to.at.push(more.at[row] ?? 0);
    to.type.push(types[more.type[row] ?? 0] ?? 0);
    to.agent.push(agents[more.agent[row] ?? 0] ?? 0);
    const tool = more.tool[row] ?? 0;
    to.tool.push(tool === 0 ? 0 : (tools[tool - 1] ?? 0) + 1);
    to.req.push(more.req[row] ?? 0);
    const one = more.call[row] ?? 0;
    to.call.push(one === 0 ? 0 : one + calls);
    if (one + calls > greatest) greatest = one + calls;
    to.ms.push(more.ms[row] ?? -1);
  }
  greatestCall.set(to, greatest);
  pushAll(to.failed, more.failed);
  pushAll(to.holds.seq, more.holds.seq);
  pushAll(to.holds.stop, more.holds.stop);
  for (const key of ["seq", "input", "cacheRead", "cacheWritten", "output", "dollars"] as const)
    pushAll(to.spent[key], more.spent[key]);
  pushAll(to.repeats, more.repeats);
  pushAll(
    to.debugged,
    more.debugged.map((one) => ({ ...one, call: one.call === 0 ? 0 : one.call + calls })),
  );
}

/** Of any length: as arguments of a call they might be too many. */
function pushAll<T>(to: T[], more: readonly T[]): void {
  for (const one of more) to.push(one);
}

async function fetchState(run: RunData): Promise<void> {
  const answer = await call<RunState>("agent status", {}, { session: run.id, ...quiet });
  if (!answer.ok) return;
  const before = run.state.peek()?.held.length ?? 0;
  run.state.value = answer.data;
  const { held } = answer.data;
  if (held.length > before) announce(`held: ${placeOf(held[0])}`);
}

export function placeOf(stop: HeldStop | undefined): string {
  if (stop === undefined) return "";
  if (stop.at === "tool") return `before tool ${stop.tool?.name ?? "?"}`;
  if (stop.at === "turn_end") return "at the end of the turn";
  return stop.req === undefined ? "before a call to the model" : `before call ${stop.req} to the model`;
}

async function fetchExplanation(run: RunData): Promise<void> {
  const answer = await call<Explanation>("agent explain", { source: run.id }, quiet);
  if (answer.ok) run.explanation.value = answer.data;
}

/** The first time, then only when a command of the agent's has made something. */
async function fetchTimeline(run: RunData): Promise<void> {
  const made = run.columns.peek()?.debugged.filter((one) => (one.trace ?? one.profile) !== undefined).length;
  if (made === undefined || madeThen.get(run) === made) return;
  const answer = await call<Timeline>("agent timeline", { source: run.id }, quiet);
  if (!answer.ok) return;
  madeThen.set(run, made);
  run.timeline.value = answer.data;
}

const madeThen = new WeakMap<RunData, number>();
