/** A request's messages, a line each, whichever wire they came by: what tests compare. */

/** @param {Record<string, unknown>} body @returns {Record<string, unknown>[]} */
export function messagesOf(body) {
  const list = body.messages ?? body.input;
  if (typeof list === "string") return [{ role: "user", content: list }];
  return Array.isArray(list) ? list : [];
}

/** @param {Record<string, unknown>} message @returns {string} */
export function outline(message) {
  const type = message.type;
  if (type === "function_call" || type === "custom_tool_call") {
    return `assistant: [${message.name} ${message.arguments ?? message.input}]`;
  }
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return `tool: [result ${message.call_id} ${contentText(message.output)}]`;
  }
  if (type === "reasoning") return "assistant: [reasoning]";
  if (message.role === "tool") {
    return `tool: [result ${message.tool_call_id} ${contentText(message.content)}]`;
  }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const parts = [
    contentText(message.content),
    ...calls.map((call) => `[${call.function.name} ${call.function.arguments}]`),
  ];
  return `${message.role}: ${parts.filter((part) => part !== "").join(" ")}`;
}

/** @param {unknown} content @returns {string} */
function contentText(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content))
    return content === undefined || content === null ? "" : JSON.stringify(content);
  return content.map(partText).join(" ");
}

/** @param {Record<string, unknown>} part @returns {string} */
function partText(part) {
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return String(part.text);
    case "tool_use":
      return `[${part.name} ${JSON.stringify(part.input)}]`;
    case "tool_result":
      return `[result ${part.tool_use_id}${part.is_error === true ? " failed" : ""} ${contentText(part.content)}]`;
    default:
      return `[${part.type}]`;
  }
}
