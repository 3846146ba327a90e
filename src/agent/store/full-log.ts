/** What a recording that has reached its limit still keeps: how the session was controlled and how it ended. */
import type { EventType } from "../events.ts";

const KEPT: ReadonlySet<EventType> = new Set<EventType>([
  "session_end",
  "agent_start",
  "agent_end",
  "paused",
  "breakpoint_hit",
  "resumed",
  "step_complete",
  "injected",
  "anchor_lost",
  "variable_set",
  "tool_call_edit",
  "tool_call_cancel",
  "checkpoint",
  "rewind",
  "command_executed",
  "command_response",
  "api_error",
  "error",
]);

export function isKeptWhenFull(type: EventType): boolean {
  return KEPT.has(type);
}
