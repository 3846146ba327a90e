/** Each control, by what the provider saw and what the client got, on the three wires, streamed and not. */
import { afterEach, describe, expect, test } from "vitest";
import type { StoredBody } from "../../../src/agent/events.ts";
import type { Reply, Seen } from "../provider/index.mjs";
import { Anthropic, OpenAI } from "../sdks.ts";
import { ask, openRig, type Rig } from "./rig.ts";

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

interface Call {
  name: string;
  input: unknown;
  id: string;
}

/** What a client understood of an answer. */
interface Got {
  said: string;
  calls: Call[];
  stop: string;
}

interface Message {
  role: "user" | "assistant";
  content: string;
}

interface Client {
  name: string;
  end: string;
  ask(rig: Rig, messages: readonly Message[]): Promise<Got>;
}

const KEY = { apiKey: "sk-test", maxRetries: 0 };
const SCHEMA = { type: "object", properties: {} };

function anthropic(stream: boolean): Client {
  return {
    name: `Anthropic SDK${stream ? ", streamed" : ""}`,
    end: "end_turn",
    async ask({ proxy }, messages) {
      const client = new Anthropic({ ...KEY, baseURL: proxy.url });
      const body = {
        model: "claude-opus-4-8",
        max_tokens: 4096,
        messages,
        tools: [{ name: "bash", input_schema: SCHEMA }],
      };
      const message = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      return {
        said: message.content.flatMap((one) => (one.type === "text" ? [String(one.text)] : [])).join("\n"),
        calls: message.content.flatMap(({ type, name, input, id }) =>
          type === "tool_use" ? [{ name: String(name), input, id: String(id) }] : [],
        ),
        stop: message.stop_reason ?? "",
      };
    },
  };
}

function chat(stream: boolean): Client {
  return {
    name: `OpenAI SDK, chat${stream ? ", streamed" : ""}`,
    end: "stop",
    async ask({ proxy }, messages) {
      const client = new OpenAI({ ...KEY, baseURL: `${proxy.url}/v1` });
      const tools = [{ type: "function", function: { name: "bash", parameters: SCHEMA } }];
      const body = {
        model: "gpt-5.5",
        messages,
        tools,
        ...(stream && { stream_options: { include_usage: true } }),
      };
      const answer = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const [choice] = answer.choices;
      return {
        said: choice?.message.content ?? "",
        calls: (choice?.message.tool_calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          input: JSON.parse(call.function.arguments) as unknown,
        })),
        stop: choice?.finish_reason ?? "",
      };
    },
  };
}

function responses(stream: boolean): Client {
  return {
    name: `OpenAI SDK, responses${stream ? ", streamed" : ""}`,
    end: "completed",
    async ask({ proxy }, messages) {
      const client = new OpenAI({ ...KEY, baseURL: `${proxy.url}/v1` });
      const tools = [{ type: "function", name: "bash", parameters: SCHEMA, strict: false }];
      const body = { model: "gpt-5.5", input: messages, tools };
      const answer = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body);
      const items = answer.output as { type: string; name?: string; arguments?: string; call_id?: string }[];
      return {
        said: answer.output_text,
        calls: items.flatMap((item) =>
          item.type === "function_call"
            ? [
                {
                  id: item.call_id ?? "",
                  name: item.name ?? "",
                  input: JSON.parse(item.arguments ?? "") as unknown,
                },
              ]
            : [],
        ),
        stop: (answer as unknown as { status: string }).status,
      };
    },
  };
}

const CLIENTS = [true, false].flatMap((stream) => [anthropic(stream), chat(stream), responses(stream)]);
const HI: Message[] = [{ role: "user", content: "hi" }];
const BASH: Reply = {
  thinking: "hm",
  text: "I will look.",
  tools: [{ name: "bash", input: { command: "rm -rf /" } }],
};

