/** A run as a conversation that a person can read, piece by piece: plain text or Markdown. */
import { visible } from "../../util/text.ts";
import type { AgentEvent } from "../events.ts";
import { missingText } from "../store/missing.ts";
import { inReadingOrder } from "./answer-order.ts";
import { RecentMap } from "./bounded.ts";
import { Forbidden, isPerson } from "./by-hand.ts";
import { endText } from "./ending.ts";
import {
  agentOf,
  duration,
  type Fields,
  isRecord,
  line,
  number,
  preview,
  type ReadBody,
  record,
  size,
  text,
  wholeText,
} from "./fields.ts";
import { type EventBatches, inRange, type Range } from "./range.ts";

export interface TranscriptOptions extends Range {
  readBody: ReadBody;
  format?: "text" | "markdown" | undefined;
  /** Of a tool's input or result, in characters; what is cut is counted. 2,000 unless told. */
  maxChars?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What stands under one heading. */
interface Entry {
  agent: string;
  title: string;
  /** Strangers' text. */
  body?: string;
  /** Code and data stand in a fence, what was said does not. */
  fenced?: boolean;
}

export async function* transcript(events: EventBatches, options: TranscriptOptions): AsyncGenerator<string> {
  const names = new RecentMap<string, string>(1000);
  const forbidden = new Forbidden();
  const write = options.format === "markdown" ? markdown : plain;
  for await (const batch of inReadingOrder(inRange(events, options))) {
    options.signal?.throwIfAborted();
    let out = "";
    for (const event of batch) {
      const data = isRecord(event.data) ? event.data : {};
      if (event.type === "agent_start") names.set(agentOf(data), label(data));
      forbidden.take(event.type, data);
      const entry = await entryOf(event, data, options, forbidden.has(data.toolId));
      if (entry !== undefined) out += write(entry, names.get(entry.agent) ?? entry.agent);
    }
    if (out !== "") yield out;
  }
}

function label(data: Fields): string {
  const name = text(data.name);
  return name === undefined ? agentOf(data) : `${name} ${agentOf(data)}`;
}

async function entryOf(
  event: AgentEvent,
  data: Fields,
  options: TranscriptOptions,
  cancelled: boolean,
): Promise<Entry | undefined> {
  const agent = agentOf(data);
  const said = async (title: string, value: unknown): Promise<Entry> => ({
    agent,
    title,
    body: await whole(value, options),
  });
  const shown = async (title: string, value: unknown): Promise<Entry> => ({
    agent,
    title,
    body: shortened(await whole(value, options), options.maxChars ?? 2000),
    fenced: true,
  });
  const noted = (title: string): Entry => ({ agent, title });
  const name = line(text(data.name) ?? "tool", 80);
  switch (event.type) {
    case "session_start":
      return noted(
        `run ${event.sessionId} · ${[text(data.client), text(data.cwd), event.timestamp].filter((part) => part !== undefined).join(" · ")}`,
      );
    case "session_end":
      return noted(`end · ${ended(data)}`);
    case "agent_start":
      return noted(`sub-agent begins${data.parent === undefined ? "" : ` (under ${text(data.parent)})`}`);
    case "agent_end":
      return noted("sub-agent ends");
    case "user_input":
      return said("user", data.content ?? data.message);
    case "assistant_text":
      return said("assistant", data.content ?? data.text);
    case "tool_call_start":
      return shown(`calls ${name}`, data.input);
    case "tool_call_edit":
      return shown(`edited by hand: ${id(data)}`, data.after);
    case "tool_call_cancel":
      return noted(
        `${cancelled ? "cancelled by hand" : "did not run"}: ${id(data)}${text(data.reason) === undefined ? "" : ` · ${text(data.reason)}`}`,
      );
    case "tool_result":
      return shown(`${name} ${gave(data, cancelled)}`, data.content ?? data.result);
    case "injected":
      return said(`injected by hand as ${text(data.role) ?? "user"}`, data.content);
    case "paused":
      return noted(stopTitle(record(data.stop)));
    case "resumed":
      return noted(resumedTitle(data));
    case "api_request":
      return data.dirty === true ? noted(`request ${number(data.req) ?? ""} was edited by hand`) : undefined;
    case "api_request_edit":
      return noted(`request ${number(data.req) ?? ""} was changed before it was sent`);
    case "command_executed":
      return data.type === "edit_request" ? noted("the held request was replaced by hand") : undefined;
    case "api_error":
      return said(
        `model call failed · ${[number(data.status), text(data.errorType)].filter((part) => part !== undefined).join(" ")}`,
        data.message ?? data.error,
      );
    case "context_compaction":
      return noted(
        `conversation compacted · ${size(number(data.messagesBefore) ?? 0)} messages → ${size(number(data.messagesAfter) ?? 0)}`,
      );
    case "variable_set":
      return noted(`set by hand: ${text(data.key) ?? ""} = ${preview(data.value)}`);
    case "rewind":
      return noted(`rewound to ${preview(data.checkpoint ?? data.id)}`);
    case "sonde_call":
      return noted(`ran sonde ${Array.isArray(data.argv) ? data.argv.join(" ") : ""}`);
    case "error":
      return said("error", data.message);
    default:
      return undefined;
  }
}

function id(data: Fields): string {
  return text(data.toolId) ?? "a tool call";
}

function ended(data: Fields): string {
  const exit = number(data.exit);
  const signal = text(data.signal);
  return exit === undefined && signal === undefined ? (text(data.reason) ?? "") : endText({ exit, signal });
}

function gave({ isError }: Fields, cancelled: boolean): string {
  if (cancelled) return "did not run; the model was told";
  return isError === true ? "failed" : "gave";
}

/** What a held call was answered with by hand, or that it was not sent, is in how it ended. */
const OUTCOMES: Readonly<Record<string, string>> = {
  release: "goes on",
  cancel: "does not run: cancelled by hand",
  answer: "not sent: ended by hand, with a text as its answer",
  fail: "did not go on: ended with an error",
  abandoned: "its client continued with something else",
};

function resumedTitle(data: Fields): string {
  const outcome = text(data.outcome);
  const said = outcome === undefined ? "goes on" : (OUTCOMES[outcome] ?? `goes on · ${outcome}`);
  const by = outcome !== "fail" ? "" : isPerson(data.by) ? " by hand" : ` · ${text(data.by) ?? ""}`;
  const ms = number(data.heldMs);
  return `${said}${by}${ms === undefined ? "" : ` · held ${duration(ms)}`}`;
}

function stopTitle(stop: Fields): string {
  const tool = text(record(stop.tool).name);
  return ["stopped", text(stop.id), text(stop.why) ?? text(stop.reason), tool]
    .filter((part) => part !== undefined)
    .join(" · ");
}

async function whole(value: unknown, { readBody }: TranscriptOptions): Promise<string> {
  try {
    return await wholeText(value, readBody);
  } catch {
    // Taken away since: only its beginning stands in the event.
    const start = text(record(value).preview) ?? "";
    return `${start === "" ? "" : `${line(start, 200)}… `}${missingText(value)}`;
  }
}

function shortened(value: string, max: number): string {
  if (value.length <= max) return value;
  const head = value.slice(0, Math.ceil(max * 0.75));
  const tail = value.slice(value.length - Math.floor(max * 0.25));
  return `${head}\n… ${size(value.length - max)} of ${size(value.length)} characters left out …\n${tail}`;
}

function plain({ agent, title, body }: Entry, name: string): string {
  const heading = `${agent === "main" ? "" : `[${line(name, 60)}] `}${line(title, 200)}`;
  if (body === undefined) return `-- ${heading}\n`;
  // Only headings begin at the edge: what was said cannot pass for one.
  const lines = visible(body)
    .split("\n")
    .map((one) => `  ${one}`.trimEnd());
  return `${heading}\n${lines.join("\n")}\n`;
}

function markdown({ agent, title, body, fenced }: Entry, name: string): string {
  const who = agent === "main" ? "" : `[${line(name, 60)}] `;
  const heading = escapeMarkdown(`${who}${line(title, 200)}`);
  if (body === undefined) return `*${heading}*\n\n`;
  const safe = visible(body);
  if (fenced === true) return `**${heading}**\n\n${fence(safe)}\n\n`;
  // What was said is often Markdown itself. As a quotation it cannot pass for a heading of ours.
  const quoted = safe
    .split("\n")
    .map((one) => `> ${one}`.trimEnd())
    .join("\n");
  return `**${heading}**\n\n${quoted}\n\n`;
}

/** Longer than any run of backticks inside, so that nothing inside ends it. */
function fence(inner: string): string {
  let longest = 2;
  for (const [run] of inner.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${inner}\n${ticks}`;
}

function escapeMarkdown(value: string): string {
  return value.replace(/[\\`*_[\]<>#|]/g, "\\$&");
}
