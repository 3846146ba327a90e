/** What else can be asked of a run; every command is answered. */
import { describe, expect, test } from "vitest";
import { aBridge, isPending, LAST_ANSWER, modelCall, TOOL_ANSWER, toolCall } from "./a-bridge.ts";

async function heldTool(tried: ReturnType<typeof aBridge>, id = "t1") {
  await tried.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
  const decision = tried.bridge.beforeTool(toolCall(id, "bash", { command: "rm -rf /" }));
  expect(await isPending(decision)).toBe(true);
  return { one: decision };
}

describe("a held tool call", () => {
  test("that is cancelled is not run", async () => {
    const tried = aBridge();
    const decision = await heldTool(tried);
    expect(await tried.ask("cancel_tool", { toolId: "t1", reason: "too dangerous" })).toMatchObject({
      ok: true,
      data: { was: "held" },
    });
    expect(await decision.one).toMatchObject({ do: "cancel", reason: "too dangerous" });
    expect(tried.of("tool_call_cancel")).toMatchObject([{ toolId: "t1", reason: "too dangerous" }]);
    expect(await tried.ask("cancel_tool", { toolId: "t1" })).toMatchObject({ ok: false });
  });

  test("that is edited runs with the other input; asked again, the same is answered", async () => {
    const tried = aBridge();
    const decision = await heldTool(tried);
    await tried.ask("edit_tool", { toolId: "t1", input: { command: "ls" } });
    expect(await isPending(decision.one)).toBe(true);
    await tried.ask("resume");
    const decided = { do: "run", edited: true, input: { command: "ls" } };
    expect(await decision.one).toMatchObject(decided);
    const again = tried.bridge.beforeTool({
      ...toolCall("t1", "bash", { command: "rm -rf /" }),
      source: "hook",
    });
    expect(await again).toMatchObject(decided);
    expect(tried.of("tool_call_start")).toHaveLength(1);
    expect(tried.of("tool_call_edit")).toMatchObject([{ after: '{"command":"ls"}' }]);
  });

  test("that is joined by a second asker is one stop, and both get the decision", async () => {
    const tried = aBridge();
    const first = await heldTool(tried);
    const second = tried.bridge.beforeTool(toolCall("t1", "bash", { command: "rm -rf /" }));
    expect(tried.bridge.stops).toHaveLength(1);
    await tried.ask("edit_tool", { toolId: "t1", input: { command: "pwd" }, resume: true });
    expect(await first.one).toEqual(await second);
  });

  test("that runs in the agent's own process can still be broken off", async () => {
    const { bridge, ask } = aBridge();
    const decision = await bridge.beforeTool(toolCall("t1", "bash", {}));
    if (decision.do !== "run") throw new Error("not run");
    await ask("cancel_tool", { toolId: "t1" });
    expect(decision.signal.aborted).toBe(true);
  });

  test("that was edited or cancelled when the run was recorded is so again", async () => {
    const decided = new Map([
      ["t1", { input: { command: "ls" } }],
      ["t2", { cancelled: "too dangerous" }],
    ]);
    const { bridge, of } = aBridge({ decided });
    expect(bridge.watchesTools({ id: "main" })).toBe(true);
    const first = await bridge.beforeTool(toolCall("t1", "bash", { command: "rm" }));
    expect(first).toMatchObject({ do: "run", edited: true, input: { command: "ls" } });
    const second = await bridge.beforeTool(toolCall("t2", "bash", { command: "rm" }));
    expect(second).toMatchObject({ do: "cancel", reason: "too dangerous" });
    expect(of("tool_call_edit")).toHaveLength(1);
    expect(of("tool_call_cancel")).toHaveLength(1);
  });

  test("is another one if its id comes again for something else, or after it has ended", async () => {
    const tried = aBridge();
    const first = await heldTool(tried);
    await tried.ask("edit_tool", { toolId: "t1", input: { command: "pwd" }, resume: true });
    await first.one;
    const { bridge, of } = tried;
    expect(await isPending(bridge.beforeTool(toolCall("t1", "bash", { command: "other" })))).toBe(true);
    expect(bridge.stops).toMatchObject([{ tool: { input: { command: "other" } } }]);
    await tried.ask("resume");
    bridge.afterTool({ id: "t1", name: "bash", text: "", isError: false });
    expect(await isPending(bridge.beforeTool(toolCall("t1", "bash", { command: "other" })))).toBe(true);
    expect(of("tool_call_start")).toHaveLength(3);
  });

  test("takes its time from when the answer is whole; the model's does not have what was held", async () => {
    const { bridge, ask, of } = aBridge();
    await bridge.beforeModel(modelCall(1));
    await ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    const held = bridge.beforeTool({ ...toolCall("t1", "bash", {}), source: "proxy", req: 1 });
    await new Promise((resolve) => setTimeout(resolve, 40));
    await ask("resume");
    await held;
    bridge.afterModel(1, TOOL_ANSWER, { durationMs: 1040 });
    const [{ durationMs } = {}] = of("api_response");
    expect(durationMs).toBeLessThan(1005);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  test("that is unknown is named, with those that are held", async () => {
    const tried = aBridge();
    await heldTool(tried);
    expect(await tried.ask("cancel_tool", { toolId: "nope" })).toMatchObject({
      ok: false,
      error: { code: "BAD_ARGUMENT", hint: "held now: t1" },
    });
  });
});

describe("a held model call", () => {
  test("takes injected messages along, and set values with every call from then on", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("pause");
    const decision = bridge.beforeModel(modelCall(1));
    expect(await ask("inject_message", { role: "user", content: "be careful" })).toMatchObject({
      data: { id: "i1", goesWith: "the held call (s1)" },
    });
    await ask("set_variable", { key: "temperature", value: 0 });
    await ask("resume");
    const injected = { id: "i1", role: "user", content: "be careful" };
    expect(await decision).toMatchObject({ inject: [injected], set: { temperature: 0 } });
    expect(bridge.ledgerFor({ id: "main" })).toMatchObject([injected]);
    expect(await bridge.beforeModel(modelCall(2))).toMatchObject({ inject: [], set: { temperature: 0 } });
    expect(of("injected")).toMatchObject([{ id: "i1", req: 1 }]);
    bridge.anchorLost("i1");
    expect(bridge.ledgerFor({ id: "main" })).toEqual([]);
    expect(of("anchor_lost")).toMatchObject([{ id: "i1" }]);
  });

  test("can be sent with another body, answered, or failed", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const calls = [1, 2, 3].map((n) => bridge.beforeModel(modelCall(1, { agent: { id: `a${n}` } })));
    expect(await ask("edit_request", { body: {} })).toMatchObject({
      ok: false,
      error: { hint: "name one of them as `stop`" },
    });
    await ask("edit_request", { stop: "s1", body: { model: "other" }, resume: true });
    await ask("kill_call", { stop: "s2", text: "enough" });
    await ask("kill_call", { stop: "s3" });
    expect(await Promise.all(calls)).toMatchObject([
      { do: "send", body: '{"model":"other"}' },
      { do: "answer", text: "enough" },
      { do: "fail" },
    ]);
  });
});