describe.each(CLIENTS)("$name", ({ ask: askModel, end }) => {
  test("what nobody stops comes through, and is recorded", async () => {
    rig = await openRig([BASH]);
    const got = await askModel(rig, HI);
    // The client may be done with the stream before its connection is.
    await expect.poll(() => rig?.ofType("api_response").length).toBe(1);
    expect(got.calls).toMatchObject([{ name: "bash", input: { command: "rm -rf /" } }]);
    expect(rig.ofType("tool_call_start")).toMatchObject([
      { name: "bash", toolId: got.calls[0]?.id, input: '{"command":"rm -rf /"}', source: "proxy", req: 1 },
    ]);
    const content = JSON.parse(String(rig.ofType("api_response")[0]?.content)) as {
      kind: string;
      input?: unknown;
    }[];
    expect(content.at(-1)).toMatchObject({ kind: "tool_call", name: "bash", input: { command: "rm -rf /" } });
    expect(rig.ofType("api_response")[0]).toMatchObject({ usage: { inputTokens: 100, outputTokens: 20 } });
    expect(rig.ofType("user_input")).toMatchObject([{ content: "hi" }]);
  });

  test("pause holds the call: the provider sees nothing until it is resumed", async () => {
    rig = await openRig([{ text: "hello" }]);
    await rig.command("pause");
    const got = askModel(rig, HI);
    await rig.stopped();
    expect(rig.provider.requests).toEqual([]);
    await rig.command("resume");
    expect(await got).toMatchObject({ said: "hello" });
    expect(rig.provider.calls.length).toBe(1);
  });

  test("an edited tool call is the one the client gets", async () => {
    rig = await openRig([BASH]);
    await rig.command("breakpoint", { action: "add", on: "tool", name: "ba*" });
    const got = askModel(rig, HI);
    const stop = await rig.stopped();
    const tool = rig.bridge.stops.find(({ id }) => id === stop)?.tool;
    expect(tool?.input).toEqual({ command: "rm -rf /" });
    await rig.command("edit_tool", { toolId: tool?.id, input: { command: 'echo "grüße"' } });
    await rig.command("resume");
    expect((await got).calls).toEqual([{ id: tool?.id, name: "bash", input: { command: 'echo "grüße"' } }]);
    expect(rig.ofType("tool_call_edit").length).toBe(1);
  });

  test("a cancelled tool call is words, and the turn ends", async () => {
    rig = await openRig([BASH]);
    await rig.command("breakpoint", { action: "add", on: "tool", name: "bash" });
    const got = askModel(rig, HI);
    const stop = await rig.stopped();
    const tool = rig.bridge.stops.find(({ id }) => id === stop)?.tool;
    await rig.command("cancel_tool", { toolId: tool?.id, reason: "not that" });
    const { calls, said, stop: reason } = await got;
    expect(calls).toEqual([]);
    expect(said).toContain("I will look.");
    expect(said).toContain("[The call of tool bash was cancelled before it ran: not that]");
    expect(reason).toBe(end);
  });

  test("of three calls each is decided for itself, and their order stays", async () => {
    const tools = ["a", "b", "c"].map((command) => ({ name: "bash", input: { command } }));
    rig = await openRig([{ text: "All three.", tools }]);
    await rig.command("breakpoint", { action: "add", on: "tool", name: "bash" });
    const got = askModel(rig, HI);
    const held = async () => {
      const id = await rig?.stopped();
      const stop = rig?.bridge.stops.find((one) => one.id === id);
      return { stop: id, toolId: stop?.tool?.id };
    };
    await rig.command("resume", { stop: (await held()).stop });
    await rig.command("cancel_tool", { toolId: (await held()).toolId });
    const { stop, toolId } = await held();
    await rig.command("edit_tool", { toolId, input: { command: "C" } });
    await rig.command("resume", { stop });
    const { calls } = await got;
    expect(calls.map(({ input }) => input)).toEqual([{ command: "a" }, { command: "C" }]);
  });

  test("held and released unchanged, it is what it was", async () => {
    rig = await openRig([BASH]);
    await rig.command("breakpoint", { action: "add", on: "tool", name: "bash" });
    const got = askModel(rig, HI);
    await rig.stopped();
    await rig.command("resume");
    const { calls, said } = await got;
    expect(said).toBe("I will look.");
    expect(calls).toMatchObject([{ name: "bash", input: { command: "rm -rf /" } }]);
  });

  test("an injected message is in the next request, and at the same place in every later one", async () => {
    rig = await openRig([{ text: "one" }, { text: "two" }, { text: "three" }]);
    await rig.command("inject_message", { role: "user", content: "use pnpm" });
    const talk = [...HI];
    for (const answer of ["one", "two", "three"]) {
      expect((await askModel(rig, talk)).said).toBe(answer);
      talk.push({ role: "assistant", content: answer }, { role: "user", content: `after ${answer}` });
    }
    const outlines = rig.provider.calls.map(({ outline }) => outline);
    expect(outlines).toEqual([
      ["user: hi", "user: use pnpm"],
      ["user: hi", "user: use pnpm", "assistant: one", "user: after one"],
      [
        "user: hi",
        "user: use pnpm",
        "assistant: one",
        "user: after one",
        "assistant: two",
        "user: after two",
      ],
    ]);
    expect(rig.ofType("injected")).toMatchObject([{ role: "user", content: "use pnpm", req: 1 }]);
    // Recorded as the client wrote it, and as it was sent.
    const bodies = (type: string) =>
      rig?.ofType(type).map(({ body }) => rig?.log.blobs.readBody(body as StoredBody).includes("use pnpm"));
    expect(bodies("api_request")).toEqual([false, false, false]);
    expect(bodies("api_request_edit")).toEqual([true, true, true]);
    expect(rig.ofType("api_request_edit").map(({ req }) => req)).toEqual([1, 2, 3]);
  });

  test("a value that is set is what the provider gets", async () => {
    rig = await openRig([{ text: "one" }]);
    await rig.command("set_variable", { key: "model", value: "another" });
    await askModel(rig, HI);
    expect(rig.provider.calls[0]?.body.model).toBe("another");
  });

  test("a held call can be answered for the model, and never reaches it", async () => {
    rig = await openRig([]);
    await rig.command("pause");
    const got = askModel(rig, HI);
    const stop = await rig.stopped();
    await rig.command("kill_call", { stop, text: "That is enough." });
    expect(await got).toEqual({ said: "That is enough.", calls: [], stop: end });
    expect(rig.provider.requests).toEqual([]);
  });

  test("a held call can be failed, and is not tried again", async () => {
    rig = await openRig([]);
    await rig.command("pause");
    const got = askModel(rig, HI);
    const stop = await rig.stopped();
    await rig.command("kill_call", { stop });
    await expect(got).rejects.toMatchObject({ status: 400 });
    expect(rig.provider.requests).toEqual([]);
  });
});

