/** The scripted provider, read by the SDKs that real agents use. */
import { afterEach, describe, expect, test } from "vitest";
import { Anthropic, OpenAI } from "../sdks.ts";
import { type Provider, type ProviderOptions, startProvider } from "./index.mjs";

const open: Provider[] = [];
afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});

async function provide(options: ProviderOptions): Promise<Provider> {
  const provider = await startProvider(options);
  open.push(provider);
  return provider;
}

const anthropic = (provider: Provider) =>
  new Anthropic({ baseURL: provider.url, apiKey: "none", maxRetries: 0 });
const openai = (provider: Provider) =>
  new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "none", maxRetries: 0 });

const ask = {
  model: "claude-opus-4-8",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "hi" }],
};

describe("the Anthropic wire", () => {
  test("streams thinking, text and parallel tools that the SDK puts together", async () => {
    const provider = await provide({
      script: [
        {
          thinking: "What is in here? I look.",
          text: "Two looks.",
          tools: [
            { name: "bash", input: { command: "ls -l", deep: { n: [1, 2, "ü"] } } },
            { id: "toolu_mine", name: "read", input: {} },
          ],
          usage: { input: 5, output: 9, cacheRead: 1000, cacheCreation: 70 },
        },
      ],
    });
    const message = await anthropic(provider).messages.stream(ask).finalMessage();
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "What is in here? I look.", signature: expect.stringMatching(/./) },
      { type: "text", text: "Two looks." },
      {
        type: "tool_use",
        id: "toolu_0001",
        name: "bash",
        input: { command: "ls -l", deep: { n: [1, 2, "ü"] } },
      },
      { type: "tool_use", id: "toolu_mine", name: "read", input: {} },
    ]);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage).toMatchObject({
      input_tokens: 5,
      output_tokens: 9,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 70,
    });
    const seen = await provider.next();
    expect(seen).toMatchObject({
      method: "POST",
      path: "/v1/messages",
      wire: "anthropic",
      outline: ["user: hi"],
    });

    expect(seen.header("Anthropic-Version")).toMatch(/^20/);
    expect(JSON.parse(seen.raw.toString())).toEqual({ ...ask, stream: true });
    await expect(seen.closed).resolves.toBe("answered");
  });

  test("answers whole, counts tokens, lists models", async () => {
    const provider = await provide({ script: [{ text: "Hello." }] });
    const client = anthropic(provider);
    const message = await client.messages.create(ask);
    expect(message.content).toEqual([{ type: "text", text: "Hello." }]);
    expect(message.stop_reason).toBe("end_turn");
    expect((await client.messages.countTokens(ask)).input_tokens).toBeGreaterThan(5);
    expect((await client.models.list()).data.map(({ id }) => id)).toContain("claude-opus-4-8");
    expect((await fetch(provider.url, { method: "HEAD" })).status).toBe(200);
    expect(provider.calls).toHaveLength(1);
    expect(provider.requests).toHaveLength(4);
  });

  test("fails as the real one does", async () => {
    const provider = await provide({
      script: [
        { error: 400 },
        { error: 401 },
        { error: { status: 429, headers: { "retry-after": "0" } } },
        { error: 529 },
        { text: "never whole", streamError: { status: 529 } },
        { text: "cut", cutAfter: 3 },
      ],
    });
    const types: unknown[] = [];
    for (let at = 0; at < 6; at++) {
      const failed = await anthropic(provider)
        .messages.stream(ask)
        .finalMessage()
        .then(
          () => "no error",
          (error: Error) => error,
        );
      types.push(failed instanceof Anthropic.APIError ? [failed.status, failed.type] : String(failed));
    }
    expect(types).toEqual([
      [400, "invalid_request_error"],
      [401, "authentication_error"],
      [429, "rate_limit_error"],
      [529, "overloaded_error"],
      [undefined, "overloaded_error"],
      expect.stringMatching(/terminated|cut|closed|error/i),
    ]);
  });

  test("a client that goes away is seen to go", async () => {
    const provider = await provide({ script: () => ({ hang: true }) });
    const gone = new AbortController();
    const call = anthropic(provider).messages.create(ask, { signal: gone.signal });
    const seen = await provider.next();
    gone.abort();
    await expect(call).rejects.toThrow();
    await expect(seen.closed).resolves.toBe("aborted");
    expect(seen.aborted).toBe(true);
  });
});

describe("the OpenAI wires", () => {
  const tools = [{ name: "bash", input: { command: "ls" } }];

  test("Chat streams text, tools and usage", async () => {
    const provider = await provide({ script: [{ text: "Looking.", tools, usage: { cacheRead: 10 } }] });
    const stream = openai(provider).chat.completions.stream({
      model: "gpt-5.5",
      messages: [{ role: "user", content: "hi" }],
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message).toMatchObject({
      content: "Looking.",
      tool_calls: [{ id: "toolu_0001", function: { name: "bash", arguments: '{"command":"ls"}' } }],
    });
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
    expect(completion.usage).toMatchObject({ prompt_tokens: 110, completion_tokens: 20 });
    expect(provider.calls[0]?.wire).toBe("openai-chat");
  });

  test("Responses streams reasoning, text and tools", async () => {
    const provider = await provide({
      script: [
        {
          thinking: "Hm.",
          text: "Looking.",
          tools: [...tools, { name: "patch", input: "*** Begin", custom: true }],
        },
      ],
    });
    const stream = openai(provider).responses.stream({ model: "gpt-5.5", input: "hi" });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    const response = await stream.finalResponse();
    expect(types[0]).toBe("response.created");
    expect(types.at(-1)).toBe("response.completed");
    expect(response.output_text).toBe("Looking.");
    expect(response.output.map((item) => item.type)).toEqual([
      "reasoning",
      "message",
      "function_call",
      "custom_tool_call",
    ]);
    expect(response.usage?.total_tokens).toBe(120);
    expect(provider.calls[0]?.outline).toEqual(["user: hi"]);
  });

  test("both answer whole and fail as the real ones do", async () => {
    const provider = await provide({ script: [{ tools }, { text: "Hello." }, { error: 429 }] });
    const client = openai(provider);
    const messages = [{ role: "user" as const, content: "hi" }];
    const chat = await client.chat.completions.create({ model: "gpt-5.5", messages });
    expect(chat.choices[0]?.message.tool_calls).toHaveLength(1);
    expect((await client.responses.create({ model: "gpt-5.5", input: "hi" })).output_text).toBe("Hello.");
    await expect(client.responses.create({ model: "gpt-5.5", input: "hi" })).rejects.toMatchObject({
      status: 429,
    });
  });
});

test("titles and the like that Claude Code asks for are no part of the script", async () => {
  const provider = await provide({ script: [{ text: "scripted" }] });
  const post = (tools: unknown[]) =>
    fetch(`${provider.url}/v1/messages`, {
      method: "POST",
      headers: { "user-agent": "claude-cli/2.1.325 (external, cli)" },
      body: JSON.stringify({ ...ask, tools }),
    }).then((response) => response.text());
  expect(await post([])).toContain("title");
  expect(await post([{ name: "Bash" }])).toContain("scripted");
  expect(provider.requests.map(({ auxiliary }) => auxiliary)).toEqual([true, false]);
  expect(provider.calls).toHaveLength(1);
});
