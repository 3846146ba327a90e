/** Anthropic Messages: a reply as a stream of events, or as one message. */
import { definiteError, pieces, sse } from "./reply.mjs";

/**
 * @typedef {import("./reply.mjs").Definite} Definite
 * @typedef {import("./index.mjs").Block} Block
 */

const SIGNATURE = "EqQBCgYIARgCIkBzb25kZSBzY3JpcHRlZCBwcm92aWRlcg==";

/** @param {Definite} reply */
function stopReason({ stopReason, blocks }) {
  return stopReason ?? (blocks.some(({ type }) => type === "tool") ? "tool_use" : "end_turn");
}

/** @param {Definite["usage"]} usage @param {number} output */
function usageOf({ input, cacheRead, cacheCreation }, output) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheCreation,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheCreation, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: "standard",
  };
}

/** @param {Block} block */
function whole(block) {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "thinking") return { type: "thinking", thinking: block.text, signature: SIGNATURE };
  if (block.type === "raw") return block.block;
  return { type: "tool_use", id: block.id, name: block.name, input: block.input };
}

/** @param {Block} block */
function opening(block) {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  if (block.type === "raw") return block.block;
  return { type: "tool_use", id: block.id, name: block.name, input: {} };
}

/** @param {Block} block @param {number} size */
function deltas(block, size) {
  if (block.type === "text") return pieces(block.text, size).map((text) => ({ type: "text_delta", text }));
  if (block.type === "thinking") {
    return [
      ...pieces(block.text, size).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: SIGNATURE },
    ];
  }
  if (block.type === "raw") return [];
  // As the provider does it: an empty piece first, then the text of the input in small ones.
  const text = block.inputText ?? JSON.stringify(block.input);
  const cut = text === "{}" ? [] : pieces(text, size);
  return ["", ...cut].map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

/** @param {Definite} reply @param {{ id: string, model: string }} facts */
export function message(reply, { id, model }) {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: reply.blocks.map(whole),
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: usageOf(reply.usage, reply.usage.output),
  };
}

/** @param {Definite} reply @param {{ id: string, model: string }} facts */
export function* stream(reply, facts) {
  /** @param {{ type: string }} data */
  const event = (data) => sse(data, data.type);
  const start = { ...message(reply, facts), content: [], stop_reason: null, usage: usageOf(reply.usage, 1) };
  yield event({ type: "message_start", message: start });
  for (const [index, block] of reply.blocks.entries()) {
    yield event({ type: "content_block_start", index, content_block: opening(block) });
    if (index === 0) for (let ping = 0; ping < reply.pings; ping++) yield event({ type: "ping" });
    for (const delta of deltas(block, reply.pieceChars)) {
      yield event({ type: "content_block_delta", index, delta });
    }
    yield event({ type: "content_block_stop", index });
  }
  yield event({
    type: "message_delta",
    delta: { stop_reason: stopReason(reply), stop_sequence: null },
    usage: usageOf(reply.usage, reply.usage.output),
  });
  yield event({ type: "message_stop" });
}

/** @param {ReturnType<typeof definiteError>} error @param {string} requestId */
export function errorBody({ type, message }, requestId) {
  return { type: "error", error: { type, message }, request_id: requestId };
}

/** @param {NonNullable<import("./index.mjs").Reply["streamError"]>} error */
export function streamError(error) {
  const { type, message } = definiteError(error);
  return sse({ type: "error", error: { type, message } }, "error");
}
