/** OpenAI Chat Completions: a reply as chunks that end in [DONE], or as one completion. */
import { definiteError, pieces, sse } from "./reply.mjs";

/** @typedef {import("./reply.mjs").Definite} Definite */

/** @param {Definite} reply */
function finishReason({ stopReason, blocks }) {
  return stopReason ?? (blocks.some(({ type }) => type === "tool") ? "tool_calls" : "stop");
}

/** @param {Definite["usage"]} usage */
function usageOf({ input, output, cacheRead, cacheCreation, reasoning }) {
  const prompt = input + cacheRead + cacheCreation;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

/** @param {Definite} reply */
function toolsOf({ blocks }) {
  return blocks.flatMap((block) => (block.type === "tool" ? [block] : []));
}

/** @param {Definite} reply @param {"text" | "thinking"} type */
function textOf({ blocks }, type) {
  return blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join("\n");
}

/** @param {{ input: unknown, inputText?: string | undefined }} tool */
const argumentsOf = ({ input, inputText }) => inputText ?? JSON.stringify(input);

/** @param {Definite} reply @param {{ id: string, model: string, created: number }} facts */
export function completion(reply, facts) {
  const tools = toolsOf(reply);
  const thinking = textOf(reply, "thinking");
  return {
    ...facts,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: textOf(reply, "text") || null,
          refusal: null,
          ...(thinking ? { reasoning_content: thinking } : {}),
          ...(tools.length > 0
            ? {
                tool_calls: tools.map((tool) => ({
                  id: tool.id,
                  type: "function",
                  function: { name: tool.name, arguments: argumentsOf(tool) },
                })),
              }
            : {}),
        },
        logprobs: null,
        finish_reason: finishReason(reply),
      },
    ],
    usage: usageOf(reply.usage),
    system_fingerprint: "fp_scripted",
  };
}

/** @param {Definite} reply @param {{ id: string, model: string, created: number, includeUsage: boolean }} facts */
export function* stream(reply, { includeUsage, ...facts }) {
  const base = { ...facts, object: "chat.completion.chunk", system_fingerprint: "fp_scripted" };
  /** @param {object} delta @param {string | null} [finish] */
  const chunk = (delta, finish = null) =>
    sse({
      ...base,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage ? { usage: null } : {}),
    });
  yield chunk({ role: "assistant", content: "", refusal: null });
  for (const piece of pieces(textOf(reply, "thinking"), reply.pieceChars)) {
    yield chunk({ reasoning_content: piece });
  }
  for (const content of pieces(textOf(reply, "text"), reply.pieceChars)) yield chunk({ content });
  for (const [index, tool] of toolsOf(reply).entries()) {
    const opening = {
      index,
      id: tool.id,
      type: "function",
      function: { name: tool.name, arguments: "" },
    };
    yield chunk({ tool_calls: [opening] });
    for (const piece of pieces(argumentsOf(tool), reply.pieceChars)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunk({}, finishReason(reply));
  if (includeUsage) yield sse({ ...base, choices: [], usage: usageOf(reply.usage) });
  yield sse("[DONE]");
}

/** @param {ReturnType<typeof definiteError>} error */
export function errorBody({ type, message, status }) {
  const code = status === 401 ? "invalid_api_key" : status === 429 ? "rate_limit_exceeded" : null;
  return { error: { message, type, param: null, code } };
}

/** @param {NonNullable<import("./index.mjs").Reply["streamError"]>} error */
export function streamError(error) {
  return sse(errorBody(definiteError(error)));
}
