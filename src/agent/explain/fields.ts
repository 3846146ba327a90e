/** Reading an event's data: files come from older versions and from other tools, so nothing about a field is taken for granted. */
import { cut, oneLine } from "../../util/text.ts";
import type { AgentEvent, StoredBody, Usage } from "../events.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Gives the whole text of something stored. */
export type ReadBody = (body: StoredBody) => string | Promise<string>;

const NONE: Fields = {};
/** Most text is plain, and a look costs less than a replacement. */
const PLAIN = /^[\x20-\x7e]*$/;

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function record(value: unknown): Fields {
  return isRecord(value) ? value : NONE;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The agent that an event is about: its id, or that of the agent it names whole. */
export function agentOf(data: Fields): string {
  return (
    text(data.agent) ?? text(record(data.agent).id) ?? text(record(record(data.stop).agent).id) ?? "main"
  );
}

/** One safe line of strangers' text. */
export function line(value: string, max: number): string {
  const head = value.length > max * 2 ? cut(value, max * 2) : value;
  return cut(PLAIN.test(head) ? head : oneLine(head), max);
}

/** How something stored begins, on one line, with its size where that is not all of it. */
export function preview(value: unknown, max = 120): string {
  if (typeof value === "string") {
    return value.length <= max ? line(value, max) : `${line(value, max)} (${size(value.length)} characters)`;
  }
  if (value === undefined || value === null) return "";
  const start = text(record(value).preview);
  const bytes = number(record(value).bytes);
  if (start !== undefined && bytes !== undefined) return `${line(start, max)} (${size(bytes)} bytes)`;
  return preview(JSON.stringify(value), max);
}

export function isStoredBlob(value: unknown): value is StoredBody & object {
  return isRecord(value) && (typeof value.blob === "string" || typeof value.pieces === "string");
}

/** All of it. Other tools write values as they are: those are given as JSON. */
export async function wholeText(value: unknown, readBody: ReadBody): Promise<string> {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return isStoredBlob(value) ? await readBody(value) : JSON.stringify(value);
}

/** The same for the same content, wherever it is kept; undefined if there is none. */
export function contentKey(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (isStoredBlob(value)) return text(record(value).blob) ?? text(record(value).pieces);
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function usageOf(data: Fields): Usage | undefined {
  const from = isRecord(data.usage) ? data.usage : data;
  const input = number(from.inputTokens);
  const output = number(from.outputTokens);
  if (input === undefined && output === undefined) return undefined;
  const reasoning = number(from.reasoningTokens);
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cacheReadTokens: number(from.cacheReadTokens) ?? 0,
    cacheCreationTokens: number(from.cacheCreationTokens) ?? 0,
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}

/** Milliseconds on one scale for all events of a file: since the session began, or since 1970 where no such clock was kept. */
export function timeOf(event: AgentEvent): number {
  return event.at ?? Date.parse(event.timestamp);
}

/** 1234567 → 1,234,567 */
export function size(value: number): string {
  const whole = String(Math.round(value));
  return whole.length < 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 830 → 830 ms, 12340 → 12.3 s, 192000 → 3 m 12 s */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
