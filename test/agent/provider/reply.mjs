/** What a script says, made definite: blocks in order, a reason to stop, a count of tokens. All three wires render this. */

/**
 * @typedef {import("./index.mjs").Reply} Reply
 * @typedef {import("./index.mjs").Block} Block
 * @typedef {{ input: number, output: number, cacheRead: number, cacheCreation: number, reasoning: number }} Usage
 * @typedef {{ blocks: Block[], stopReason?: string, usage: Usage, pieceChars: number, pings: number }} Definite
 */

const ERRORS = {
  400: ["invalid_request_error", "messages: at least one message is required"],
  401: ["authentication_error", "invalid x-api-key"],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your account's rate limit. Please try again later."],
  500: ["api_error", "Internal server error"],
  529: ["overloaded_error", "Overloaded"],
};

/** @param {Reply} reply @param {(prefix: string) => string} newId @returns {Definite} */
export function definite(reply, newId) {
  const blocks = reply.blocks ? [...reply.blocks] : blocksOf(reply);
  return {
    blocks: blocks.map((block) =>
      block.type === "tool" ? { ...block, id: block.id ?? newId("toolu") } : block,
    ),
    ...(reply.stopReason === undefined ? {} : { stopReason: reply.stopReason }),
    usage: { input: 100, output: 20, cacheRead: 0, cacheCreation: 0, reasoning: 0, ...reply.usage },
    pieceChars: reply.pieceChars ?? 7,
    pings: reply.pings ?? 1,
  };
}

/** @param {Reply} reply @returns {Block[]} */
function blocksOf({ thinking, text, tools = [] }) {
  const texts = text === undefined ? [] : [text].flat();
  return [
    ...(thinking === undefined ? [] : [/** @type {const} */ ({ type: "thinking", text: thinking })]),
    ...texts.map((one) => /** @type {const} */ ({ type: "text", text: one })),
    ...tools.map((tool) => /** @type {const} */ ({ type: "tool", ...tool })),
  ];
}

/** @param {NonNullable<Reply["error"]>} error */
export function definiteError(error) {
  const asked = typeof error === "number" ? { status: error } : error;
  const [type, message] = ERRORS[asked.status] ?? ["api_error", `Error ${asked.status}`];
  return { type, message, headers: {}, ...asked };
}

/** @param {string} text @param {number} size */
export function pieces(text, size) {
  const cut = [];
  for (let at = 0; at < text.length; at += size) cut.push(text.slice(at, at + size));
  return cut;
}

/** @param {unknown} data @param {string} [event] */
export function sse(data, event) {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}
