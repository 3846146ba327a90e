/** Anthropic Messages: reading an answer, streamed or whole. */
import type { ModelAnswer, Part } from "../../core/model.ts";
import type { Usage } from "../../events.ts";
import { exactOf, type Fields, fields, list, number, parse, sizeOf, text, toolInput } from "../fields.ts";
import { part } from "../requests/anthropic.ts";
import {
  type AnswerReader,
  Budget,
  NO_TOOLS,
  type SseEvent,
  type StreamError,
  type ToolPart,
} from "./reader.ts";

/** Nearly all events of a stream are these, and `JSON.parse` is slow on small texts. What does not match takes the long way. */
const PLAIN_DELTA =
  /^\{"type":"content_block_delta","index":(\d{1,6}),"delta":\{"type":"(?:text_delta","text|thinking_delta","thinking|input_json_delta","partial_json)":"([^"\\\x00-\x1f]*)"\}\s*\}$/;

interface Block {
  start: Fields;
  /** Text, thinking, or the JSON text of a tool's input. */
  said: string;
  bytes: number;
}

export class AnthropicReader implements AnswerReader {
  error: StreamError | undefined;
  ended = false;
  readonly #blocks = new Map<number, Block>();
  readonly #budget = new Budget();
  #model = "";
  #id = "";
  #stopReason = "";
  #usage: Record<string, unknown> | undefined;

  read({ data }: SseEvent): readonly ToolPart[] {
    const plain = PLAIN_DELTA.exec(data);
    if (plain) {
      this.#say(Number(plain[1]), plain[2] ?? "");
      return NO_TOOLS;
    }
    const event = fields(parse(data));
    switch (event.type) {
      case "message_start":
        this.#begin(fields(event.message));
        break;
      case "content_block_start":
        this.#blocks.set(number(event.index), { start: fields(event.content_block), said: "", bytes: 0 });
        break;
      case "content_block_delta":
        this.#delta(number(event.index), fields(event.delta));
        break;
      case "content_block_stop":
        return this.#stop(number(event.index));
      case "message_delta":
        this.#stopReason = text(fields(event.delta).stop_reason) || this.#stopReason;
        this.#usage = { ...this.#usage, ...known(fields(event.usage)) };
        break;
      case "message_stop":
        this.ended = true;
        break;
      case "error": {
        const error = fields(event.error);
        this.error = { type: text(error.type) || "error", message: text(error.message) };
      }
    }
    return NO_TOOLS;
  }

  answer(): ModelAnswer {
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b);
    return wholeAnswer(
      blocks.map(([, block]) => partOf(block)),
      this.#stopReason,
      { id: this.#id, model: this.#model, usage: this.#usage },
    );
  }

  #begin(message: Fields): void {
    this.#model = text(message.model);
    this.#id = text(message.id);
    this.#usage = known(fields(message.usage));
    this.#stopReason = text(message.stop_reason);
  }

  #delta(index: number, delta: Fields): void {
    const piece = delta.text ?? delta.thinking ?? delta.partial_json;
    if (typeof piece === "string") this.#say(index, piece);
    const block = this.#blocks.get(index);
    if (block && typeof piece !== "string") block.bytes += sizeOf(delta);
  }

  #say(index: number, piece: string): void {
    const block = this.#blocks.get(index);
    if (block) block.said = this.#budget.add(block.said, piece);
  }

  #stop(index: number): readonly ToolPart[] {
    const block = this.#blocks.get(index);
    if (block?.start.type !== "tool_use") return NO_TOOLS;
    const tool = partOf(block);
    return tool.kind === "tool_call" ? [tool] : NO_TOOLS;
  }
}

function partOf({ start, said, bytes }: Block): Part {
  switch (start.type) {
    case "text":
      return { kind: "text", text: text(start.text) + said };
    case "thinking":
      return { kind: "thinking", text: text(start.thinking) + said };
    case "tool_use": {
      const input = said === "" ? (start.input ?? {}) : toolInput(said);
      return { kind: "tool_call", id: text(start.id), name: text(start.name), input, ...exactOf(said) };
    }
    default:
      return {
        kind: "other",
        type: text(start.type) || "unknown",
        bytes: sizeOf(start) + Buffer.byteLength(said) + bytes,
      };
  }
}

/** Undefined for an answer that is none: an error, or no JSON. */
export function readAnthropic(body: string): ModelAnswer | undefined {
  const message = fields(parse(body));
  if (!Array.isArray(message.content)) return undefined;
  return wholeAnswer(
    list(message.content).map((block) => part(fields(block))),
    text(message.stop_reason),
    { id: text(message.id), model: text(message.model), usage: fields(message.usage) },
  );
}

function wholeAnswer(
  parts: Part[],
  stopReason: string,
  { id, model, usage }: { id: string; model: string; usage: Fields | undefined },
): ModelAnswer {
  return {
    parts,
    stopReason,
    ...(usage && { usage: usageOf(usage) }),
    ...(model && { model }),
    ...(id && { id }),
  };
}

/** Later counts replace earlier ones; a null says nothing. */
function known(usage: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}

function usageOf(usage: Fields): Usage {
  const cacheReadTokens = number(usage.cache_read_input_tokens);
  const cacheCreationTokens = number(usage.cache_creation_input_tokens);
  return {
    inputTokens: number(usage.input_tokens) + cacheReadTokens + cacheCreationTokens,
    outputTokens: number(usage.output_tokens),
    cacheReadTokens,
    cacheCreationTokens,
  };
}
