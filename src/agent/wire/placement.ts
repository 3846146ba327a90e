/**
 * Where injected messages stand. A client does not know of them, so each must be put into every later request at the place where the
 * model saw it first: behind the message that was the last one then, its anchor. Clients rewrite messages a little from request to request (they move
 * cache marks, write one block of text as a plain string, clear old tool results), so an anchor is known by a normalised hash, or by the ids of the tools in it.
 *
 * An anchor that is gone (the client made a summary of the conversation) is lost for good, and so is its injection: the summary was written by a
 * model that had read it, and at the end it would read like something new.
 */
import { createHash } from "node:crypto";
import type { Injection, Placed, Wire } from "../core/model.ts";
import { type Insertion, messageText } from "./edit-request.ts";
import { fields, list, parse, text } from "./fields.ts";
import { conversationKey } from "./routes.ts";

export interface Placement {
  insert: Insertion[];
  /** Ids of those whose anchor is gone. */
  lost: string[];
  /** Of those placed for the first time. */
  anchors: { id: string; anchor: string }[];
}

const NOTHING: Placement = { insert: [], lost: [], anchors: [] };

/**
 * The place of each: those of the ledger where they were, new ones at the end. One of the ledger that was never placed (its client went
 * away first) is new.
 */
export function place(
  wire: Wire,
  body: string,
  ledger: readonly Placed[],
  fresh: readonly Injection[],
  whose: "own" | "edited" = "own",
): Placement {
  if (ledger.length === 0 && fresh.length === 0) return NOTHING;
  const top = fields(parse(body));
  const messages = conversation(wire, top);
  // The provider has the rest of the conversation, what was injected included.
  const onlyNew = top.previous_response_id != null || top.previous_message_id != null;
  const marks = messages.map((message) => markOf(message));
  const insert: Insertion[] = [];
  const lost: string[] = [];
  const standing = new Map<number, number>();
  for (const injection of onlyNew ? [] : ledger) {
    if (injection.anchor === undefined) continue;
    const at = find(injection.anchor, marks);
    if (at === undefined) {
      lost.push(injection.id);
      continue;
    }
    // A body that a person wrote may hold it already.
    const next = at + 1 + (standing.get(at) ?? 0);
    const own = messageHash(parse(messageText(wire, injection)));
    if (marks[next]?.hash === own) standing.set(at, (standing.get(at) ?? 0) + 1);
    else insert.push({ before: next, injection });
  }
  const end = endOf(wire, messages);
  const anchor = JSON.stringify({ at: end - 1, ...marks[end - 1] } satisfies Anchor);
  const waiting = ledger.filter((one) => one.anchor === undefined && !fresh.some(({ id }) => id === one.id));
  const added = [...waiting, ...fresh];
  const there = whose === "edited" ? standingBefore(wire, marks.slice(0, end), added) : 0;
  for (const injection of added.slice(there)) insert.push({ before: end, injection });
  return { insert, lost, anchors: added.map(({ id }) => ({ id, anchor })) };
}

/** How many of them stand at the end already, because a person edited what was shown with them. */
function standingBefore(wire: Wire, marks: readonly Mark[], added: readonly Injection[]): number {
  const hashes = added.map((one) => messageHash(parse(messageText(wire, one))));
  for (let count = hashes.length; count > 0; count--) {
    const last = marks.slice(-count).map(({ hash }) => hash);
    if (hashes.slice(0, count).every((hash, at) => hash === last[at])) return count;
  }
  return 0;
}

interface Mark {
  hash?: string;
  tools?: string[];
}

/** `at`: its index when it was placed; -1 is the beginning. */
interface Anchor extends Mark {
  at: number;
}

function conversation(wire: Wire, top: Readonly<Record<string, unknown>>): readonly unknown[] {
  const value = top[conversationKey(wire)];
  return typeof value === "string" ? [{ role: "user", content: value }] : list(value);
}

/** The end, or before the words that are put into the model's mouth there. */
function endOf(wire: Wire, messages: readonly unknown[]): number {
  const last = fields(messages.at(-1));
  const prefill = wire === "anthropic" && last.role === "assistant" && toolsIn(last).length === 0;
  return messages.length - (prefill ? 1 : 0);
}

function find(written: string, marks: readonly Mark[]): number | undefined {
  const anchor = fields(parse(written));
  const at = typeof anchor.at === "number" ? anchor.at : 0;
  if (at === -1) return -1;
  const nearest = (matches: (mark: Mark) => boolean): number | undefined =>
    marks
      .flatMap((mark, index) => (matches(mark) ? [index] : []))
      .sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
  const tools = list(anchor.tools);
  return (
    nearest(({ hash }) => hash === anchor.hash) ??
    (tools.length === 0 ? undefined : nearest((mark) => mark.tools?.join() === tools.join()))
  );
}

function markOf(message: unknown): Mark {
  const tools = toolsIn(fields(message));
  return { hash: messageHash(message), ...(tools.length === 0 ? {} : { tools }) };
}

/** The calls and results that a message holds, each told from the other. */
function toolsIn(message: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  for (const entry of [...list(message.content), ...list(message.tool_calls), message]) {
    const block = fields(entry);
    if (block.type === "tool_use" || block.type === "function" || block.type === "custom")
      found.push(`call ${text(block.id)}`);
    else if (typeof block.tool_use_id === "string") found.push(`result ${block.tool_use_id}`);
    else if (typeof block.tool_call_id === "string") found.push(`result ${block.tool_call_id}`);
    else if (typeof block.call_id === "string") found.push(`${text(block.type)} ${block.call_id}`);
  }
  return found;
}

/** The same for a message however its client writes it. */
export function messageHash(message: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(normalised(message)))
    .digest("hex")
    .slice(0, 32);
}

function normalised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => key !== "cache_control" && inner !== undefined)
    .map(([key, inner]): [string, unknown] => [key, key === "content" ? content(inner) : normalised(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One block of text is the same as the text. */
function content(value: unknown): unknown {
  const blocks = normalised(value);
  if (!Array.isArray(blocks) || blocks.length !== 1) return blocks;
  const only = fields(blocks[0]);
  const isText = only.type === "text" || only.type === "input_text" || only.type === "output_text";
  return isText && typeof only.text === "string" && Object.keys(only).length === 2 ? only.text : blocks;
}
