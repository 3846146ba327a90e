/** A model provider that says what a test tells it to: a real HTTP server that speaks the three wires and keeps what it was asked. */
import type { EventEmitter } from "node:events";

export interface ScriptedTool {
  /** One is made up if left out: toolu_0001 … */
  id?: string;
  name: string;
  input: unknown;
  /** The text of the input as it goes over the wire, where it must not be what JSON.stringify makes of it. */
  inputText?: string;
  /** Responses wire: a custom tool, whose input is plain text. */
  custom?: boolean;
}

export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | ({ type: "tool" } & ScriptedTool)
  /** A block that is sent as it stands, in the words of the wire. */
  | { type: "raw"; block: Record<string, unknown> };

export interface ScriptedError {
  status: number;
  type?: string;
  message?: string;
  headers?: Record<string, string>;
}

/** One answer. Nothing in it: the text "Done." */
export interface Reply {
  thinking?: string;
  /** More than one: a block each. */
  text?: string | readonly string[];
  /** More than one: parallel calls. */
  tools?: readonly ScriptedTool[];
  /** In an order of their own; instead of thinking, text and tools. */
  blocks?: readonly Block[];
  /** In the words of the wire; else by what the blocks are. */
  stopReason?: string;
  /** input: what did not come from the cache. 100 in and 20 out if left out. */
  usage?: Partial<Record<"input" | "output" | "cacheRead" | "cacheCreation" | "reasoning", number>>;
  /** Instead of an answer; a number stands for its usual body. */
  error?: number | ScriptedError;
  /** After `after` events (3) of the stream. */
  streamError?: ScriptedError & { after?: number };
  /** The connection is cut after that many events. */
  cutAfter?: number;
  /** `true`: not one byte ever comes. A number: silence after so many events. */
  hang?: true | number;
  /** Before each event. */
  delayMs?: number;
  /** The answer begins when this is settled. */
  after?: Promise<unknown>;
  /** How many characters a piece of text or input has; 7. */
  pieceChars?: number;
  /** Anthropic: how many pings in the first block; 1. */
  pings?: number;
  headers?: Record<string, string>;
  /** Sent as it stands. */
  raw?: { status?: number; headers?: Record<string, string>; body: string | Uint8Array };
}

export type Wire = "anthropic" | "openai-chat" | "openai-responses";

/** What has come in. */
export interface Seen {
  /** Of all requests, from 0. */
  index: number;
  method: string;
  url: string;
  path: string;
  /** Names as they were written, in their order. */
  headers: readonly (readonly [name: string, value: string])[];
  header(name: string): string | undefined;
  raw: Buffer;
  text: string;
  /** Parsed; {} if it is no JSON object. */
  body: Record<string, unknown>;
  /** The messages or input items of the body. */
  messages: readonly Record<string, unknown>[];
  /** Each message in a line: `user: hi`, `assistant: [bash {"command":"ls"}]`, `user: [result toolu_0001 a.txt]`. */
  outline: readonly string[];
  /** Undefined where it is no call to a model: HEAD, /v1/models, count_tokens. */
  wire?: Wire;
  /** A title or the like, answered by a default and no part of the script. */
  auxiliary: boolean;
  /** Of the calls that the script answers, from 0. */
  call?: number;
  /** When it had come in whole; performance.now(). */
  at: number;
  /** Who asked went away before it had the whole answer. */
  aborted: boolean;
  answered: boolean;
  /** When it is over: answered, or aborted. */
  closed: Promise<"answered" | "aborted">;
}

export type Script =
  | readonly Reply[]
  | ((request: Seen, call: number) => Reply | undefined | Promise<Reply | undefined>);

export interface ProviderOptions {
  /** A list answers calls in their order. What it has no answer for gets "Done." */
  script?: Script;
  /** Which calls are no part of the script. Else: calls without tools from Claude Code and Codex. */
  auxiliary?: (request: Seen) => boolean;
  auxiliaryReply?: Reply;
  port?: number;
}

export interface Provider extends EventEmitter {
  /** http://127.0.0.1:PORT, as ANTHROPIC_BASE_URL wants it; the OpenAI SDKs want `${url}/v1`. */
  url: string;
  port: number;
  /** All that came in, in order. */
  requests: readonly Seen[];
  /** Only the calls that the script answers. */
  calls: readonly Seen[];
  /** The next call that this has not given out yet; waits for it. Fails after timeoutMs (20 s). */
  next(options?: { timeoutMs?: number; where?: (request: Seen) => boolean }): Promise<Seen>;
  /** More answers for a script that is a list. */
  add(...replies: Reply[]): void;
  close(): Promise<void>;
}

export function startProvider(options?: ProviderOptions): Promise<Provider>;
