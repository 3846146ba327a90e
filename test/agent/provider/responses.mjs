/** OpenAI Responses: a reply as named, numbered events that end in response.completed, or as one response. */
import { definiteError, pieces, sse } from "./reply.mjs";

/**
 * @typedef {import("./reply.mjs").Definite} Definite
 * @typedef {import("./index.mjs").Block} Block
 * @typedef {{ id: string, model: string, created: number, body: Record<string, unknown> }} Facts
 */

/** @param {Definite["usage"]} usage */
function usageOf({ input, output, cacheRead, cacheCreation, reasoning }) {
  const all = input + cacheRead + cacheCreation;
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: all + output,
  };
}

/** @param {Block} block @param {string} id */
function item(block, id) {
  if (block.type === "text") {
    const part = { type: "output_text", text: block.text, annotations: [], logprobs: [] };
    return { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content: [part] };
  }
  if (block.type === "thinking") {
    const summary = [{ type: "summary_text", text: block.text }];
    return { id: `rs_${id}`, type: "reasoning", summary, encrypted_content: "c2NyaXB0ZWQ=" };
  }
  if (block.type === "raw") return block.block;
  if (block.custom) {
    const input = typeof block.input === "string" ? block.input : JSON.stringify(block.input);
    return {
      id: `ctc_${id}`,
      type: "custom_tool_call",
      status: "completed",
      call_id: block.id,
      name: block.name,
      input,
    };
  }
  return {
    id: `fc_${id}`,
    type: "function_call",
    status: "completed",
    arguments: block.inputText ?? JSON.stringify(block.input),
    call_id: block.id,
    name: block.name,
  };
}

/** @param {Definite} reply @param {Facts} facts */
function itemsOf(reply, { id }) {
  return reply.blocks.map((block, index) => item(block, `${id}_${index}`));
}

/** @param {Facts} facts */
function head({ id, model, created, body }) {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: body.store ?? false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
  };
}

/** @param {Definite} reply @param {Facts} facts */
export function response(reply, facts) {
  const cutOff = reply.stopReason === "max_output_tokens" || reply.stopReason === "content_filter";
  return {
    ...head(facts),
    status: cutOff ? "incomplete" : "completed",
    incomplete_details: cutOff ? { reason: reply.stopReason } : null,
    output: itemsOf(reply, facts),
    usage: usageOf(reply.usage),
  };
}

/** @param {Definite} reply @param {Facts} facts */
export function* stream(reply, facts) {
  let sequence_number = 0;
  /** @param {string} type @param {object} data */
  const event = (type, data) => sse({ type, sequence_number: sequence_number++, ...data }, type);
  yield event("response.created", { response: head(facts) });
  yield event("response.in_progress", { response: head(facts) });
  for (const [output_index, whole] of itemsOf(reply, facts).entries()) {
    yield event("response.output_item.added", { output_index, item: emptied(whole) });
    for (const [type, data] of inside(whole, reply.pieceChars)) {
      yield event(type, { item_id: whole.id, output_index, ...data });
    }
    yield event("response.output_item.done", { output_index, item: whole });
  }
  const final = response(reply, facts);
  yield event(`response.${final.status}`, { response: final });
}

/** @param {Record<string, unknown>} whole */
function emptied(whole) {
  const status = { status: "in_progress" };
  if (whole.type === "message") return { ...whole, ...status, content: [] };
  if (whole.type === "reasoning") return { ...whole, summary: [] };
  if (whole.type === "function_call") return { ...whole, ...status, arguments: "" };
  if (whole.type === "custom_tool_call") return { ...whole, ...status, input: "" };
  return whole;
}

/** @param {Record<string, unknown>} whole @param {number} size @returns {Generator<[string, object]>} */
function* inside(whole, size) {
  if (whole.type === "message") {
    const [part] = /** @type {{ text: string }[]} */ (whole.content);
    const at = { content_index: 0 };
    yield ["response.content_part.added", { ...at, part: { ...part, text: "" } }];
    for (const delta of pieces(part?.text ?? "", size)) {
      yield ["response.output_text.delta", { ...at, delta, logprobs: [] }];
    }
    yield ["response.output_text.done", { ...at, text: part?.text, logprobs: [] }];
    yield ["response.content_part.done", { ...at, part }];
  }
  if (whole.type === "reasoning") {
    const [part] = /** @type {{ text: string }[]} */ (whole.summary);
    const at = { summary_index: 0 };
    yield ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }];
    for (const delta of pieces(part?.text ?? "", size)) {
      yield ["response.reasoning_summary_text.delta", { ...at, delta }];
    }
    yield ["response.reasoning_summary_text.done", { ...at, text: part?.text }];
    yield ["response.reasoning_summary_part.done", { ...at, part }];
  }
  if (whole.type === "function_call") {
    const text = String(whole.arguments);
    for (const delta of pieces(text, size)) yield ["response.function_call_arguments.delta", { delta }];
    yield ["response.function_call_arguments.done", { name: whole.name, arguments: text }];
  }
  if (whole.type === "custom_tool_call") {
    const input = String(whole.input);
    for (const delta of pieces(input, size)) yield ["response.custom_tool_call_input.delta", { delta }];
    yield ["response.custom_tool_call_input.done", { input }];
  }
}

/** @param {NonNullable<import("./index.mjs").Reply["streamError"]>} error @param {Facts} facts */
export function streamError(error, facts) {
  const { type, message } = definiteError(error);
  const failed = { ...head(facts), status: "failed", error: { code: type, message } };
  return sse({ type: "response.failed", sequence_number: 9999, response: failed }, "response.failed");
}
