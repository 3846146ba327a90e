/** Streams of the three wires: read in whatever pieces they come, cut at events, and with tool calls kept back. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerStream } from "../../../src/agent/proxy/answer-stream.ts";
import { answerReader, readAnswer } from "../../../src/agent/wire/answers/index.ts";
import type { ToolPart } from "../../../src/agent/wire/answers/reader.ts";
import { editAnswer, toolsIn } from "../../../src/agent/wire/edit-answer.ts";
import type { Ruling } from "../../../src/agent/wire/gates/gate.ts";
import { toolGate } from "../../../src/agent/wire/gates/index.ts";
import type { HttpWire } from "../../../src/agent/wire/routes.ts";
import { EventCutter, SseDecoder, sseText } from "../../../src/agent/wire/sse.ts";

type Json = Record<string, unknown>;
const named = (events: Json[]) =>
  events.map((event) => sseText(String(event.type), JSON.stringify(event))).join("");
const numbered = (events: Json[]) => named(events.map((event, at) => ({ ...event, sequence_number: at })));

const ANTHROPIC = named([
  { type: "message_start", message: { id: "m1", model: "claude", content: [], usage: { input_tokens: 3 } } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm 😀" } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "server_tool_use", id: "s1", name: "web_search" },
  },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: { type: "tool_use", id: "t1", name: "bash", input: {} },
  },
  { type: "ping" },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"command":' } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"größe"}' } },
  { type: "content_block_stop", index: 2 },
  {
    type: "content_block_start",
    index: 3,
    content_block: { type: "tool_use", id: "t2", name: "now", input: {} },
  },
  { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: "" } },
  { type: "content_block_stop", index: 3 },
  {
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: "message_stop" },
]);

const chunk = (choice: Json, more: Json = {}) =>
  sseText(
    undefined,
    JSON.stringify({
      id: "c1",
      model: "gpt",
      choices: [{ index: 0, finish_reason: null, ...choice }],
      ...more,
    }),
  );
const CHAT = [
  chunk({ delta: { role: "assistant", content: "Look" } }),
  chunk({ delta: { content: "ing 😀" } }),
  chunk({
    delta: {
      tool_calls: [{ index: 0, id: "t1", type: "function", function: { name: "bash", arguments: "" } }],
    },
  }),
  chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: '{"command":' } }] } }),
  chunk({
    delta: {
      tool_calls: [{ index: 1, id: "t2", type: "function", function: { name: "now", arguments: "" } }],
    },
  }),
  chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: '"größe"}' } }] } }),
  chunk({ delta: {}, finish_reason: "tool_calls" }),
  sseText(
    undefined,
    JSON.stringify({ id: "c1", choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } }),
  ),
  sseText(undefined, "[DONE]"),
].join("");

const call = (n: number, id: string, name: string, input: string): Json[] => {
  const item = { type: "function_call", id: `fc_${n}`, call_id: id, name };
  const where = { output_index: n, item_id: `fc_${n}` };
  return [
    { type: "response.output_item.added", output_index: n, item: { ...item, arguments: "" } },
    { type: "response.function_call_arguments.delta", ...where, delta: input.slice(0, 4) },
    { type: "response.function_call_arguments.delta", ...where, delta: input.slice(4) },
    { type: "response.function_call_arguments.done", ...where, arguments: input },
    { type: "response.output_item.done", output_index: n, item: { ...item, arguments: input } },
  ];
};
const output = [
  { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "hm 😀" }] },
  { type: "function_call", id: "fc_1", call_id: "t1", name: "bash", arguments: '{"command":"größe"}' },
  { type: "function_call", id: "fc_2", call_id: "t2", name: "now", arguments: "{}" },
];
const RESPONSES = numbered([
  { type: "response.created", response: { id: "r1", model: "gpt", status: "in_progress", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs", summary: [] } },
  { type: "response.output_item.done", output_index: 0, item: output[0] },
  ...call(1, "t1", "bash", '{"command":"größe"}'),
  ...call(2, "t2", "now", "{}"),
  {
    type: "response.completed",
    response: {
      id: "r1",
      model: "gpt",
      status: "completed",
      output,
      usage: { input_tokens: 3, output_tokens: 9 },
    },
  },
]);

const STREAMS: [HttpWire, string][] = [
  ["anthropic", ANTHROPIC],
  ["openai-chat", CHAT],
  ["openai-responses", RESPONSES],
];
const TOOLS: ToolPart[] = [
  { kind: "tool_call", id: "t1", name: "bash", input: { command: "größe" } },
  { kind: "tool_call", id: "t2", name: "now", input: {} },
];

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes.length === 0 ? bytes.length : (sizes[n % sizes.length] ?? 1);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** What a client gets of a stream, and what was asked on the way. `watches` by the number of the piece. */
async function through(
  wire: HttpWire,
  stream: string,
  decide: (tool: ToolPart) => Ruling,
  { sizes = [] as readonly number[], watches = (_piece: number): boolean => true } = {},
) {
  const out: Buffer[] = [];
  const asked: ToolPart[] = [];
  const reader = answerReader(wire);
  let piece = 0;
  const passing = new AnswerStream({
    reader,
    gate: toolGate(wire),
    seen: () => {},
    watches: () => watches(piece),
    decide: async (tool) => {
      asked.push(tool);
      return decide(tool);
    },
    write: (bytes) => void out.push(bytes),
  });
  for (const bytes of cut(Buffer.from(stream), sizes)) {
    await passing.push(bytes);
    piece++;
  }
  await passing.end();
  return { text: Buffer.concat(out).toString(), asked, answer: reader.answer() };
}

