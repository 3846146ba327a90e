/** Programs on the SDKs, whose own loop and tools the bridge does not see: what it does is done between SDK and provider. */
import { afterEach, describe, expect, test } from "vitest";
import { aiSdkMiddleware } from "../../../src/agent/library/adapters/ai-sdk.ts";
import { anthropicMiddleware } from "../../../src/agent/library/adapters/anthropic.ts";
import { bridgedFetch } from "../../../src/agent/library/adapters/fetch.ts";
import type { AgentBridge } from "../../../src/agent/library/bridge.ts";
import { offBridge } from "../../../src/agent/library/off.ts";
import type { Provider, Reply } from "../provider/index.mjs";
import { Anthropic, ai, createAnthropic, OpenAI } from "../sdks.ts";
import { cleanUp, control, provide } from "./support.ts";

afterEach(cleanUp);

/** A program: it talks to the model until that asks for no tool, and notes with what its tool was run. */
type Program = (provider: Provider, bridge: AgentBridge, ran: unknown[]) => Promise<string>;

function anthropicProgram(options: (bridge: AgentBridge) => object, stream: boolean): Program {
  return async (provider, bridge, ran) => {
    const client = new Anthropic({ baseURL: provider.url, apiKey: "none", ...options(bridge) });
    const messages: unknown[] = [{ role: "user", content: "hi" }];
    for (;;) {
      const body = { model: "claude-opus-4-8", max_tokens: 1000, messages };
      const answer = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      messages.push({ role: "assistant", content: answer.content });
      const calls = answer.content.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) return answer.content.map(({ text }) => text).join(" ");
      for (const { input } of calls) ran.push(input);
      messages.push({
        role: "user",
        content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" })),
      });
    }
  };
}

const openai = (provider: Provider, bridge: AgentBridge) =>
  new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "none", fetch: bridgedFetch(bridge) });

function chatProgram(stream: boolean): Program {
  return async (provider, bridge, ran) => {
    const client = openai(provider, bridge);
    const messages: unknown[] = [{ role: "user", content: "hi" }];
    for (;;) {
      const body = { model: "gpt-5.5", messages, ...(stream && { stream_options: { include_usage: true } }) };
      const completion = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const message = completion.choices[0]?.message;
      messages.push({
        role: "assistant",
        content: message?.content ?? null,
        tool_calls: message?.tool_calls,
      });
      if (!message?.tool_calls?.length) return message?.content ?? "";
      for (const call of message.tool_calls) {
        ran.push(JSON.parse(call.function.arguments));
        messages.push({ role: "tool", tool_call_id: call.id, content: "ok" });
      }
    }
  };
}

function responsesProgram(stream: boolean): Program {
  return async (provider, bridge, ran) => {
    const client = openai(provider, bridge);
    const input: unknown[] = [{ role: "user", content: "hi" }];
    for (;;) {
      const body = { model: "gpt-5.5", input, store: false };
      const response = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body);
      input.push(...response.output);
      const calls = response.output.filter(({ type }) => type === "function_call");
      if (calls.length === 0) return response.output_text;
      for (const call of calls as unknown as { call_id: string; arguments: string }[]) {
        ran.push(JSON.parse(call.arguments));
        input.push({ type: "function_call_output", call_id: call.call_id, output: "ok" });
      }
    }
  };
}

function aiSdkProgram(stream: boolean): Program {
  return async (provider, bridge, ran) => {
    const model = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: "none" })("claude-opus-4-8");
    const bash = ai.tool({
      description: "Runs a command.",
      inputSchema: ai.jsonSchema({ type: "object", properties: { command: { type: "string" } } }),
      execute: async (input: unknown) => {
        ran.push(input);
        return "ok";
      },
    });
    const options = {
      model: ai.wrapLanguageModel({ model, middleware: aiSdkMiddleware(bridge) }),
      prompt: "hi",
      tools: { bash },
      stopWhen: ai.stepCountIs(10),
      maxRetries: 0,
    };
    if (!stream) return (await ai.generateText(options)).text;
    const result = ai.streamText({ ...options, onError: () => {} });
    await result.consumeStream();
    return result.text;
  };
}

const PROGRAMS: Record<string, Program> = {
  "Anthropic SDK, middleware, streamed": anthropicProgram(
    (bridge) => ({ middleware: [anthropicMiddleware(bridge)] }),
    true,
  ),
  "Anthropic SDK, middleware": anthropicProgram(
    (bridge) => ({ middleware: [anthropicMiddleware(bridge)] }),
    false,
  ),
  "Anthropic SDK, fetch, streamed": anthropicProgram((bridge) => ({ fetch: bridgedFetch(bridge) }), true),
  "Anthropic SDK, fetch": anthropicProgram((bridge) => ({ fetch: bridgedFetch(bridge) }), false),
  "OpenAI SDK, Chat, streamed": chatProgram(true),
  "OpenAI SDK, Chat": chatProgram(false),
  "OpenAI SDK, Responses, streamed": responsesProgram(true),
  "OpenAI SDK, Responses": responsesProgram(false),
  "AI SDK, streamed": aiSdkProgram(true),
  "AI SDK": aiSdkProgram(false),
};

const bash = (command: string): Reply => ({ text: "I look.", tools: [{ name: "bash", input: { command } }] });

