/**
 * Withholding tool calls in a stream. Events pass as the bytes came; those of a tool call are kept back until it is decided, then released as they were,
 * with another input, or as words that say it was cancelled. Pure: whoever runs the gate asks for the decisions.
 */
import type { SseEvent, ToolPart } from "../answers/reader.ts";

/** What was decided about a tool call. */
export type Ruling =
  | { do: "run"; input: unknown; exact?: string | undefined; edited: boolean }
  | { do: "cancel"; reason: string };

/** One event: its bytes, what they say (nothing, for a comment), and the calls that are complete with it. */
export interface RawEvent {
  raw: Buffer;
  event?: SseEvent;
  tools: readonly ToolPart[];
}

export type GateStep =
  | { pass: Buffer }
  /** Rulings in the same order are to be given to `settle`; until then nothing more is taken. Always the last step. */
  | { ask: readonly ToolPart[] };

export interface ToolGate {
  take(event: RawEvent): GateStep[];
  settle(rulings: readonly Ruling[]): GateStep[];
  /** Whether something is kept back, so that bytes must not overtake it; or whether what follows must be rewritten. */
  readonly busy: boolean;
  /** The stream has broken off: what is kept back, as it came. A call that is not complete runs nowhere. */
  end(): Buffer[];
}

export function cancelText(tool: ToolPart, reason: string): string {
  const why = reason === "" ? "" : `: ${reason}`;
  return `[The call of tool ${tool.name} was cancelled before it ran${why}]`;
}