describe("retries", () => {
  test("one whose client gave up joins the same stop", async () => {
    rig = await openRig([{ text: "hello" }]);
    await rig.command("pause");
    const body = JSON.stringify({ model: "m", messages: HI, tools: [{ name: "bash" }] });
    const leave = new AbortController();
    const first = ask(`${rig.proxy.url}/v1/messages`, { body, signal: leave.signal });
    const stop = await rig.stopped();
    leave.abort();
    await expect(first).rejects.toThrow();
    await expect.poll(() => rig?.bridge.stops[0]?.orphaned).toBe(true);
    const second = ask(`${rig.proxy.url}/v1/messages`, { body, headers: { "x-stainless-retry-count": "1" } });
    await expect.poll(() => rig?.bridge.stops[0]?.orphaned).toBeUndefined();
    expect(rig.bridge.stops.map(({ id }) => id)).toEqual([stop]);
    expect(rig.provider.requests).toEqual([]);
    await rig.command("resume");
    expect((await second).text).toContain("hello");
    expect(rig.provider.calls.length).toBe(1);
  });

  test("after a 529 the SDK's own retry passes, with what was injected", async () => {
    rig = await openRig([{ error: { status: 529, headers: { "retry-after-ms": "1" } } }, { text: "now" }]);
    await rig.command("inject_message", { content: "use pnpm" });
    const client = new Anthropic({ ...KEY, maxRetries: 2, baseURL: rig.proxy.url });
    const answer = await client.messages.create({ model: "m", max_tokens: 5, messages: HI });
    expect(answer.content).toMatchObject([{ text: "now" }]);
    expect(rig.provider.calls.map(({ outline }) => outline)).toEqual([
      ["user: hi", "user: use pnpm"],
      ["user: hi", "user: use pnpm"],
    ]);
    expect(rig.ofType("api_request")[1]).toMatchObject({ retryOf: 1 });
  });
});

