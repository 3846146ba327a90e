/**
 * What an agent does, as the bridge sees it: calls to a model and calls of tools, whichever way they come in (library, proxy, hook),
 * and what is decided about each.
 */
import type { StoredBlob, Usage } from "../events.ts";

export type Wire = "anthropic" | "openai-chat" | "openai-responses" | "library";

/** Which agent of a run: the one the user talks to is `main`. */
export interface AgentRef {
  id: string;
  parent?: string;
  /** What kind it is, in its client's words. */
  name?: string;
}

export const MAIN: AgentRef = { id: "main" };

/** `auxiliary`: titles, token counts and the like. They are recorded and never held. */
export type CallClass = "main" | "subagent" | "compaction" | "auxiliary";

export type Part =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string }
  /** `exact`: the input as JSON text, where it has numbers that `input` cannot hold. */
  | { kind: "tool_call"; id: string; name: string; input: unknown; exact?: string }
  | { kind: "tool_result"; id: string; text: string; isError: boolean }
  | { kind: "other"; type: string; bytes: number };

export interface Message {
  role: string;
  parts: readonly Part[];
}

export interface ToolDescription {
  name: string;
  description: string;
}

/** A request to a model in one form for all wires; what is not in it is in `body`. */
export interface RequestView {
  wire: Wire;
  model: string;
  stream: boolean;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolDescription[];
  /** max_tokens, temperature and what else is a plain value at the top. */
  params: Readonly<Record<string, string | number | boolean>>;
  /** The whole, as JSON text. */
  body: string;
  /** Where in `body` its messages, tools and system blocks begin and end: what is the same as in another request is stored once. */
  cuts?: readonly number[];
}

/** What a person changed of a call: as in the decision that sends it. */
export interface RequestChanges {
  inject: readonly Injection[];
  set: Readonly<Record<string, unknown>>;
  body?: string | undefined;
}

export interface ModelCall {
  /** The same for a retry of a call, and for no other call. */
  key: string;
  agent: AgentRef;
  class: CallClass;
  provider: string;
  /** What would be sent now. */
  request: RequestView;
  /** What the client wrote, where injections of before have been put into `request`. */
  asked?: { body: string; cuts: readonly number[] };
  /** What would be sent with these changes; nothing is changed by asking. Left out where only the agent itself can tell. */
  changed?(changes: RequestChanges): RequestView;
}

export interface ModelAnswer {
  parts: readonly Part[];
  stopReason: string;
  usage?: Usage;
  /** The model that answered, in its own words. */
  model?: string;
  id?: string;
}

/** A message that a person puts into a conversation. */
export interface Injection {
  id: string;
  role: "user" | "assistant" | "system";
  content: string;
}

/** What happens to a call that was about to be sent. */
export type ModelDecision =
  | {
      do: "send";
      /** The number of the call, from 1, in `api_request` and all that follows from it. */
      req: number;
      /** To be put at the end of the messages now, and to be kept there in later requests. */
      inject: readonly Injection[];
      /** Values at the top of the request: model, max_tokens, temperature … */
      set: Readonly<Record<string, unknown>>;
      /** Sent instead of the request's own body; JSON text. Injections are added to it; `set` is not. */
      body?: string;
      /** How long it was held, in milliseconds. */
      heldMs: number;
    }
  /** It is not sent: the model is said to have ended its turn with this text. */
  | { do: "answer"; req: number; text: string; heldMs: number }
  /** It is not sent: the agent gets an error that it must not retry. */
  | { do: "fail"; req: number; message: string; heldMs: number };

export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
  /** As JSON text, where it has numbers that `input` cannot hold. */
  exact?: string | undefined;
  agent: AgentRef;
  /** The model call that asked for it. */
  req?: number;
  source: "proxy" | "hook" | "library";
}

export type ToolDecision =
  /** `signal` fires when the call is cancelled while it runs. */
  | {
      do: "run";
      input: unknown;
      exact?: string | undefined;
      edited: boolean;
      heldMs: number;
      signal: AbortSignal;
    }
  | { do: "cancel"; reason: string; heldMs: number };

export interface ToolOutcome {
  id: string;
  name: string;
  text: string;
  isError: boolean;
  durationMs?: number;
}

export type StopReason = "pause" | "step" | "breakpoint";

/** Something that is held right now. */
export interface Stop {
  /** s1, s2 … */
  id: string;
  reason: StopReason;
  /** Before a call to the model, or before a tool. */
  at: "model" | "tool";
  agent: AgentRef;
  turn: number;
  /** Of the turn, and of the session. */
  iteration: number;
  totalIterations: number;
  /** Which breakpoint, by number. */
  breakpoint?: number;
  /** Why, in words: `tool Bash matches Ba*`. */
  why: string;
  tool?: { id: string; name: string; input: unknown; exact?: string | undefined };
  req?: number;
  /** ISO 8601. */
  since: string;
  /** When it is let go by itself, and what happens then. */
  deadline?: { at: string; outcome: "release" | "fail" };
  /** What can be done about it: names of commands. */
  actions: readonly string[];
  /** The client gave up waiting; the stop waits for its retry. */
  orphaned?: boolean;
}

export interface AnswerFacts {
  firstMs?: number;
  durationMs: number;
  status?: number;
  contentType?: string;
  /** The answer as it came, for replay. */
  raw?: StoredBlob;
}

export interface ModelError {
  status?: number;
  type: string;
  message: string;
  /** The answer's body, as it came. */
  body?: string;
  contentType?: string;
  durationMs?: number;
  /** How the client got it, where its answer had begun already. */
  forwardedAs?: string;
}

/** An injection that was sent: where it stands is known to who placed it. */
export interface Placed extends Injection {
  /** In words of the wire: what it stands behind. */
  anchor?: string;
}

/** What a library user or the proxy sees of the bridge: the seams. All of them return at once while nothing is to be stopped. */
export interface Seams {
  /** Waits for as long as the call is held. `signal`: the client has gone away; the stop then waits for a retry with the same key. */
  beforeModel(call: ModelCall, signal?: AbortSignal): Promise<ModelDecision>;
  /** What was sent instead, if the decision changed the request. */
  requestEdited(req: number, body: string, cuts?: readonly number[]): void;
  afterModel(req: number, answer: ModelAnswer, facts: AnswerFacts): void;
  modelFailed(req: number, error: ModelError): void;
  /** A tool call is decided once: asked again for the same id, the same decision is given. */
  beforeTool(call: ToolCall, signal?: AbortSignal): Promise<ToolDecision>;
  afterTool(outcome: ToolOutcome, agent?: AgentRef): void;
  /** Whether any tool call of this agent may have to be held: a stream is passed on as it comes where it is false. */
  watchesTools(agent: AgentRef): boolean;
  /** Whether any call may have to be held: what cannot be read must not pass then. */
  mayHold(): boolean;
  /** Something said in the conversation that no other seam shows: what the user typed. */
  message(message: { role: string; content: string; agent?: AgentRef }): void;
  turnEnded(agent: AgentRef): void;
  agentEnded(agent: AgentRef): void;
  /** Injections of this agent that were sent before, in the order in which they were placed: each belongs into every later request. */
  ledgerFor(agent: AgentRef): readonly Placed[];
  placed(id: string, anchor: string): void;
  /** What it stood behind is gone from the conversation; it is forgotten. */
  anchorLost(id: string): void;
}
