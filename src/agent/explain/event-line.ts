/** An event as one short line: what `watch` and `replay` print. */
import type { AgentEvent } from "../events.ts";
import { endText } from "./ending.ts";
import {
  agentOf,
  duration,
  type Fields,
  isRecord,
  line,
  number,
  preview,
  record,
  size,
  text,
  usageOf,
} from "./fields.ts";

/** `   12     3.412s api_request        call 3 · claude-x · 14 messages` */
export function eventLine(event: AgentEvent): string {
  const data = isRecord(event.data) ? event.data : {};
  const seq = event.seq === undefined ? "" : String(event.seq);
  const said = eventWords(event);
  const agent = agentOf(data);
  const who = agent === "main" ? "" : `[${line(agent, 24)}] `;
  return `${seq.padStart(6)} ${when(event).padStart(10)} ${line(event.type, 40).padEnd(18)} ${who}${said}`.trimEnd();
}

/** What it says, without number, time and type. */
export function eventWords(event: AgentEvent): string {
  const data = isRecord(event.data) ? event.data : {};
  return WORDS.get(event.type)?.(data) ?? other(data);
}

function when(event: AgentEvent): string {
  if (event.at !== undefined) return `${(event.at / 1000).toFixed(3)}s`;
  return line(event.timestamp.slice(11, 23), 12);
}

type Say = (data: Fields) => string;

const WORDS = new Map<string, Say>([
  [
    "session_start",
    (data) =>
      joined(
        short(data.client),
        short(data.version),
        short(data.model),
        list(data.argv),
        data.cwd === undefined ? "" : `in ${short(data.cwd, 100)}`,
      ),
  ],
  [
    "session_end",
    (data) =>
      joined(exit(data), data.reason === "exit" || data.reason === "signal" ? "" : short(data.reason, 120)),
  ],
  [
    "agent_start",
    (data) => joined(short(data.name), data.parent === undefined ? "" : `under ${short(data.parent)}`),
  ],
  ["agent_end", (data) => short(data.name)],
  ["turn_start", (data) => labelled("turn", data.turn)],
  ["turn_end", (data) => joined(labelled("turn", data.turn), counted(data.iterations, "iteration"))],
  ["user_input", (data) => preview(data.content)],
  ["assistant_text", (data) => preview(data.content)],
  ["api_request", request],
  [
    "api_request_edit",
    (data) => joined(labelled("call", data.req), `changed before it was sent: ${bytes(data.body)}`),
  ],
  ["api_response", response],
  [
    "api_error",
    (data) =>
      joined(
        labelled("call", data.req),
        short(data.status),
        short(data.errorType),
        preview(data.message ?? data.error),
      ),
  ],
  [
    "context_compaction",
    (data) =>
      joined(
        labelled("call", data.req),
        `${count(data.messagesBefore)} messages → ${count(data.messagesAfter)}`,
      ),
  ],
  ["tool_call_start", (data) => joined(short(data.name), preview(data.input), short(data.toolId))],
  [
    "tool_call_edit",
    (data) =>
      joined(`now ${preview(data.after, 100)}`, `before ${preview(data.before, 60)}`, short(data.toolId)),
  ],
  ["tool_call_cancel", (data) => joined(short(data.reason, 120), short(data.toolId))],
  [
    "tool_call_end",
    (data) => joined(short(data.name), took(data.durationMs), failed(data), short(data.toolId)),
  ],
  [
    "tool_result",
    (data) =>
      joined(short(data.name), failed(data), preview(data.content ?? data.result), short(data.toolId)),
  ],
  ["paused", (data) => stop(data.stop)],
  ["breakpoint_hit", (data) => joined(labelled("breakpoint", breakpointId(data)), stop(data.stop))],
  [
    "resumed",
    (data) =>
      joined(
        short(data.stopId),
        short(data.outcome),
        data.heldMs === undefined ? "" : `held ${took(data.heldMs)}`,
        data.by === undefined ? "" : `by ${short(data.by)}`,
      ),
  ],
  ["step_complete", (data) => joined(short(data.kind), labelled("iteration", data.iteration))],
  ["injected", (data) => joined(short(data.role), preview(data.content), labelled("call", data.req))],
  ["anchor_lost", (data) => joined(short(data.id), "no longer in the conversation")],
  ["variable_set", (data) => `${short(data.key)} = ${preview(data.value)}`],
  ["checkpoint", (data) => joined(short(data.id), short(data.label))],
  ["rewind", (data) => short(data.checkpoint ?? data.id)],
  [
    "command_executed",
    (data) =>
      joined(
        short(data.type),
        short(data.commandId),
        data.origin === undefined ? "" : `from ${short(data.origin)}`,
      ),
  ],
  [
    "command_response",
    (data) =>
      joined(
        short(data.type),
        short(data.commandId),
        data.ok === false ? `refused: ${preview(record(data.error).message ?? data.error)}` : "",
        data.ok === true ? "ok" : "",
      ),
  ],
  ["sonde_call", (data) => joined(`sonde ${list(data.argv)}`, exit(data), short(data.session))],
  ["error", (data) => joined(preview(data.message), preview(data.context, 60))],
]);