describe("what a person may change while a call is held", () => {
  test("the whole body; what was injected before stays where it was", async () => {
    rig = await openRig([{ text: "one" }, { text: "two" }]);
    const body = (messages: object[]) => JSON.stringify({ model: "m", messages });
    const url = `${rig.proxy.url}/v1/messages`;
    await rig.command("inject_message", { content: "use pnpm" });
    await ask(url, { body: body(HI) });
    await rig.command("pause");
    const talk = [...HI, { role: "assistant", content: "one" }, { role: "user", content: "and?" }];
    const answer = ask(url, { body: body(talk) });
    const stop = await rig.stopped();
    const shown = await rig.command("inspect", { what: "request" });
    const request = shown.request as { messages: { content: string }[] };
    expect(request.messages.map(({ content }) => content)).toEqual(["hi", "use pnpm", "one", "and?"]);
    const messages = request.messages.with(3, { ...request.messages[3], content: "and now?" });
    await rig.command("edit_request", { stop, body: { ...request, messages } });
    await rig.command("resume");
    expect((await answer).status).toBe(200);
    expect(rig.provider.calls[1]?.outline).toEqual([
      "user: hi",
      "user: use pnpm",
      "assistant: one",
      "user: and now?",
    ]);
  });

  test("an injection whose message is gone is lost, and that is recorded", async () => {
    rig = await openRig([{ text: "one" }, { text: "two" }]);
    const client = new Anthropic({ ...KEY, baseURL: rig.proxy.url });
    await rig.command("inject_message", { content: "use pnpm" });
    await client.messages.create({ model: "m", max_tokens: 5, messages: HI });
    await client.messages.create({
      model: "m",
      max_tokens: 5,
      messages: [{ role: "user", content: "Summary: …" }],
    });
    expect(rig.provider.calls[1]?.outline).toEqual(["user: Summary: …"]);
    expect(rig.ofType("anchor_lost")).toMatchObject([{ id: "i1", agent: "main" }]);
  });
});

describe("what the next request tells", () => {
  test("results of tools, by their calls", async () => {
    rig = await openRig([
      { tools: [{ id: "t1", name: "bash", input: { command: "ls" } }] },
      { text: "done" },
    ]);
    const client = new Anthropic({ ...KEY, baseURL: rig.proxy.url });
    const first = await client.messages.create({ model: "m", max_tokens: 5, messages: HI });
    const result = { type: "tool_result", tool_use_id: "t1", content: "a.txt", is_error: false };
    const messages = [
      ...HI,
      { role: "assistant", content: first.content },
      { role: "user", content: [result] },
    ];
    await client.messages.create({ model: "m", max_tokens: 5, messages });
    expect(rig.ofType("tool_result")).toMatchObject([
      { toolId: "t1", name: "bash", content: "a.txt", isError: false },
    ]);
    expect(rig.ofType("tool_call_end").length).toBe(1);
    await expect.poll(() => rig?.ofType("turn_end").length).toBe(1);
  });

  test("sub-agents of Claude Code are told apart, and what is auxiliary is not held", async () => {
    rig = await openRig((seen: Seen) => ({ text: seen.header("x-claude-code-agent-id") ?? "main" }));
    const call = (extra: Record<string, string>, tools: object[] = [{ name: "bash" }]) =>
      ask(`${rig?.proxy.url}/v1/messages`, {
        headers: { "x-claude-code-session-id": "s", ...extra },
        body: JSON.stringify({ model: "m", max_tokens: 32000, messages: HI, tools }),
      });
    await call({});
    await call({ "x-claude-code-agent-id": "a7", "x-claude-code-agent-type": "Explore" });
    await rig.command("pause");
    await call({ "x-claude-code-request-class": "auxiliary" });
    await ask(`${rig.proxy.url}/v1/messages`, {
      headers: { "x-claude-code-session-id": "s" },
      body: JSON.stringify({ model: "m", system: "Write a title for this session.", messages: HI }),
    });
    expect(rig.ofType("api_request").map((data) => [data.agent, data.class])).toEqual([
      ["main", "main"],
      ["a7", "subagent"],
      ["main", "auxiliary"],
      ["main", "auxiliary"],
    ]);
    expect(rig.ofType("agent_start")).toMatchObject([{ agent: "a7", parent: "main", name: "Explore" }]);
  });
});

