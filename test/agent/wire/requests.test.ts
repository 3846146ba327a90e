/** Requests of the three wires: what they say, where they are cut, how they are edited. */
import { describe, expect, test } from "vitest";
import { editRequest } from "../../../src/agent/wire/edit-request.ts";
import { cutsOf, readRequest } from "../../../src/agent/wire/request.ts";
import { wireOf } from "../../../src/agent/wire/routes.ts";

describe("which wire", () => {
  test.each([
    ["POST", "/v1/messages?beta=true", "anthropic", false],
    ["POST", "/v1/messages/count_tokens", "anthropic", true],
    ["POST", "/prefix/v1/messages", "anthropic", false],
    ["POST", "/v1/chat/completions", "openai-chat", false],
    ["POST", "/responses", "openai-responses", false],
    ["POST", "/backend-api/codex/responses", "openai-responses", false],
  ])("%s %s", (method, path, wire, auxiliary) => {
    expect(wireOf(method, path)).toEqual({ wire, auxiliary });
  });

  test.each([
    ["GET", "/v1/messages"],
    ["POST", "/v1/messages/batches"],
    ["POST", "/v1/responses/resp_1/cancel"],
    ["GET", "/v1/models"],
    ["HEAD", "/"],
  ])("not %s %s", (method, path) => {
    expect(wireOf(method, path)).toBeUndefined();
  });
});

const MESSAGES = JSON.stringify({
  model: "claude-opus-4-8",
  max_tokens: 100,
  stream: true,
  system: [{ type: "text", text: "You help." }],
  messages: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "on it" },
        { type: "tool_use", id: "t1", name: "bash", input: { command: "ls" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "a" }], is_error: true },
        { type: "image", source: {} },
      ],
    },
  ],
  tools: [{ name: "bash", description: "runs", input_schema: {} }],
});

describe("what a request says", () => {
  test("Anthropic Messages", () => {
    const view = readRequest("anthropic", MESSAGES);
    expect(view).toMatchObject({
      model: "claude-opus-4-8",
      stream: true,
      system: "You help.",
      params: { max_tokens: 100 },
      tools: [{ name: "bash", description: "runs" }],
      body: MESSAGES,
    });
    expect(view.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(view.messages[1]?.parts).toEqual([
      { kind: "thinking", text: "hm" },
      { kind: "text", text: "on it" },
      { kind: "tool_call", id: "t1", name: "bash", input: { command: "ls" } },
    ]);
    expect(view.messages[2]?.parts).toEqual([
      { kind: "tool_result", id: "t1", text: "a", isError: true },
      { kind: "other", type: "image", bytes: 28 },
    ]);
  });

  test("OpenAI Chat", () => {
    const view = readRequest(
      "openai-chat",
      JSON.stringify({
        model: "gpt-5.5",
        temperature: 0.5,
        messages: [
          { role: "developer", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "hi" }] },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } },
            ],
          },
          { role: "tool", tool_call_id: "c1", content: "a" },
        ],
        tools: [{ type: "function", function: { name: "bash", description: "runs" } }],
      }),
    );
    expect(view).toMatchObject({
      system: "Be brief.",
      params: { temperature: 0.5 },
      tools: [{ name: "bash" }],
    });
    expect(view.messages.slice(1)).toEqual([
      { role: "user", parts: [{ kind: "text", text: "hi" }] },
      {
        role: "assistant",
        parts: [{ kind: "tool_call", id: "c1", name: "bash", input: { command: "ls" } }],
      },
      { role: "tool", parts: [{ kind: "tool_result", id: "c1", text: "a", isError: false }] },
    ]);
  });

  test("OpenAI Responses", () => {
    const view = readRequest(
      "openai-responses",
      JSON.stringify({
        model: "gpt-5.5",
        instructions: "Be brief.",
        input: [
          { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
          { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "x" },
          { type: "function_call", call_id: "c1", name: "shell", arguments: '{"a":1}' },
          { type: "function_call_output", call_id: "c1", output: "a" },
          { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" },
          { type: "custom_tool_call_output", call_id: "c2", output: [{ type: "input_text", text: "ok" }] },
        ],
        tools: [{ type: "function", name: "shell" }, { type: "web_search" }],
      }),
    );
    expect(view.system).toBe("Be brief.");
    expect(view.tools.map(({ name }) => name)).toEqual(["shell", "web_search"]);
    expect(view.messages.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ["user", { kind: "text", text: "hi" }],
      ["assistant", { kind: "thinking", text: "hm" }],
      ["assistant", { kind: "tool_call", id: "c1", name: "shell", input: { a: 1 } }],
      ["tool", { kind: "tool_result", id: "c1", text: "a", isError: false }],
      ["assistant", { kind: "tool_call", id: "c2", name: "apply_patch", input: "*** Begin" }],
      ["tool", { kind: "tool_result", id: "c2", text: "ok", isError: false }],
    ]);
    expect(readRequest("openai-responses", '{"input":"hi"}').messages).toEqual([
      { role: "user", parts: [{ kind: "text", text: "hi" }] },
    ]);
  });

  test.each(["", "no JSON", "[1]", '{"messages":7,"tools":{}}', '{"messages":[null,3,{"content":[null]}]}'])(
    "a body that is none of these is no error: %s",
    (body) => {
      for (const wire of ["anthropic", "openai-chat", "openai-responses"] as const)
        expect(readRequest(wire, body)).toMatchObject({ body, tools: [] });
    },
  );

  test("cuts are at its messages, tools and system blocks", () => {
    const pieces = (body: string) => {
      const cuts = [0, ...cutsOf(body), body.length];
      return cuts.slice(1).map((end, at) => body.slice(cuts[at], end));
    };
    expect(pieces(MESSAGES).join("")).toBe(MESSAGES);
    expect(pieces(MESSAGES)).toContain('{"role":"user","content":"hi"}');
    expect(pieces(MESSAGES)).toContain('{"type":"text","text":"You help."}');
    const longer = JSON.stringify({
      ...(JSON.parse(MESSAGES) as object),
      messages: [{ role: "user", content: "hi" }],
    });
    expect(pieces(longer)).toContain('{"role":"user","content":"hi"}');
  });
});