describe("inspect", () => {
  test("shows what is about to be sent", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    void bridge.beforeModel(modelCall(2));
    const all = await ask("inspect");
    expect(all).toMatchObject({
      ok: true,
      data: {
        iteration: 1,
        paused: true,
        messages: {
          count: 3,
          roles: { user: 2, assistant: 1 },
          recent: [{ role: "user", preview: "do it" }, {}, {}],
        },
        tools: { enabled: ["bash"], count: 1 },
        provider: { name: "test", model: "m" },
      },
    });
    expect(await ask("inspect", { what: "system" })).toMatchObject({ data: { system: "be good" } });
    expect(await ask("inspect", { what: "request" })).toMatchObject({
      data: { request: { messages: [{}, {}, {}] } },
    });
  });

  test("names what a person has changed about the held call", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    void bridge.beforeModel(modelCall(1));
    await ask("inject_message", { content: "hello" });
    await ask("set_variable", { key: "temperature", value: 0 });
    const changes = {
      injected: [{ role: "user", content: "hello" }],
      set: { temperature: 0 },
      replaced: false,
    };
    expect(await ask("inspect", { what: "request" })).toMatchObject({ data: { changes } });
    await ask("edit_request", { body: { model: "other" } });
    expect(await ask("inspect", { what: "request" })).toMatchObject({
      data: { request: { model: "other" }, changes: { replaced: true, set: {} } },
    });
  });

  test("diff names what the last request added", async () => {
    const { bridge, ask } = aBridge();
    await bridge.beforeModel(modelCall(1));
    bridge.modelFailed(1, { type: "x", message: "x" });
    await bridge.beforeModel(modelCall(2));
    expect(await ask("inspect", { what: "diff" })).toMatchObject({
      data: {
        diff: { sameMessages: 1, removed: [], added: [{ role: "assistant" }, { role: "user" }], params: {} },
      },
    });
  });
});