describe("while a call is held", () => {
  const quick = { keepAlive: "ping" as const, keepAliveAfterMs: 20, keepAliveEveryMs: 20 };

  test.each(CLIENTS)(
    "$name hears of it in its own way and then gets its answer",
    async ({ ask: askModel }) => {
      rig = await openRig([BASH], quick);
      await rig.command("pause");
      await rig.command("breakpoint", { action: "add", on: "tool", name: "bash" });
      const got = askModel(rig, HI);
      await rig.stopped();
      await new Promise((later) => setTimeout(later, 150)); // several beats
      await rig.command("resume");
      await rig.stopped();
      await new Promise((later) => setTimeout(later, 100));
      await rig.command("resume");
      expect((await got).calls).toMatchObject([{ name: "bash" }]);
    },
  );

  test("pings come for Anthropic, comments for OpenAI, white space where the answer is whole", async () => {
    rig = await openRig([{ text: "a" }, { text: "b" }, { text: "c" }], quick);
    const held = async (path: string, body: object) => {
      await rig?.command("pause");
      const answer = ask(`${rig?.proxy.url}${path}`, { body: JSON.stringify({ messages: HI, ...body }) });
      await rig?.stopped();
      await new Promise((later) => setTimeout(later, 100));
      await rig?.command("resume");
      return answer;
    };
    const pings = await held("/v1/messages", { stream: true });
    expect(pings.text).toMatch(/^(event: ping\ndata: \{"type":"ping"\}\n\n){2,}event: message_start/);
    const comments = await held("/v1/chat/completions", { stream: true, n: 2 });
    expect(comments.text).toMatch(/^(: held\n\n){2,}data: /);
    const spaces = await held("/v1/messages", { n: 3 });
    expect(spaces.text).toMatch(/^ {2,}\{/);
    expect(JSON.parse(spaces.text)).toMatchObject({ content: [{ text: "c" }] });
  });

  test("an error that comes too late for a status is no answer either: the connection is lost, and a retry gets it", async () => {
    rig = await openRig([{ error: 429 }, { text: "fine" }], quick);
    const body = JSON.stringify({ messages: HI });
    await rig.command("pause");
    const first = ask(`${rig.proxy.url}/v1/messages`, { body }).catch((thrown: Error) => thrown);
    await rig.stopped();
    await new Promise((later) => setTimeout(later, 100));
    await rig.command("resume");
    expect(await first).toBeInstanceOf(Error);
    expect(rig.ofType("api_error")).toMatchObject([{ status: 429, forwardedAs: "a lost connection" }]);
    expect(await ask(`${rig.proxy.url}/v1/messages`, { body })).toMatchObject({ status: 200 });
  });

  test("a call that is killed late is not sent by a retry", async () => {
    rig = await openRig([{ text: "must not be asked" }], quick);
    const body = JSON.stringify({ messages: HI });
    await rig.command("pause");
    const first = ask(`${rig.proxy.url}/v1/messages`, { body }).catch((thrown: Error) => thrown);
    await rig.stopped();
    await new Promise((later) => setTimeout(later, 100));
    await rig.command("kill_call");
    expect(await first).toBeInstanceOf(Error);
    await rig.command("resume");
    expect(await ask(`${rig.proxy.url}/v1/messages`, { body })).toMatchObject({ status: 400 });
    expect(rig.provider.calls).toHaveLength(0);
  });

  test("an error that comes too late for a status is said in the stream", async () => {
    rig = await openRig([{ error: 529 }], quick);
    await rig.command("pause");
    const answer = ask(`${rig.proxy.url}/v1/messages`, {
      body: JSON.stringify({ stream: true, messages: HI }),
    });
    await rig.stopped();
    await new Promise((later) => setTimeout(later, 100));
    await rig.command("resume");
    const { status, text } = await answer;
    expect(status).toBe(200);
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"overloaded_error"');
    expect(rig.ofType("api_error")).toMatchObject([{ status: 529, forwardedAs: "an error in the stream" }]);
  });
});
