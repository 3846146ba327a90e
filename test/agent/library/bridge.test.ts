/** The bridge in an agent's own loop: each control is shown by what the provider was sent and which tools ran. */
import { afterEach, describe, expect, test } from "vitest";
import type { Provider } from "../provider/index.mjs";
import { Anthropic } from "../sdks.ts";
import { type Controlled, cleanUp, control, provide } from "./support.ts";

afterEach(cleanUp);

interface Message {
  role: string;
  content: unknown;
}

interface Loop {
  messages: Message[];
  /** Inputs with which the tool ran. */
  ran: unknown[];
  done: Promise<void>;
}

/** A loop as people write it. */
function loop({ bridge }: Controlled, provider: Provider, prompt: string): Loop {
  const client = new Anthropic({ baseURL: provider.url, apiKey: "none", maxRetries: 0 });
  const messages: Message[] = [{ role: "user", content: prompt }];
  const ran: unknown[] = [];
  bridge.conversation(messages);
  const run = async () => {
    for (;;) {
      const request = {
        model: "claude-opus-4-8",
        max_tokens: 1000,
        system: "Be brief.",
        tools: [],
        messages,
      };
      const answer = await bridge.model(request, (sent) => client.messages.stream(sent).finalMessage());
      messages.push({ role: "assistant", content: answer.content });
      const results = [];
      for (const block of answer.content.filter(({ type }) => type === "tool_use")) {
        const { id, name, input } = block as unknown as { id: string; name: string; input: unknown };
        const outcome = await bridge.tool({ id, name, input }, (given) => {
          ran.push(given);
          return `ran ${JSON.stringify(given)}`;
        });
        const content = outcome.cancelled ? outcome.reason : outcome.value;
        results.push({ type: "tool_result", tool_use_id: id, content, is_error: outcome.cancelled });
      }
      if (results.length === 0) return;
      messages.push({ role: "user", content: results });
    }
  };
  return { messages, ran, done: run() };
}

const bash = (command: string) => ({ tools: [{ name: "bash", input: { command } }] });

describe("model calls", () => {
  test("a paused agent sends nothing, and resumes with the same call", async () => {
    const provider = await provide({ script: [{ text: "Hello." }] });
    const controlled = await control({ paused: true });
    const { done } = loop(controlled, provider, "hi");
    const stop = await controlled.stop();
    expect(stop).toMatchObject({ reason: "pause", at: "model", iteration: 1 });
    await controlled.ask("inspect");
    expect(provider.requests).toHaveLength(0);
    await controlled.ask("resume");
    await done;
    expect(provider.calls).toHaveLength(1);
    const types = controlled.events().map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining([
        "session_start",
        "turn_start",
        "user_input",
        "api_request",
        "paused",
        "resumed",
        "api_response",
        "assistant_text",
        "turn_end",
      ]),
    );
  });

  test("what is injected stays where it was put", async () => {
    const provider = await provide({ script: [bash("one"), bash("two"), { text: "Done." }] });
    const controlled = await control({ paused: true });
    const { done, messages } = loop(controlled, provider, "hi");
    await controlled.stop();
    await controlled.ask("step");
    await controlled.stop();
    await controlled.ask("inject_message", { role: "user", content: "Look at b.txt, too." });
    await controlled.ask("resume");
    await done;
    const [first, second, third] = provider.calls.map(({ outline }) => outline);
    expect(first).toEqual(["user: hi"]);
    expect(second?.at(-1)).toBe("user: Look at b.txt, too.");
    expect(third?.slice(0, second?.length)).toEqual(second);
    expect(messages[3]).toEqual({ role: "user", content: "Look at b.txt, too." });
    expect(controlled.events("injected")).toHaveLength(1);
    expect(controlled.events("api_request_edit")).toHaveLength(1);
  });

  test("a request can be edited, answered in the model's place, and refused", async () => {
    const provider = await provide({ script: [{ text: "To the edited one." }] });
    const edited = await control({ paused: true });
    const one = loop(edited, provider, "hi");
    await edited.stop();
    const { request } = await edited.ask("inspect", { what: "request" });
    const body = { ...(request as object), messages: [{ role: "user", content: "something else" }] };
    await edited.ask("edit_request", { body });
    await edited.ask("resume");
    await one.done;
    expect(provider.calls[0]?.outline).toEqual(["user: something else"]);
    expect(one.messages[0]).toEqual({ role: "user", content: "something else" });

    const answered = await control({ paused: true });
    const two = loop(answered, provider, "hi");
    await answered.stop();
    await answered.ask("kill_call", { text: "Said by a person." });
    await two.done;
    expect(two.messages.at(-1)?.content).toEqual([{ type: "text", text: "Said by a person." }]);

    const refused = await control({ paused: true });
    const three = loop(refused, provider, "hi");
    await refused.stop();
    const failing = expect(three.done).rejects.toMatchObject({ code: "CANCELLED" });
    await refused.ask("kill_call");
    await failing;
    expect(provider.calls).toHaveLength(1);
  });

  test("values at the top of requests can be set", async () => {
    const provider = await provide({ script: [{ text: "Hello." }] });
    const controlled = await control({ paused: true });
    const { done } = loop(controlled, provider, "hi");
    await controlled.stop();
    await controlled.ask("set_variable", { key: "model", value: "claude-sonnet-5" });
    await controlled.ask("resume");
    await done;
    expect(provider.calls[0]?.body).toMatchObject({ model: "claude-sonnet-5", max_tokens: 1000 });
  });

  test("an agent's own variables are set as it says", async () => {
    let limit = 5;
    const variables = {
      limit: {
        get: () => limit,
        set: (value: unknown) => {
          if (typeof value !== "number") throw new Error("limit takes a number");
          limit = value;
        },
      },
    };
    const { ask, bridge, root } = await control({ variables });
    await expect(ask("set_variable", { key: "limit", value: 9 })).resolves.toMatchObject({
      before: 5,
      value: 9,
    });
    expect(limit).toBe(9);
    expect([bridge.enabled, root]).toEqual([true, expect.any(String)]);
  });

  test("a failure of the provider is recorded and thrown", async () => {
    const provider = await provide({ script: [{ error: 529 }] });
    const controlled = await control();
    await expect(loop(controlled, provider, "hi").done).rejects.toMatchObject({ status: 529 });
    expect(controlled.events("api_error")[0]?.data).toMatchObject({
      status: 529,
      errorType: "overloaded_error",
    });
  });
});

