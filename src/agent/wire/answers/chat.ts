/** OpenAI Chat Completions: reading an answer, streamed or whole. */
import type { ModelAnswer, Part } from "../../core/model.ts";
import type { Usage } from "../../events.ts";
import { exactOf, type Fields, fields, isFields, list, number, parse, text, toolInput } from "../fields.ts";
import { parts } from "../requests/chat.ts";
import {
  type AnswerReader,
  Budget,
  NO_TOOLS,
  type SseEvent,
  type StreamError,
  type ToolPart,
} from "./reader.ts";

interface Choice {
  thinking: string;
  text: string;
  tools: Map<number, { id: string; name: string; input: string; custom: boolean }>;
  finish: string;
}

export class ChatReader implements AnswerReader {
  error: StreamError | undefined;
  ended = false;
  readonly #choices = new Map<number, Choice>();
  readonly #budget = new Budget();
  #model = "";
  #id = "";
  #usage: Usage | undefined;

  read({ data }: SseEvent): readonly ToolPart[] {
    if (data === "[DONE]") {
      this.ended = true;
      return NO_TOOLS;
    }
    const chunk = fields(parse(data));
    if (isFields(chunk.error)) {
      const { type, code, message } = chunk.error;
      this.error = { type: text(type) || text(code) || "error", message: text(message) };
      return NO_TOOLS;
    }
    this.#model ||= text(chunk.model);
    this.#id ||= text(chunk.id);
    if (isFields(chunk.usage)) this.#usage = usageOf(chunk.usage);
    return list(chunk.choices).flatMap((entry) => this.#choice(fields(entry)));
  }

  answer(): ModelAnswer {
    const choices = [...this.#choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
    return {
      parts: choices.flatMap(partsOf),
      stopReason: choices[0]?.finish ?? "",
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model && { model: this.#model }),
      ...(this.#id && { id: this.#id }),
    };
  }

  #choice(entry: Fields): readonly ToolPart[] {
    const index = number(entry.index);
    const choice = this.#choices.get(index) ?? { thinking: "", text: "", tools: new Map(), finish: "" };
    this.#choices.set(index, choice);
    const delta = fields(entry.delta);
    const thought = delta.reasoning_content ?? delta.reasoning;
    if (typeof thought === "string") choice.thinking = this.#budget.add(choice.thinking, thought);
    for (const piece of [delta.content, delta.refusal])
      if (typeof piece === "string") choice.text = this.#budget.add(choice.text, piece);
    for (const call of list(delta.tool_calls)) this.#tool(choice, fields(call));
    if (typeof entry.finish_reason !== "string" || choice.finish !== "") return NO_TOOLS;
    choice.finish = entry.finish_reason;
    return partsOf(choice).filter((part) => part.kind === "tool_call");
  }

  /** Id and name come once, arguments in pieces; the index says of which call. */
  #tool(choice: Choice, call: Fields): void {
    const index = number(call.index);
    const tool = choice.tools.get(index) ?? { id: "", name: "", input: "", custom: false };
    choice.tools.set(index, tool);
    const custom = fields(call.custom);
    const named = fields(call.function);
    tool.id ||= text(call.id);
    tool.name ||= text(named.name) || text(custom.name);
    tool.custom ||= call.type === "custom";
    tool.input = this.#budget.add(tool.input, text(named.arguments) + text(custom.input));
  }
}

function partsOf({ thinking, text: said, tools }: Choice): Part[] {
  const calls = [...tools]
    .sort(([a], [b]) => a - b)
    .map(([, tool]): Part => {
      const input = tool.custom ? tool.input : toolInput(tool.input);
      const exact = tool.custom ? {} : exactOf(tool.input);
      return { kind: "tool_call", id: tool.id, name: tool.name, input, ...exact };
    });
  return [
    ...(thinking === "" ? [] : [{ kind: "thinking", text: thinking } as const]),
    ...(said === "" ? [] : [{ kind: "text", text: said } as const]),
    ...calls,
  ];
}

/** Undefined for an answer that is none. */
export function readChat(body: string): ModelAnswer | undefined {
  const answer = fields(parse(body));
  if (!Array.isArray(answer.choices)) return undefined;
  const choices = answer.choices.map(fields);
  return {
    parts: choices.flatMap((choice) => parts(fields(choice.message))),
    stopReason: text(choices[0]?.finish_reason),
    ...(isFields(answer.usage) && { usage: usageOf(answer.usage) }),
    ...(text(answer.model) && { model: text(answer.model) }),
    ...(text(answer.id) && { id: text(answer.id) }),
  };
}

function usageOf(usage: Fields): Usage {
  const reasoning = fields(usage.completion_tokens_details).reasoning_tokens;
  return {
    inputTokens: number(usage.prompt_tokens),
    outputTokens: number(usage.completion_tokens),
    cacheReadTokens: number(fields(usage.prompt_tokens_details).cached_tokens),
    cacheCreationTokens: 0,
    ...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
  };
}
