/** What an edited request breaks that providers bind together: calls of tools and their results, signed thinking. Pure. */

type Block = Record<string, unknown>;

export function requestWarnings(before: unknown, after: unknown): string[] {
  return [...unpaired(after), ...changedThinking(before, after)];
}

/** Every call of a tool has its result right behind it, and every result its call right before. */
function unpaired(body: unknown): string[] {
  const warnings: string[] = [];
  const messages = list(field(body, "messages"));
  for (const [at, message] of messages.entries()) {
    const results = idsOf(messages[at + 1], "tool_result", "tool_use_id");
    const isLast = at === messages.length - 1;
    for (const id of idsOf(message, "tool_use", "id"))
      if (!isLast && !results.includes(id))
        warnings.push(`messages[${at}] calls a tool (${id}) whose result is missing`);
    const calls = idsOf(messages[at - 1], "tool_use", "id");
    for (const id of idsOf(message, "tool_result", "tool_use_id"))
      if (!calls.includes(id))
        warnings.push(`messages[${at}] has the result of a call (${id}) that is not before it`);
  }
  const input = list(field(body, "input"));
  const called = new Set(
    input.filter((one) => one.type === "function_call").map((one) => String(one.call_id)),
  );
  const answered = new Set(
    input.filter((one) => one.type === "function_call_output").map((one) => String(one.call_id)),
  );
  for (const id of called) if (!answered.has(id)) warnings.push(`the call ${id} has no output`);
  for (const id of answered) if (!called.has(id)) warnings.push(`the output ${id} has no call`);
  return warnings;
}

/** Thinking is signed by the provider: it may be left out whole, but not changed. */
function changedThinking(before: unknown, after: unknown): string[] {
  const signed = new Map(thinkingIn(before).map((one) => [String(one.signature), String(one.thinking)]));
  return thinkingIn(after).flatMap((one) => {
    const was = signed.get(String(one.signature));
    return was === undefined || was !== String(one.thinking)
      ? ["a thinking block was changed: its signature no longer fits"]
      : [];
  });
}

function thinkingIn(body: unknown): Block[] {
  return list(field(body, "messages"))
    .flatMap((message) => list(message.content))
    .filter((block) => block.type === "thinking" && block.signature !== undefined);
}

function idsOf(message: Block | undefined, type: string, key: string): string[] {
  return list(message?.content)
    .filter((block) => block.type === type)
    .map((block) => String(block[key]));
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Block)[key] : undefined;
}

function list(value: unknown): Block[] {
  return Array.isArray(value)
    ? value.filter((one): one is Block => typeof one === "object" && one !== null)
    : [];
}
