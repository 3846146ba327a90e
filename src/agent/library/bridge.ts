/** What an agent sees of the bridge. On or off, it has the same methods; off, they do nothing and cost next to nothing. */

export interface AgentBridge extends AsyncDisposable {
  readonly enabled: boolean;
  /** `debug_…`; undefined when it is off. */
  readonly session: string | undefined;
  /** The folder with its `events.jsonl` and `commands.jsonl`; undefined when it is off. */
  readonly folder: string | undefined;

  /**
   * Before a request goes to a model: waits for as long as it is held. The request is the body as its API takes it (Anthropic Messages, OpenAI Chat
   * or Responses). What was injected is added to its own list of messages, so that it stays in the conversation; send `request` of the result.
   */
  beforeModel<R extends object>(request: R, about?: ModelCallFacts): Promise<AllowedCall<R>>;
  /** What the model answered: the whole answer, as its API gives it. */
  afterModel(call: { req: number }, answer: object, times?: { firstMs?: number }): void;
  modelFailed(call: { req: number }, error: unknown): void;
  /** All three: before, `run`, after. Someone's answer in place of the model's has the same shape as the API's. */
  model<R extends object, A extends object>(
    request: R,
    run: (request: R) => Promise<A>,
    about?: ModelCallFacts,
  ): Promise<A>;

  /** Before a tool runs: waits for as long as it is held. */
  beforeTool(call: ToolCallFacts): Promise<AllowedTool>;
  afterTool(outcome: ToolOutcomeFacts): void;
  /** Both, and `run` between them unless the call is cancelled. What `run` throws is recorded and thrown again. */
  tool<T>(
    call: ToolCallFacts,
    run: (input: unknown, running: { signal: AbortSignal }) => T | Promise<T>,
  ): Promise<ToolRun<T>>;

  /** Something said that no request shows yet: what the user typed. */
  message(role: "user" | "assistant" | "system", content: string, agent?: AgentName): void;
  /** An agent has ended: a sub-agent, or a turn of the main one that was given up. */
  turnEnded(agent?: AgentName): void;

  /** Checkpoints, rewinding and branches of a list of messages, for this program and for whoever debugs it. */
  conversation<M>(messages: M[]): AgentConversation<M>;

  /** Milliseconds, by a clock that stands still while the agent is held. */
  now(agent?: AgentName): number;
  /** How long it was held until now: to be taken off clocks of its own. */
  heldMs(agent?: AgentName): number;

  /** Lets everything go and ends the session. At the end of the process that happens by itself. */
  close(): Promise<void>;
}

/** The main agent if left out; `parent` and `name` are for whoever looks on. */
export type AgentName = string | { id: string; parent?: string; name?: string };

export interface ModelCallFacts {
  agent?: AgentName;
  /** Which API's body the request is; else it is told by its shape. */
  wire?: "anthropic" | "openai-chat" | "openai-responses";
  /** Who answers, in words: `anthropic`, `openai`, a host. */
  provider?: string;
  /** `auxiliary` calls (titles, summaries) are recorded and never held. */
  class?: "main" | "auxiliary";
  /** The same for each try of one call, and for no other call. */
  key?: string;
  /** Gives up waiting. */
  signal?: AbortSignal;
}

export interface AllowedCall<R> {
  /** Its number in the record, from 1; 0 when the bridge is off. */
  req: number;
  /** What to send. */
  request: R;
  /** Someone answered in the model's place: send nothing, and take this as what it said. */
  answer?: string;
  heldMs: number;
}

export interface ToolCallFacts {
  /** As the model gave it. */
  id: string;
  name: string;
  input: unknown;
  agent?: AgentName;
  signal?: AbortSignal;
}

export type AllowedTool =
  /** `signal` fires when the call is cancelled while it runs. */
  | { run: true; input: unknown; edited: boolean; heldMs: number; signal: AbortSignal }
  | { run: false; reason: string; heldMs: number };

export interface ToolOutcomeFacts {
  id: string;
  name: string;
  /** What the model is told: a text, or anything that JSON can hold. */
  content: unknown;
  isError?: boolean;
  durationMs?: number;
  agent?: AgentName;
}

export type ToolRun<T> =
  /** `input`: what it was run with. */
  | { cancelled: false; value: T; input: unknown; edited: boolean }
  /** Tell the model the reason as the result of its call, and go on. */
  | { cancelled: true; reason: string };

export interface ConversationCheckpoint {
  /** c1, c2 … */
  id: string;
  label?: string;
  /** How many messages there were. */
  messages: number;
}

export interface AgentConversation<M> {
  /** The agent's own list. */
  readonly messages: M[];
  readonly checkpoints: readonly ConversationCheckpoint[];
  /**
   * Keeps the list as it is; messages themselves are not copied. A tool call that has no result yet is left out, with its message. One is taken
   * before every model call, too.
   */
  checkpoint(label?: string): string;
  /** The list as it was then, in the same array. What was there is a checkpoint of its own, whose id is returned. Files on disk stay as they are. */
  rewind(checkpoint: string): string;
  /** A new list that begins as this one was then, or is now. */
  branch(checkpoint?: string): AgentConversation<M>;
}

/** A value of the agent that may be changed while it runs (`set_variable`). */
export interface AgentVariable {
  get(): unknown;
  /** Throws what is wrong with a value that it does not take. */
  set(value: unknown): void;
}

export interface BridgeOptions {
  /** If left out, the environment decides: SONDE_AGENT=1, or SONDE_AGENT_DIR set. */
  enabled?: boolean;
  /** Where sessions are kept; else SONDE_AGENT_DIR, else where the command line looks. */
  dir?: string;
  /** What the agent is called: `-s <name>` on the command line. Else SONDE_AGENT_NAME. */
  name?: string;
  /** What kind of agent it is: the name of the program. */
  client?: string;
  /** Begins paused: nothing is sent to a model before somebody says so. Else SONDE_AGENT_PAUSED=1. */
  paused?: boolean;
  /** What happens to something that is held for so long; without it a hold has no end. */
  maxHold?: { ms: number; outcome: "release" | "fail" };
  variables?: Readonly<Record<string, AgentVariable>>;
}