describe("edits", () => {
  const ODD =
    '{ "max_tokens" : 1e2,\n"messages":[ {"role":"user","content":"\\u0068i","n":12345678901234567890} ] ,"model":"a","model":"b"}';
  const inject = { id: "i1", role: "user" as const, content: 'say "so"' };

  test("without an edit it is the very same text", () => {
    expect(editRequest("anthropic", ODD, {})).toBe(ODD);
    expect(editRequest("anthropic", ODD, { set: { model: undefined } })).toBe(ODD);
  });

  test("a message at the end touches nothing else", () => {
    expect(editRequest("anthropic", ODD, { insert: [{ before: 1, injection: inject }] })).toBe(
      ODD.replace("} ]", '},{"role":"user","content":"say \\"so\\""} ]'),
    );
  });

  test("of duplicate keys the one that counts is set", () => {
    expect(editRequest("anthropic", ODD, { set: { model: "c", top_k: 3 } })).toBe(
      ODD.replace('"model":"b"', '"model":"c","top_k":3'),
    );
  });

  test("several new values, several messages, an empty list, an empty object, a plain text as input", () => {
    expect(editRequest("anthropic", "{}", { set: { a: 1, b: 2 } })).toBe('{"a":1,"b":2}');
    const two = [0, 1].map((at) => ({ before: at, injection: { ...inject, content: `${at}` } }));
    expect(JSON.parse(editRequest("openai-chat", '{"messages":[ ]}', { insert: two }))).toEqual({
      messages: [
        { role: "user", content: "0" },
        { role: "user", content: "1" },
      ],
    });
    expect(
      JSON.parse(editRequest("openai-responses", '{"input":"hi"}', { insert: two.slice(0, 1) })),
    ).toEqual({
      input: [
        { role: "user", content: "hi" },
        { type: "message", role: "user", content: [{ type: "input_text", text: "0" }] },
      ],
    });
  });
});
