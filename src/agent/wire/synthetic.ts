/** Answers and errors of our own, in the shape that a wire's clients expect. */
import type { RequestView } from "../core/model.ts";
import type { Fields } from "./fields.ts";
import { messageItem } from "./gates/items.ts";
import type { HttpWire } from "./routes.ts";
import { sseText } from "./sse.ts";

/** The model is said to have ended its turn with this text. */
export function syntheticAnswer(wire: HttpWire, request: RequestView, req: number, said: string): string {
  const { model, stream } = request;
  switch (wire) {
    case "anthropic":
      return stream ? messageStream(model, req, said) : JSON.stringify(message(model, req, said));
    case "openai-chat":
      return stream ? chatStream(model, req, said) : JSON.stringify(completion(model, req, said));
    case "openai-responses":
      return stream ? responseStream(model, req, said) : JSON.stringify(response(model, req, said));
  }
}

const NO_USAGE = { input_tokens: 0, output_tokens: 0 };

function message(model: string, req: number, said: string): Fields {
  return {
    id: `msg_sonde_${req}`,
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text: said }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: NO_USAGE,
  };
}

function messageStream(model: string, req: number, said: string): string {
  const started = { ...message(model, req, said), content: [], stop_reason: null };
  return named([
    { type: "message_start", message: started },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 0 },
    },
    { type: "message_stop" },
  ]);
}

function chatTop(model: string, req: number, object: string): Fields {
  return { id: `chatcmpl-sonde-${req}`, object, created: seconds(), model };
}

function completion(model: string, req: number, said: string): Fields {
  return {
    ...chatTop(model, req, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: said, refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

function chatStream(model: string, req: number, said: string): string {
  const top = chatTop(model, req, "chat.completion.chunk");
  const chunk = (delta: Fields, finish: string | null) =>
    sseText(undefined, JSON.stringify({ ...top, choices: [{ index: 0, delta, finish_reason: finish }] }));
  return [
    chunk({ role: "assistant", content: "" }, null),
    chunk({ content: said }, null),
    chunk({}, "stop"),
    sseText(undefined, "[DONE]"),
  ].join("");
}

function response(model: string, req: number, said: string): Fields {
  return {
    id: `resp_sonde_${req}`,
    object: "response",
    created_at: seconds(),
    status: "completed",
    error: null,
    incomplete_details: null,
    model,
    output: [messageItem(`msg_sonde_${req}`, said)],
    parallel_tool_calls: true,
    tools: [],
    usage: { ...NO_USAGE, total_tokens: 0 },
  };
}

function responseStream(model: string, req: number, said: string): string {
  const whole = response(model, req, said);
  const started = { ...whole, status: "in_progress", output: [], usage: null };
  const item = messageItem(`msg_sonde_${req}`, said);
  const where = { item_id: item.id, output_index: 0, content_index: 0 };
  const part = { type: "output_text", text: "", annotations: [] };
  const events: Fields[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    },
    { type: "response.content_part.added", ...where, part },
    { type: "response.output_text.delta", ...where, delta: said, logprobs: [] },
    { type: "response.output_text.done", ...where, text: said, logprobs: [] },
    { type: "response.content_part.done", ...where, part: { ...part, text: said } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: whole },
  ];
  return named(events.map((event, at) => ({ ...event, sequence_number: at })));
}

function named(events: readonly Fields[]): string {
  return events.map((event) => sseText(String(event.type), JSON.stringify(event))).join("");
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The body of an error. */
export function errorBody(wire: HttpWire | undefined, type: string, said: string): string {
  if (wire === "anthropic") return JSON.stringify({ type: "error", error: { type, message: said } });
  return JSON.stringify({ error: { message: said, type, param: null, code: null } });
}

/** An error in a stream that has begun already. `body` is what the provider answered. */
export function errorEvent(wire: HttpWire, body: string, type: string, said: string): string {
  const given = providerError(body);
  const error = given ?? { type, message: said };
  switch (wire) {
    case "anthropic":
      return sseText("error", JSON.stringify({ type: "error", error }));
    case "openai-chat":
      return sseText(undefined, JSON.stringify({ error }));
    case "openai-responses":
      return sseText(
        "error",
        JSON.stringify({ type: "error", code: type, param: null, sequence_number: 0, ...error, error }),
      );
  }
}

function providerError(body: string): Fields | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === "object" && error !== null ? (error as Fields) : undefined;
  } catch {
    return undefined; // a page of a gateway; our own words stand for it
  }
}
