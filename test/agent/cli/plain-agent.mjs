/**
 * An agent with nothing but `fetch`: asks, runs the tools that the answer asks for (it prints their inputs as they came), sends the results, until no
 * tool is left. `node plain-agent.mjs <wire> <stream|whole>`
 */
const [wire = "anthropic", how = "stream"] = process.argv.slice(2);
const stream = how === "stream";
const anthropic = process.env.ANTHROPIC_BASE_URL;
const openai = process.env.OPENAI_BASE_URL;

const WIRES = {
  anthropic: {
    url: `${anthropic}/v1/messages`,
    headers: { "x-api-key": "none", "anthropic-version": "2023-06-01" },
    body: (messages) => ({
      model: "claude-haiku-4-5",
      max_tokens: 100,
      stream,
      tools: [{ name: "bash", input_schema: { type: "object" } }],
      messages,
    }),
    calls: (text) => {
      if (!stream) {
        const at = text.indexOf('"type":"tool_use"');
        return at < 0
          ? []
          : [...text.matchAll(/"id":"(toolu_\w+)"/g)].map(([, id]) => ({ id, written: text }));
      }
      const calls = new Map();
      for (const one of events(text)) {
        if (one.type === "content_block_start" && one.content_block.type === "tool_use")
          calls.set(one.index, { id: one.content_block.id, written: "" });
        if (one.type === "content_block_delta" && one.delta.type === "input_json_delta")
          calls.get(one.index).written += one.delta.partial_json;
      }
      return [...calls.values()];
    },
    results: (calls) => [
      {
        role: "assistant",
        content: calls.map(({ id }) => ({ type: "tool_use", id, name: "bash", input: {} })),
      },
      {
        role: "user",
        content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" })),
      },
    ],
  },
  "openai-chat": {
    url: `${openai}/chat/completions`,
    headers: { authorization: "Bearer none" },
    body: (messages) => ({
      model: "gpt-5",
      stream,
      tools: [{ type: "function", function: { name: "bash", parameters: { type: "object" } } }],
      messages,
    }),
    calls: (text) => {
      if (!stream)
        return (JSON.parse(text).choices[0].message.tool_calls ?? []).map((one) => ({
          id: one.id,
          written: one.function.arguments,
        }));
      const calls = new Map();
      for (const one of events(text))
        for (const part of one.choices?.[0]?.delta?.tool_calls ?? []) {
          const known = calls.get(part.index) ?? { id: part.id, written: "" };
          known.written += part.function?.arguments ?? "";
          calls.set(part.index, known);
        }
      return [...calls.values()];
    },
    results: (calls) => [
      {
        role: "assistant",
        content: null,
        tool_calls: calls.map(({ id, written }) => ({
          id,
          type: "function",
          function: { name: "bash", arguments: written },
        })),
      },
      ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "ok" })),
    ],
  },
  "openai-responses": {
    url: `${openai}/responses`,
    headers: { authorization: "Bearer none" },
    body: (input) => ({
      model: "gpt-5",
      stream,
      tools: [{ type: "function", name: "bash", parameters: { type: "object" } }],
      input,
    }),
    calls: (text) => {
      const items = stream
        ? events(text).flatMap((one) => (one.type === "response.output_item.done" ? [one.item] : []))
        : JSON.parse(text).output;
      return items.flatMap((one) =>
        one.type === "function_call" ? [{ id: one.call_id, written: one.arguments }] : [],
      );
    },
    results: (calls) =>
      calls.flatMap(({ id, written }) => [
        { type: "function_call", call_id: id, name: "bash", arguments: written },
        { type: "function_call_output", call_id: id, output: "ok" },
      ]),
  },
};

function events(text) {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));
}

const { url, headers, body, calls: callsOf, results } = WIRES[wire];
const messages = [{ role: "user", content: "look around" }];
for (;;) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body(messages)),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const calls = callsOf(text);
  for (const { id, written } of calls) console.log(`tool ${id} ${written}`);
  if (calls.length === 0) break;
  messages.push(...results(calls));
}
console.log("done");
