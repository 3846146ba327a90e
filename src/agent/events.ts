/** What is recorded of an agent's run: one event a line in `events.jsonl`, in the order in which they happened. */

/** Every type that Sonde writes. Readers pass over types that they do not know. */
export const EVENT_TYPES = [
  "session_start",
  "session_end",
  "agent_start",
  "agent_end",
  "turn_start",
  "turn_end",
  "user_input",
  "assistant_text",
  "api_request",
  "api_request_edit",
  "api_response",
  "api_error",
  "context_compaction",
  "tool_call_start",
  "tool_call_edit",
  "tool_call_cancel",
  "tool_call_end",
  "tool_result",
  "paused",
  "breakpoint_hit",
  "resumed",
  "step_complete",
  "injected",
  "anchor_lost",
  "variable_set",
  "checkpoint",
  "rewind",
  "state_snapshot",
  "command_executed",
  "command_response",
  "sonde_call",
  "error",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export interface AgentEvent {
  type: string;
  /** ISO 8601. */
  timestamp: string;
  sessionId: string;
  /** 1, 2, 3 … without gaps. Files of other tools have none. */
  seq?: number;
  /** Milliseconds since the session began, by a clock that never goes back. */
  at?: number;
  data: Readonly<Record<string, unknown>>;
}

/** Text in an event: as it is, or, if it is long, where it is kept. A JSON value is kept as its text. */
export type Stored = string | StoredBlob;

export interface StoredBlob {
  /** SHA-256 of the bytes, in hexadecimal; the name of its file. */
  blob: string;
  bytes: number;
  /** How it begins. */
  preview: string;
}

/**
 * A request body: the exact text (but for masked secrets), cut where its messages, tools and system blocks begin, because each request repeats
 * most of the one before it. `pieces` names a blob that holds a list of blobs, one hash a line; joined they are the text.
 */
export type StoredBody = Stored | { pieces: string; bytes: number; preview: string };

export interface Usage {
  /** All that went in, what came from the cache included. */
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  reasoningTokens?: number;
}
