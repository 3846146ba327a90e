/** What is known of each agent of a run: where it is, what it sent last, what is to happen to it next. */
import { createHash } from "node:crypto";
import type { Usage } from "../events.ts";
import type { AgentRef, Injection, Message, ModelCall, Part, Placed, RequestView } from "./model.ts";

export type StepKind = "model" | "tool" | "turn";

export interface Sent {
  req: number;
  key: string;
  /** As the agent wrote it. */
  request: RequestView;
  changed?: ModelCall["changed"];
  /** As it went, where a person had changed it. */
  sent?: RequestView | undefined;
  provider: string;
  /** `gone`: its client left before it was answered. */
  state: "open" | "answered" | "failed" | "gone";
}

/** To be held at the next occasion, and why. */
export interface Pending {
  breakpoint: number;
  why: string;
}

export class AgentState {
  readonly ref: AgentRef;
  turn = 0;
  /** Of the turn. */
  iteration = 0;
  totalIterations = 0;
  inTurn = false;
  /** To be held at its next call, and why. */
  paused: string | undefined;
  step: StepKind | undefined;
  pending: Pending | undefined;
  last: Sent | undefined;
  /** The request before the last one, to compare with. */
  previous: RequestView | undefined;
  usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
  lastUsage: Usage | undefined;
  cost: number | undefined;
  toInject: Injection[] = [];
  placed: Placed[] = [];
  set: Record<string, unknown> = {};
  heldMs = 0;
  /** Of this turn, by what was called with what. */
  readonly #calls = new Map<string, number>();
  /** Files that its tools named, the last ones. */
  readonly files = new Set<string>();
  /** What the user said, as far as it was reported before the request that has it. */
  readonly heard = new Set<string>();

  constructor(ref: AgentRef) {
    this.ref = ref;
  }

  beginTurn(): void {
    this.turn++;
    this.iteration = 0;
    this.inTurn = true;
    this.#calls.clear();
  }

  beginIteration(): void {
    this.iteration++;
    this.totalIterations++;
  }

  /** How many times this call was made in this turn, with this one. */
  countCall(name: string, input: string): number {
    const key = createHash("sha256").update(name).update("\0").update(input).digest("base64");
    const count = (this.#calls.get(key) ?? 0) + 1;
    this.#calls.set(key, count);
    return count;
  }

  sending(sent: Sent): void {
    if (this.last && this.last.key !== sent.key) this.previous = this.last.sent ?? this.last.request;
    this.last = sent;
  }

  add(usage: Usage, cost: number | undefined): void {
    const total = this.usage;
    this.usage = {
      inputTokens: total.inputTokens + usage.inputTokens,
      outputTokens: total.outputTokens + usage.outputTokens,
      cacheReadTokens: total.cacheReadTokens + usage.cacheReadTokens,
      cacheCreationTokens: total.cacheCreationTokens + usage.cacheCreationTokens,
    };
    this.lastUsage = usage;
    if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
  }

  touch(input: unknown): void {
    for (const path of pathsIn(input)) {
      this.files.delete(path);
      this.files.add(path);
    }
    while (this.files.size > MOST_FILES) this.files.delete([...this.files][0] ?? "");
  }
}

const MOST_FILES = 50;

/** By the names that file tools give their arguments. */
function pathsIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  const given = input as Record<string, unknown>;
  return ["file_path", "path", "notebook_path", "filename"].flatMap((key) => {
    const value = given[key];
    return typeof value === "string" && value.length < 4096 ? [value] : [];
  });
}

/** Sub-agents come and go; what was said long ago about those that ended is in the log. */
const MOST_AGENTS = 200;

export class Agents {
  readonly #states = new Map<string, AgentState>();

  get all(): readonly AgentState[] {
    return [...this.#states.values()];
  }

  get(id: string): AgentState | undefined {
    return this.#states.get(id);
  }

  /** The second: it was not known before. */
  of(ref: AgentRef): [AgentState, boolean] {
    const known = this.#states.get(ref.id);
    if (known) return [known, false];
    const state = new AgentState(ref);
    this.#states.set(ref.id, state);
    if (this.#states.size > MOST_AGENTS) this.#forgetOne();
    return [state, true];
  }

  #forgetOne(): void {
    const idle = this.all.find(({ ref, inTurn }) => ref.id !== "main" && !inTurn);
    if (idle) this.#states.delete(idle.ref.id);
  }

  remove(id: string): void {
    if (id !== "main") this.#states.delete(id);
  }
}

/** The last message that a person, a model or a tool wrote: clients put notes of their own behind it. */
function lastWords({ request }: ModelCall): Message | undefined {
  return request.messages.findLast(({ role }) => role !== "system" && role !== "developer");
}

/** A request that a user's words begin: its last message is not a tool's result. */
export function startsTurn(call: ModelCall): boolean {
  const last = lastWords(call);
  if (!last || last.role === "assistant" || last.role === "tool") return false;
  return !last.parts.some(({ kind }) => kind === "tool_result");
}

/** The words of the user at the end of a request. */
export function userWords(call: ModelCall): string {
  const texts =
    lastWords(call)?.parts.filter((one): one is Part & { kind: "text" } => one.kind === "text") ?? [];
  return texts.map(({ text }) => text).join("\n");
}