function read(wire: HttpWire, stream: string) {
  const reader = answerReader(wire);
  new SseDecoder((event) => reader.read(event)).feed(Buffer.from(stream));
  return reader.answer();
}

/** A ping in a call that is kept back goes ahead of it: it is there to be heard in time. */
function withoutPings(stream: string): string {
  return stream.replaceAll('event: ping\ndata: {"type":"ping"}\n\n', "");
}

const RUN = (tool: ToolPart): Ruling => ({ do: "run", input: tool.input, edited: false });
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 });

describe.each(STREAMS)("%s", (wire, stream) => {
  test("is read the same in whatever pieces, watched or not, and passes byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
        async (pieces, watched) => {
          const watches = (piece: number) => watched[piece % watched.length] ?? true;
          const { text, asked, answer } = await through(wire, stream, RUN, { sizes: pieces, watches });
          expect(withoutPings(text)).toBe(withoutPings(stream));
          expect(asked).toEqual(TOOLS);
          expect(answer.parts.filter(({ kind }) => kind === "tool_call")).toEqual(TOOLS);
          expect(answer.usage).toMatchObject({ inputTokens: 3, outputTokens: 9 });
        },
      ),
      { numRuns: 60 },
    );
  });

  test("an edit is what a client reads, and only that call is changed", async () => {
    const decide = (tool: ToolPart): Ruling =>
      tool.id === "t1" ? { do: "run", input: { command: 'e"\n' }, edited: true } : RUN(tool);
    const { text, answer } = await through(wire, stream, decide, { sizes: [13] });
    const got = read(wire, text);
    expect(got.parts.filter(({ kind }) => kind === "tool_call")).toEqual([
      { ...TOOLS[0], input: { command: 'e"\n' } },
      TOOLS[1],
    ]);
    expect(got.stopReason).toBe(answer.stopReason);
    // What the model said is recorded as it said it.
    expect(answer.parts.filter(({ kind }) => kind === "tool_call")).toEqual(TOOLS);
  });

  test("of two calls one cancelled leaves the other; both cancelled end the turn", async () => {
    const cancel =
      (ids: string[]) =>
      (tool: ToolPart): Ruling =>
        ids.includes(tool.id) ? { do: "cancel", reason: "no" } : RUN(tool);
    const one = read(wire, (await through(wire, stream, cancel(["t1"]))).text);
    expect(one.parts.flatMap((part) => (part.kind === "tool_call" ? [part.id] : []))).toEqual(["t2"]);
    expect(one.stopReason).toBe(
      { anthropic: "tool_use", "openai-chat": "tool_calls", "openai-responses": "completed" }[wire],
    );
    const none = read(wire, (await through(wire, stream, cancel(["t1", "t2"]))).text);
    expect(none.parts.some(({ kind }) => kind === "tool_call")).toBe(false);
    expect(none.stopReason).toBe(
      { anthropic: "end_turn", "openai-chat": "stop", "openai-responses": "completed" }[wire],
    );
    // Never left with thinking as the last word.
    expect(none.parts.at(-1)).toMatchObject({
      kind: "text",
      text: expect.stringContaining("cancelled before it ran: no"),
    });
  });

  test("a stream that breaks off in the middle of a call gives what came", async () => {
    for (let at = 0; at < stream.length; at += 37) {
      const part = stream.slice(0, at);
      if (/event: ping\n(data: .*)?$/.test(part)) continue; // a piece of a ping is none
      expect(withoutPings((await through(wire, part, RUN)).text)).toBe(withoutPings(part));
    }
  });
});