describe("tools", () => {
  test("a held call is edited, another cancelled", async () => {
    const provider = await provide({ script: [bash("rm -r build"), bash("rm -r src"), { text: "Done." }] });
    const controlled = await control();
    await controlled.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    const { done, ran } = loop(controlled, provider, "clean up");
    await expect(controlled.stop()).resolves.toMatchObject({
      at: "tool",
      tool: { input: { command: "rm -r build" } },
    });
    await controlled.ask("edit_tool", { toolId: "toolu_0001", input: { command: "ls build" } });
    await controlled.ask("resume");
    const second = await controlled.stop();
    expect(second).toMatchObject({ tool: { id: "toolu_0002" } });
    await controlled.ask("cancel_tool", { toolId: "toolu_0002", reason: "not the sources" });
    await done;
    expect(ran).toEqual([{ command: "ls build" }]);
    expect(provider.calls[2]?.outline.at(-1)).toBe("user: [result toolu_0002 failed not the sources]");
    expect(controlled.events("tool_call_edit", "tool_call_cancel")).toHaveLength(2);
  });

  test("parallel calls are held one by one", async () => {
    const both = { tools: ["a", "b"].map((path) => ({ name: "read", input: { path } })) };
    const provider = await provide({ script: [both, { text: "Done." }] });
    const controlled = await control();
    await controlled.ask("breakpoint", { action: "add", on: "pattern", regex: '"b"' });
    const { done, ran } = loop(controlled, provider, "read both");
    await expect(controlled.stop()).resolves.toMatchObject({ tool: { input: { path: "b" } } });
    expect(ran).toEqual([{ path: "a" }]);
    await controlled.ask("resume");
    await done;
    expect(ran).toHaveLength(2);
  });

  test("one that runs is broken off, if it listens", async () => {
    const { bridge, ask } = await control();
    let started: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const outcome = bridge.tool({ id: "t1", name: "sleep", input: {} }, (_, { signal }) => {
      started();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    await running;
    await ask("cancel_tool", { toolId: "t1", reason: "takes too long" });
    await expect(outcome).resolves.toEqual({ cancelled: true, reason: "takes too long" });
  });

  test("what a tool throws is recorded and thrown", async () => {
    const { bridge, events } = await control();
    const failing = bridge.tool({ id: "t1", name: "read", input: {} }, () => {
      throw new Error("no such file");
    });
    await expect(failing).rejects.toThrow("no such file");
    await bridge.close();
    expect(events("tool_result")[0]?.data).toMatchObject({ isError: true, content: "no such file" });
  });
});

describe("the conversation", () => {
  test("goes back to a checkpoint while a call is held", async () => {
    const provider = await provide({ script: [bash("one"), bash("two"), { text: "Done." }] });
    const controlled = await control({ paused: true });
    const { done, messages } = loop(controlled, provider, "hi");
    await controlled.stop();
    const { checkpoint } = await controlled.ask("checkpoint", { label: "start" });
    await controlled.ask("step");
    await controlled.stop();
    expect(messages).toHaveLength(3);
    await controlled.ask("rewind", { checkpoint });
    await controlled.ask("resume");
    await done;
    expect(provider.calls.map(({ outline }) => outline.length)).toEqual([1, 1, 3]);
    expect(provider.calls[1]?.outline).toEqual(["user: hi"]);
  });

  test("asked for while a tool runs, it goes back before the next call", async () => {
    const provider = await provide({ script: [bash("one"), { text: "Done." }] });
    const controlled = await control();
    await controlled.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    const { done } = loop(controlled, provider, "hi");
    await controlled.stop();
    await controlled.ask("rewind", { checkpoint: "c1" });
    await controlled.ask("resume");
    await done;
    expect(provider.calls[1]?.outline).toEqual(["user: hi"]);
  });

  test("branches, and never keeps a call without its result", async () => {
    const { bridge } = await control();
    const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "a", input: {} }] };
    const messages: unknown[] = [{ role: "user", content: "hi" }, call];
    const conversation = bridge.conversation(messages);
    const id = conversation.checkpoint("now");
    const branch = conversation.branch(id);
    branch.messages.push({ role: "user", content: "another way" });
    expect(branch.messages).toEqual([
      { role: "user", content: "hi" },
      { role: "user", content: "another way" },
    ]);
    expect(messages).toHaveLength(2);
    expect(conversation.checkpoints).toEqual([{ id: "c1", label: "now", messages: 1 }]);
    const left = conversation.rewind("now");
    expect(messages).toHaveLength(1);
    expect(left).toBe("c2");
  });
});

