/** OpenAI Responses: reading an answer, streamed or whole. */
import type { ModelAnswer, Part } from "../../core/model.ts";
import type { Usage } from "../../events.ts";
import { type Fields, fields, isFields, list, number, parse, text } from "../fields.ts";
import { CLIENT_CALLS, parts, toolCall } from "../requests/responses.ts";
import {
  type AnswerReader,
  Budget,
  NO_TOOLS,
  type SseEvent,
  type StreamError,
  type ToolPart,
} from "./reader.ts";

/** Pieces of items: each item comes whole in the end, so they only matter if the stream breaks off. */
const PIECE = /\.(?:output_text|refusal|reasoning_text|reasoning_summary_text)\.delta$/;
/** Pieces that say nothing else and that are most of a stream. */
const UNREAD = /^response\.(?:function_call_arguments|custom_tool_call_input)\.delta$/;

export class ResponsesReader implements AnswerReader {
  error: StreamError | undefined;
  ended = false;
  readonly #items = new Map<number, Fields>();
  readonly #started = new Map<number, { thinking: boolean; said: string }>();
  readonly #budget = new Budget();
  #response: Fields = {};

  read({ event: name, data }: SseEvent): readonly ToolPart[] {
    if (name !== undefined && UNREAD.test(name)) return NO_TOOLS;
    const event = fields(parse(data));
    const type = text(event.type);
    if (PIECE.test(type)) {
      this.#piece(number(event.output_index), type.includes("reasoning"), text(event.delta));
      return NO_TOOLS;
    }
    switch (type) {
      case "response.created":
        this.#response = fields(event.response);
        break;
      case "response.output_item.done":
        return this.#item(number(event.output_index), fields(event.item));
      case "response.completed":
      case "response.incomplete":
        this.#response = fields(event.response);
        this.ended = true;
        break;
      case "response.failed": {
        this.#response = fields(event.response);
        const error = fields(this.#response.error);
        this.error = { type: text(error.code) || "error", message: text(error.message) };
        break;
      }
      case "error": {
        const error = isFields(event.error) ? event.error : event;
        this.error = { type: text(error.code) || text(error.type) || "error", message: text(error.message) };
      }
    }
    return NO_TOOLS;
  }

  answer(): ModelAnswer {
    return answerOf(this.#response, this.#parts());
  }

  #parts(): Part[] {
    const indexes = new Set([...this.#items.keys(), ...this.#started.keys()]);
    const found = [...indexes]
      .sort((a, b) => a - b)
      .flatMap((index): Part[] => {
        const item = this.#items.get(index);
        if (item) return parts(item);
        const started = this.#started.get(index);
        if (!started) return [];
        return [{ kind: started.thinking ? "thinking" : "text", text: started.said }];
      });
    return found.length > 0 ? found : list(this.#response.output).flatMap((item) => parts(fields(item)));
  }

  #piece(index: number, thinking: boolean, piece: string): void {
    const started = this.#started.get(index) ?? { thinking, said: "" };
    started.said = this.#budget.add(started.said, piece);
    this.#started.set(index, started);
  }

  #item(index: number, item: Fields): readonly ToolPart[] {
    this.#items.set(index, item);
    this.#started.delete(index);
    return CLIENT_CALLS.has(text(item.type)) ? [toolCall(item)] : NO_TOOLS;
  }
}

/** Undefined for an answer that is none. */
export function readResponse(body: string): ModelAnswer | undefined {
  const response = fields(parse(body));
  if (!Array.isArray(response.output)) return undefined;
  return answerOf(
    response,
    response.output.flatMap((item) => parts(fields(item))),
  );
}

function answerOf(response: Fields, said: Part[]): ModelAnswer {
  const reason = fields(response.incomplete_details).reason;
  return {
    parts: said,
    stopReason: text(reason) || text(response.status),
    ...(isFields(response.usage) && { usage: usageOf(response.usage) }),
    ...(text(response.model) && { model: text(response.model) }),
    ...(text(response.id) && { id: text(response.id) }),
  };
}

function usageOf(usage: Fields): Usage {
  const reasoning = fields(usage.output_tokens_details).reasoning_tokens;
  return {
    inputTokens: number(usage.input_tokens),
    outputTokens: number(usage.output_tokens),
    cacheReadTokens: number(fields(usage.input_tokens_details).cached_tokens),
    cacheCreationTokens: 0,
    ...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
  };
}