describe("the rest", () => {
  test("wait answers when something is held", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const answer = ask("wait");
    expect(await isPending(answer)).toBe(true);
    void bridge.beforeModel(modelCall(1));
    expect(await answer).toMatchObject({ ok: true, data: { stops: [{ id: "s1" }], ended: false } });
    expect(await ask("wait", { timeoutMs: 0 })).toMatchObject({ data: { stops: [{ id: "s1" }] } });
  });

  test("wait answers when a step ends with its turn: nothing is held, the next call will be", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const call = bridge.beforeModel(modelCall(1));
    await ask("step");
    await call;
    const answer = ask("wait");
    expect(await isPending(answer)).toBe(true);
    bridge.afterModel(1, LAST_ANSWER, { durationMs: 1 });
    expect(await answer).toMatchObject({ ok: true, data: { paused: true, stops: [] } });
  });

  test("variables of a library agent are set by its own rules", async () => {
    let limit = 5;
    const variables = {
      limit: {
        get: () => limit,
        set: (value: unknown) => {
          limit = Number(value);
        },
      },
    };
    const { ask } = aBridge({ variables });
    expect(await ask("set_variable", { key: "limit", value: 9 })).toMatchObject({
      data: { before: 5, value: 9 },
    });
    expect(limit).toBe(9);
    expect(await ask("set_variable", { key: "other", value: 9 })).toMatchObject({ ok: false });
  });

  test("what a client keeps to itself cannot be rewound", async () => {
    const { ask } = aBridge();
    expect(await ask("checkpoint")).toMatchObject({ ok: false, error: { code: "UNSUPPORTED" } });
  });

  test("unknown commands and bad data are answered, and later ones still work", async () => {
    const { ask, of } = aBridge();
    expect(await ask("constructor")).toMatchObject({ ok: false, error: { code: "UNKNOWN_COMMAND" } });
    expect(await ask("step", { kind: "sideways" })).toMatchObject({
      ok: false,
      error: { code: "BAD_ARGUMENT" },
    });
    expect(await ask("pause", { colour: "red" })).toMatchObject({ ok: false });
    expect(await ask("pause")).toMatchObject({ ok: true });
    expect(of("command_response").map(({ ok }) => ok)).toEqual([false, false, false, true]);
    expect(of("command_executed")).toMatchObject([{ type: "pause", commandId: "t4" }]);
  });

  test("a sonde command is linked with the tool call that runs it", async () => {
    const { bridge, ask, of } = aBridge();
    await bridge.beforeTool(toolCall("t1", "bash", { command: "sonde start app.js" }));
    await bridge.beforeTool(toolCall("t2", "read", { path: "x" }));
    await ask("sonde_call", { argv: ["start", "app.js"], session: "app" });
    expect(of("sonde_call")).toMatchObject([{ toolId: "t1", session: "app" }]);
  });
});