test("sequence numbers of Responses stay dense and rising after a cancelled call", async () => {
  const { text } = await through("openai-responses", RESPONSES, () => ({ do: "cancel", reason: "" }));
  const numbers: number[] = [];
  const completed: Json[] = [];
  new SseDecoder(({ data }) => {
    const event = JSON.parse(data) as Json;
    numbers.push(Number(event.sequence_number));
    if (event.type === "response.completed") completed.push(event.response as Json);
  }).feed(Buffer.from(text));
  expect(numbers).toEqual(numbers.map((_, at) => at));
  const items = completed[0]?.output as Json[];
  expect(items.map(({ type }) => type)).toEqual(["reasoning", "message", "message"]);
});

test("a watch that begins in the middle of a call still keeps it from running", async () => {
  // The call has begun to pass when the breakpoint is set.
  const middle = ANTHROPIC.indexOf('{\\"command') + 3;
  const sizes = [Buffer.byteLength(ANTHROPIC.slice(0, middle)), 10];
  const cancelled = through("anthropic", ANTHROPIC, () => ({ do: "cancel", reason: "" }), {
    sizes,
    watches: (piece) => piece > 0,
  });
  await expect(cancelled).rejects.toThrow("the call of tool bash was cancelled");
  const { text } = await through("anthropic", ANTHROPIC, RUN, { sizes, watches: (piece) => piece > 0 });
  expect(withoutPings(text)).toBe(withoutPings(ANTHROPIC));
});

describe("events cut from bytes", () => {
  const line = fc.string({ unit: fc.constantFrom("a", ":", "ü", "😀", " "), minLength: 1, maxLength: 5 });
  const newline = fc.constantFrom("\n", "\r\n");
  test("are the bytes as they came, each up to an empty line", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 })),
        newline,
        sizes,
        (events, end, pieces) => {
          const texts = events.map((lines) => lines.map((one) => one + end).join("") + end);
          const cutter = new EventCutter();
          const found = cut(Buffer.from(texts.join("")), pieces).flatMap((piece) => cutter.push(piece));
          const rest = cutter.rest();
          expect([...found, ...(rest.length > 0 ? [rest] : [])].map(String)).toEqual(texts);
        },
      ),
    );
  });
});

describe("the short way to read a delta", () => {
  test("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", " ", "   "), (said, pad) => {
        const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } };
        const start = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
        const reader = answerReader("anthropic");
        reader.read({ data: JSON.stringify(start) });
        reader.read({ data: `${JSON.stringify(event).slice(0, -1)}${pad}}` });
        expect(reader.answer().parts).toEqual([{ kind: "text", text: said }]);
      }),
    );
  });
});

describe("an answer that comes whole", () => {
  const CHAT_WHOLE =
    '{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"bash","arguments":"{\\"a\\":1}"}}],"refusal":null},"finish_reason":"tool_calls"}],"n":12345678901234567890}';

  test("is edited where it must be and nowhere else", () => {
    const edit: Ruling = { do: "run", input: { a: 2 }, edited: true };
    expect(editAnswer("openai-chat", CHAT_WHOLE, [edit])).toBe(CHAT_WHOLE.replace('\\"a\\":1', '\\"a\\":2'));
    expect(editAnswer("openai-chat", CHAT_WHOLE, [{ ...edit, edited: false }])).toBe(CHAT_WHOLE);
    const cancelled = editAnswer("openai-chat", CHAT_WHOLE, [{ do: "cancel", reason: "no" }]);
    expect(readAnswer("openai-chat", cancelled)).toMatchObject({
      parts: [{ kind: "text", text: "[The call of tool bash was cancelled before it ran: no]" }],
      stopReason: "stop",
    });
    expect(cancelled).toContain('"n":12345678901234567890');
    expect(toolsIn("openai-chat", cancelled)).toEqual([]);
  });
});

test("of a stream that never seems to end only the end is read, and every byte passes", async () => {
  const begin = ANTHROPIC.slice(0, ANTHROPIC.indexOf("event: content_block_start"));
  const delta = named([
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x".repeat(60_000) } },
  ]);
  const start = named([{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }]);
  const end = ANTHROPIC.slice(ANTHROPIC.indexOf("event: message_delta"));
  const stream = begin + start + delta.repeat(400) + end;
  const { text, answer } = await through("anthropic", stream, RUN, { sizes: [50_001], watches: () => false });
  expect(text === stream).toBe(true);
  expect(answer).toMatchObject({ id: "m1", stopReason: "tool_use", usage: { outputTokens: 9 } });
  expect(answer.parts[0]).toMatchObject({ kind: "text" });
});
