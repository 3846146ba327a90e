/**
 * A run as the view has it: columns that only grow, words of events by page as they are looked at, what the run stands at. Everything comes
 * from commands (`agent events`, `agent status`, `agent explain`); the topic of the run only says that there is more.
 */
import { type Signal, signal } from "@preact/signals";
import type { PageTold } from "../../protocol.ts";
import { call, watch } from "../state/link.ts";
import { announce } from "../state/say.ts";
import type { Columns } from "./columns.ts";

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
  tool?: { id: string; name: string; input: unknown };
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
  /** Undefined until the first answer; the object stays, `size` says that it grew. */
  columns: Signal<Columns | undefined>;
  size: Signal<number>;
  state: Signal<RunState | undefined>;
  explanation: Signal<Explanation | undefined>;
  failure: Signal<PageTold | undefined>;
  /** Grows when words of events came. */
  worded: Signal<number>;
  words: Map<number, string>;
}

export function runData(id: string): RunData {
  return {
    id,
    columns: signal(undefined),
    size: signal(0),
    state: signal(undefined),
    explanation: signal(undefined),
    failure: signal(undefined),
    worded: signal(0),
    words: new Map(),
  };
}

const quiet = { quiet: true } as const;

/** What Sonde says to the agent: of no interest to who follows the agent. */
export const OWN: ReadonlySet<string> = new Set(["command_executed", "command_response", "state_snapshot"]);

/** Follows it while it is looked at. */
export function followRun(run: RunData): () => void {
  let over = false;
  const more = oneAtATime(async () => {
    if (over) return;
    const grew = await fetchColumns(run);
    if (grew) await Promise.all([fetchState(run), explainSoon()]);
  });
  const explainSoon = oneAtATime(() => fetchExplanation(run));
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

/** The first time all of it, then what came since. */
async function fetchColumns(run: RunData): Promise<boolean> {
  const have = run.columns.peek();
  const last = have?.seq.at(-1) ?? 0;
  const args = { source: run.id, ...(last === 0 ? {} : { from: last + 1 }) };
  const answer = await call<{ columns?: Columns }>("agent events", args, quiet);
  if (!answer.ok) {
    if (have === undefined) run.failure.value = answer.error.message;
    return false;
  }
  const { columns } = answer.data;
  if (columns === undefined) return false;
  if (have === undefined) run.columns.value = columns;
  else append(have, columns);
  run.size.value = run.columns.peek()?.seq.length ?? 0;
  // Our own questions are events, too: asking again because of them would never end.
  return columns.type.some((type) => !OWN.has(columns.names.types[type] ?? ""));
}

function append(to: Columns, more: Columns): void {
  const names = (kind: keyof Columns["names"]) =>
    more.names[kind].map((name) => {
      const at = to.names[kind].indexOf(name);
      return at === -1 ? to.names[kind].push(name) - 1 : at;
    });
  const [types, agents, tools] = [names("types"), names("agents"), names("tools")];
  // The tail numbers its tool calls anew; they only have to differ from those before.
  const calls = Math.max(0, ...to.call.slice(-2000));
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
    to.ms.push(more.ms[row] ?? -1);
  }
  to.failed.push(...more.failed);
  for (const key of ["seq", "input", "cacheRead", "cacheWritten", "output", "dollars"] as const)
    to.spent[key].push(...more.spent[key]);
  to.debugged.push(...more.debugged.map((one) => ({ ...one, call: one.call === 0 ? 0 : one.call + calls })));
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

/** Words are fetched by pages of so many events. */
const PAGE = 200;
const asked = new WeakMap<RunData, Set<number>>();

/** What an event says, as soon as it is known. */
export function wordsOf(run: RunData, row: number): string | undefined {
  const seq = run.columns.peek()?.seq[row];
  if (seq === undefined) return undefined;
  const known = run.words.get(seq);
  if (known !== undefined) return known;
  const page = Math.floor(row / PAGE);
  const pages = asked.get(run) ?? new Set<number>();
  asked.set(run, pages);
  // The last page is not whole yet: it is asked for again when it has grown.
  const mark = page * 1_000_000 + Math.min(PAGE, run.size.peek() - page * PAGE);
  if (!pages.has(mark)) {
    pages.add(mark);
    void fetchWords(run, page);
  }
  return undefined;
}

async function fetchWords(run: RunData, page: number): Promise<void> {
  const { seq = [] } = run.columns.peek() ?? {};
  const from = seq[page * PAGE];
  const to = seq[Math.min(seq.length, (page + 1) * PAGE) - 1];
  if (from === undefined || to === undefined) return;
  const answer = await call<{ words?: { seq: number; text: string }[] }>(
    "agent events",
    { source: run.id, from, to, words: true },
    quiet,
  );
  if (!answer.ok) return;
  for (const one of answer.data.words ?? []) run.words.set(one.seq, one.text);
  run.worded.value += 1;
}