test("a sub-agent is held by itself", async () => {
  const { bridge, ask, stop, events } = await control();
  await ask("breakpoint", { action: "add", on: "subagent" });
  const request = { model: "claude-opus-4-8", max_tokens: 10, messages: [{ role: "user", content: "look" }] };
  const answer = {
    type: "message",
    content: [{ type: "text", text: "Seen." }],
    stop_reason: "end_turn",
    usage: {},
  };
  const agent = { id: "helper", parent: "main", name: "looker" };
  const helper = bridge.model(request, async () => answer, { agent });
  await expect(stop()).resolves.toMatchObject({ agent, at: "model" });
  // The main agent goes on, and so does a title that somebody wants meanwhile.
  await expect(bridge.model(request, async () => answer)).resolves.toBe(answer);
  await expect(bridge.model(request, async () => answer, { agent, class: "auxiliary" })).resolves.toBe(
    answer,
  );
  expect(bridge.heldMs()).toBe(0);
  expect(bridge.heldMs("helper")).toBeGreaterThan(0);
  await ask("resume");
  await expect(helper).resolves.toBe(answer);
  bridge.turnEnded("helper");
  expect(events("agent_start", "agent_end").map(({ data }) => data.agent)).toEqual(["helper", "helper"]);
});

test("time that an agent is held does not count", async () => {
  const controlled = await control({ paused: true });
  const provider = await provide();
  const { done } = loop(controlled, provider, "hi");
  await controlled.stop();
  const { bridge } = controlled;
  const before = bridge.now();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(bridge.now() - before).toBeLessThan(20);
  expect(bridge.heldMs()).toBeGreaterThan(190);
  await controlled.ask("resume");
  await done;
  expect(bridge.heldMs()).toBeGreaterThan(190);
});

test("an answer's cost, tokens and text are recorded", async () => {
  const provider = await provide({
    script: [{ thinking: "Hm.", text: "Hello.", usage: { cacheRead: 900 } }],
  });
  const controlled = await control();
  await loop(controlled, provider, "hi").done;
  await controlled.bridge.close();
  const [response] = controlled.events("api_response");
  expect(response?.data).toMatchObject({
    req: 1,
    stopReason: "end_turn",
    usage: { inputTokens: 1000, outputTokens: 20, cacheReadTokens: 900 },
  });
  expect(controlled.events("session_end")).toHaveLength(1);
});