function request(data: Fields): string {
  return joined(
    labelled("call", data.req),
    short(data.model),
    counted(data.messageCount, "message"),
    counted(data.toolCount, "tool"),
    place(data),
    data.class === undefined || data.class === "main" ? "" : short(data.class),
    data.dirty === true ? "edited" : "",
    data.retryOf === undefined ? "" : `again, first ${short(data.retryOf)}`,
  );
}

function response(data: Fields): string {
  const usage = usageOf(data);
  return joined(
    labelled("call", data.req),
    short(data.stopReason),
    usage === undefined ? "" : `${size(usage.inputTokens)} in, ${size(usage.outputTokens)} out`,
    usage === undefined || usage.cacheReadTokens === 0 ? "" : `${size(usage.cacheReadTokens)} from the cache`,
    took(data.durationMs),
    data.firstMs === undefined ? "" : `first byte ${took(data.firstMs)}`,
  );
}

function stop(value: unknown): string {
  const { id, reason, at, why, tool } = record(value);
  return joined(
    short(id),
    short(reason),
    at === undefined ? "" : `before ${at === "turn_end" ? "the end of the turn" : short(at)}`,
    short(why, 120),
    tool === undefined ? "" : joined(short(record(tool).name), preview(record(tool).input, 80)),
  );
}

function breakpointId(data: Fields): unknown {
  return isRecord(data.breakpoint) ? data.breakpoint.id : data.breakpoint;
}

function bytes(body: unknown): string {
  const known = typeof body === "string" ? body.length : number(record(body).bytes);
  return known === undefined ? "to another body" : `${size(known)} bytes`;
}

function place(data: Fields): string {
  if (data.turn === undefined || data.iteration === undefined) return "";
  return `turn ${count(data.turn)} iteration ${count(data.iteration)}`;
}

function other(data: Fields): string {
  const said = JSON.stringify(data);
  return said === "{}" ? "" : line(said, 160);
}

/** Names and ids, which are short in any honest file. */
function short(value: unknown, max = 60): string {
  if (typeof value === "string") return line(value, max);
  return value === undefined || value === null
    ? ""
    : line(typeof value === "object" ? JSON.stringify(value) : String(value), max);
}

function joined(...parts: readonly string[]): string {
  let out = "";
  for (const part of parts) if (part !== "") out = out === "" ? part : `${out} · ${part}`;
  return out;
}

function labelled(label: string, value: unknown): string {
  return value === undefined || value === null ? "" : `${label} ${short(value)}`;
}

function count(value: unknown): string {
  const known = number(value);
  return known === undefined ? "?" : size(known);
}

function counted(value: unknown, one: string): string {
  const known = number(value);
  return known === undefined ? "" : `${size(known)} ${known === 1 ? one : `${one}s`}`;
}

function took(value: unknown): string {
  const ms = number(value);
  return ms === undefined ? "" : duration(ms);
}

function failed(data: Fields): string {
  return data.isError === true ? "failed" : "";
}

function exit(data: Fields): string {
  const signal = text(data.signal);
  const code = number(data.exit);
  return signal === undefined && code === undefined ? "" : endText({ exit: code, signal });
}

function list(value: unknown): string {
  return Array.isArray(value) ? line(value.map(String).join(" "), 120) : short(value, 120);
}
