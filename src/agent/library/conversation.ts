/** Checkpoints of a list of messages. Whole lists are kept, not copies of messages: a long conversation shares them all. */
import { SondeError } from "../../errors.ts";
import type { AgentConversation, ConversationCheckpoint } from "./bridge.ts";

/** Those that were taken by themselves go first when there are more. */
const MOST_KEPT = 200;

interface Kept<M> extends ConversationCheckpoint {
  list: readonly M[];
}

export function conversationOf<M>(messages: M[]): Conversation<M> {
  return new Conversation(messages);
}

export class Conversation<M> implements AgentConversation<M> {
  readonly messages: M[];
  readonly #kept: Kept<M>[] = [];
  #last = 0;

  constructor(messages: M[]) {
    this.messages = messages;
  }

  get checkpoints(): readonly ConversationCheckpoint[] {
    return this.#kept.map(({ list: _, ...told }) => told);
  }

  checkpoint(label?: string): string {
    return this.#keep(this.messages.slice(0, settledLength(this.messages)), label);
  }

  /** Before a call; the same list is not kept twice. */
  keepBeforeCall(): void {
    const before = this.#kept.at(-1);
    const settled = settledLength(this.messages);
    if (before?.list.length === settled && before.list.every((one, at) => one === this.messages[at])) return;
    this.#keep(this.messages.slice(0, settled), undefined);
  }

  rewind(checkpoint: string): string {
    const { list } = this.find(checkpoint);
    const left = this.checkpoint(`before rewinding to ${checkpoint}`);
    this.messages.splice(0, this.messages.length, ...list);
    return left;
  }

  branch(checkpoint?: string): Conversation<M> {
    const list =
      checkpoint === undefined
        ? this.messages.slice(0, settledLength(this.messages))
        : this.find(checkpoint).list;
    return new Conversation([...list]);
  }

  find(id: string): { list: readonly M[] } {
    const found = this.#kept.find((one) => one.id === id) ?? this.#kept.findLast((one) => one.label === id);
    if (found) return found;
    const known = this.#kept
      .slice(-10)
      .map((one) => (one.label === undefined ? one.id : `${one.id} (${one.label})`));
    throw new SondeError("BAD_ARGUMENT", `there is no checkpoint ${id}`, {
      hint: known.length === 0 ? "none was taken yet" : `the last ones: ${known.join(", ")}`,
    });
  }

  #keep(list: readonly M[], label: string | undefined): string {
    const id = `c${++this.#last}`;
    this.#kept.push({ id, messages: list.length, list, ...(label === undefined ? {} : { label }) });
    if (this.#kept.length > MOST_KEPT) {
      const unnamed = this.#kept.findIndex((one) => one.label === undefined);
      this.#kept.splice(Math.max(unnamed, 0), 1);
    }
    return id;
  }
}

/** Up to where every tool call has its result: a conversation that is cut elsewhere is refused by every provider. */
export function settledLength(messages: readonly unknown[]): number {
  const open = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    const { calls, results } = toolsOf(message);
    for (const id of results) open.delete(id);
    for (const id of calls) open.set(id, index);
  }
  return Math.min(messages.length, ...open.values());
}

/** In the words of the Anthropic, OpenAI and AI SDK messages. */
function toolsOf(message: unknown): { calls: string[]; results: string[] } {
  const calls: string[] = [];
  const results: string[] = [];
  const own = record(message);
  for (const entry of [own, ...list(own.content), ...list(own.tool_calls)]) {
    const block = record(entry);
    const { type } = block;
    if (type === "tool_use" || (type === "function" && block.function !== undefined))
      calls.push(String(block.id));
    else if (type === "function_call" || type === "custom_tool_call") calls.push(String(block.call_id));
    else if (type === "tool-call") calls.push(String(block.toolCallId));
    else if (type === "tool-result") results.push(String(block.toolCallId));
    else if (type === "tool_result") results.push(String(block.tool_use_id));
    else if (block.role === "tool" && typeof block.tool_call_id === "string")
      results.push(block.tool_call_id);
    else if (typeof type === "string" && type.endsWith("_call_output")) results.push(String(block.call_id));
  }
  return { calls, results };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