describe.each(Object.entries(PROGRAMS))("%s", (_name, program) => {
  test("is paused before a call, which is then sent", async () => {
    const provider = await provide({ script: [{ text: "Hello." }] });
    const { bridge, ask, stop } = await control({ paused: true });
    const said = program(provider, bridge, []);
    await expect(stop()).resolves.toMatchObject({ at: "model", reason: "pause" });
    await ask("inspect");
    expect(provider.requests).toHaveLength(0);
    await ask("resume");
    await expect(said).resolves.toBe("Hello.");
    expect(provider.calls).toHaveLength(1);
  });

  test("keeps what is injected at its place in every later request", async () => {
    const provider = await provide({ script: [bash("one"), bash("two"), { text: "Done." }] });
    const { bridge, ask, stop, events } = await control({ paused: true });
    const said = program(provider, bridge, []);
    await stop();
    await ask("inject_message", { content: "Be quick." });
    await ask("resume");
    await said;
    const outlines = provider.calls.map(({ outline }) =>
      outline.filter((line) => !line.startsWith("system")),
    );
    expect(outlines).toHaveLength(3);
    for (const outline of outlines) {
      // A provider that wants turns to alternate has both in one message.
      expect(outline.slice(0, 2).join(" ")).toMatch(/^user: hi (user: )?Be quick\./);
      expect(outline.join(" ").split("Be quick.")).toHaveLength(2);
    }
    expect(events("tool_result").map(({ data }) => data.name)).toEqual(["bash", "bash"]);
  });

  test("runs an edited tool call, and not a cancelled one", async () => {
    const provider = await provide({ script: [bash("rm a"), bash("rm b")] });
    const { bridge, ask, stop, events } = await control();
    await ask("breakpoint", { action: "add", on: "pattern", regex: "\\brm\\b" });
    const ran: unknown[] = [];
    const said = program(provider, bridge, ran);
    await expect(stop()).resolves.toMatchObject({ tool: { name: "bash", input: { command: "rm a" } } });
    expect(ran).toEqual([]);
    await ask("edit_tool", { toolId: "toolu_0001", input: { command: "ls a" } });
    await ask("resume");
    await expect(stop()).resolves.toMatchObject({ tool: { id: "toolu_0002" } });
    expect(provider.calls[1]?.outline.join("\n")).toContain("ls a");
    await ask("cancel_tool", { toolId: "toolu_0002", reason: "leave b" });
    await expect(said).resolves.toContain("leave b");
    expect(ran).toEqual([{ command: "ls a" }]);
    expect(provider.calls).toHaveLength(2);
    expect(events("api_response")).toHaveLength(2);
    expect(events("api_response")[0]?.data).toMatchObject({ usage: { inputTokens: 100, outputTokens: 20 } });
  });

  test("is answered in the model's place", async () => {
    const provider = await provide();
    const { bridge, ask, stop } = await control({ paused: true });
    const said = program(provider, bridge, []);
    await stop();
    await ask("kill_call", { text: "Said by a person." });
    await expect(said).resolves.toBe("Said by a person.");
    expect(provider.requests).toHaveLength(0);
  });

  test("gets an error that it does not try again", async () => {
    const provider = await provide();
    const { bridge, ask, stop } = await control({ paused: true });
    const said = program(provider, bridge, []);
    await stop();
    const failing = expect(said).rejects.toThrow(/ended in the debugger|No output/);
    await ask("kill_call");
    await failing;
    expect(provider.requests).toHaveLength(0);
  });

  test("passes errors of the provider on, and records them", async () => {
    const provider = await provide({ script: [{ error: { status: 400, message: "too long" } }] });
    const { bridge, events } = await control();
    await expect(program(provider, bridge, [])).rejects.toThrow(/too long|No output/);
    expect(events("api_error")[0]?.data).toMatchObject({
      status: 400,
      message: expect.stringContaining("too long"),
    });
  });

  test("runs as ever when the bridge is off", async () => {
    const provider = await provide({ script: [bash("one"), { text: "Done." }] });
    const ran: unknown[] = [];
    await expect(program(provider, offBridge(), ran)).resolves.toBe("Done.");
    expect(ran).toEqual([{ command: "one" }]);
  });
});

test("an SDK that gives up waiting joins the same stop with its next try", async () => {
  const provider = await provide({ script: [{ text: "Hello." }] });
  const { bridge, ask, stop, events } = await control({ paused: true });
  const through = bridgedFetch(bridge);
  let third: () => void = () => {};
  let tries = 0;
  const thirdTry = new Promise<void>((resolve) => {
    third = resolve;
  });
  const fetch: typeof through = (...args) => {
    if (++tries === 3) third();
    return through(...args);
  };
  const client = new Anthropic({
    baseURL: provider.url,
    apiKey: "none",
    timeout: 200,
    maxRetries: 20,
    fetch,
  });
  const body = { model: "claude-opus-4-8", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };
  const message = client.messages.create(body);
  await stop();
  await thirdTry;
  await expect(stop()).resolves.toMatchObject({ id: "s1" });
  await ask("resume");
  await expect(message).resolves.toMatchObject({ content: [{ text: "Hello." }] });
  expect(events("paused")).toHaveLength(1);
  expect(provider.calls).toHaveLength(1);
});

test("the middleware's wait does not count as the SDK's", async () => {
  const provider = await provide({ script: [{ text: "Hello." }] });
  const { bridge, ask, stop, events } = await control({ paused: true });
  const middleware = [anthropicMiddleware(bridge)];
  const client = new Anthropic({
    baseURL: provider.url,
    apiKey: "none",
    timeout: 300,
    maxRetries: 0,
    middleware,
  });
  const body = { model: "claude-opus-4-8", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };
  const message = client.messages.create(body);
  await stop();
  // Longer than its time-out.
  await new Promise((resolve) => setTimeout(resolve, 700));
  await ask("resume");
  await expect(message).resolves.toMatchObject({ content: [{ text: "Hello." }] });
  expect(events("paused")).toHaveLength(1);
});
