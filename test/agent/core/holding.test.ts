/** Pause, resume and step: what is held, what goes on, and what is said of it. */
import { describe, expect, test } from "vitest";
import { aBridge, isPending, LAST_ANSWER, modelCall, TOOL_ANSWER, toolCall } from "./a-bridge.ts";

describe("a run that nobody stops", () => {
  test("goes through at once, and is recorded in turns and iterations", async () => {
    const { bridge, of, types } = aBridge();
    for (const n of [1, 2]) {
      const decision = await bridge.beforeModel(modelCall(n));
      expect(decision).toMatchObject({ do: "send", req: n, inject: [], set: {}, heldMs: 0 });
      bridge.afterModel(n, n === 1 ? TOOL_ANSWER : LAST_ANSWER, { durationMs: 5 });
    }
    await bridge.beforeModel(modelCall(1, { key: "next", words: "and now?" }));
    expect(
      of("api_request").map(({ turn, iteration, totalIterations }) => [turn, iteration, totalIterations]),
    ).toEqual([
      [1, 1, 1],
      [1, 2, 2],
      [2, 1, 3],
    ]);
    expect(of("user_input").map(({ content }) => content)).toEqual(["do it", "and now?"]);
    expect(types().filter((type) => type.startsWith("turn"))).toEqual([
      "turn_start",
      "turn_end",
      "turn_start",
    ]);
  });

  test("records what the user said once, if it was reported before", async () => {
    const { bridge, of } = aBridge();
    bridge.message({ role: "user", content: "do it" });
    await bridge.beforeModel(modelCall(1));
    expect(of("user_input")).toHaveLength(1);
  });
});

describe("pause", () => {
  test("holds the very next model call; resume lets that same call go", async () => {
    const { bridge, ask, of } = aBridge();
    expect(await ask("pause")).toMatchObject({ ok: true, data: { paused: true, stops: [] } });
    const decision = bridge.beforeModel(modelCall(1));
    expect(await isPending(decision)).toBe(true);
    expect(bridge.stops).toMatchObject([{ id: "s1", reason: "pause", at: "model", req: 1, iteration: 1 }]);
    expect(await ask("resume")).toMatchObject({ ok: true, data: { released: ["s1"], paused: false } });
    expect(await decision).toMatchObject({ do: "send", req: 1 });
    expect(of("api_request")).toHaveLength(1);
    expect(of("resumed")).toMatchObject([{ stopId: "s1", outcome: "release", by: "socket" }]);
    expect(await isPending(bridge.beforeModel(modelCall(2)))).toBe(false);
  });

  test("holds every agent at its own call, and lets one go alone", async () => {
    const { bridge, ask } = aBridge();
    const sub = { id: "a1", parent: "main" };
    await ask("pause");
    const first = bridge.beforeModel(modelCall(1));
    const second = bridge.beforeModel(modelCall(1, { agent: sub }));
    expect(await isPending(second)).toBe(true);
    expect(bridge.stops.map(({ agent }) => agent.id)).toEqual(["main", "a1"]);
    await ask("resume", { stop: "s2" });
    expect(await second).toMatchObject({ do: "send" });
    expect(await isPending(first)).toBe(true);
  });

  test("does not hold titles and other small calls", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    expect(await bridge.beforeModel({ ...modelCall(1), class: "auxiliary" })).toMatchObject({ do: "send" });
  });

  test("stops the clock that the agent sees", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const decision = bridge.beforeModel(modelCall(1));
    const before = bridge.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(bridge.now() - before).toBeCloseTo(0, 3);
    await ask("resume");
    await decision;
    expect(bridge.heldMs()).toBeGreaterThan(25);
  });

  test("that is asked for at a held tool is about the call after it: resume keeps it", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    await bridge.beforeModel(modelCall(1));
    bridge.afterModel(1, TOOL_ANSWER, { durationMs: 1 });
    const tool = bridge.beforeTool(toolCall("t1", "bash", {}));
    await ask("pause");
    expect(await ask("resume")).toMatchObject({ data: { released: ["s1"], paused: true } });
    expect(await tool).toMatchObject({ do: "run" });
    expect(await isPending(bridge.beforeModel(modelCall(2)))).toBe(true);
    expect(await ask("resume")).toMatchObject({ data: { released: ["s2"], paused: false } });
  });

  test("resume says that there is nothing to resume", async () => {
    const { ask } = aBridge();
    expect(await ask("resume")).toMatchObject({ ok: false, error: { code: "NOT_STOPPED" } });
    expect(await ask("resume", { stop: "s9" })).toMatchObject({ ok: false, error: { code: "BAD_ARGUMENT" } });
  });

  test("ends by itself after the longest hold, as was chosen", async () => {
    for (const outcome of ["release", "fail"] as const) {
      const { bridge, ask } = aBridge({ maxHold: { ms: 20, outcome } });
      await ask("pause");
      const decision = await bridge.beforeModel(modelCall(1));
      expect(decision.do).toBe(outcome === "release" ? "send" : "fail");
    }
  });

  test("everything is let go when the run is closed", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const decision = bridge.beforeModel(modelCall(1));
    bridge.close("over");
    expect(await decision).toMatchObject({ do: "send" });
  });

  test("nothing of it is sent or run when the run is closed because its agent is gone", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("breakpoint", { action: "add", on: "tool", name: "*" });
    await ask("pause");
    const model = bridge.beforeModel(modelCall(1));
    const tool = bridge.beforeTool(toolCall("t1", "bash", {}));
    bridge.close("the agent has ended", "fail");
    expect(await model).toMatchObject({ do: "fail", message: "the agent has ended" });
    expect(await tool).toMatchObject({ do: "cancel", reason: "the agent has ended" });
    expect(of("resumed")).toMatchObject([{ outcome: "fail" }, { outcome: "fail" }]);
  });
});

describe("step", () => {
  test("runs one iteration and holds the next call", async () => {
    const { bridge, ask, types } = aBridge();
    await ask("pause");
    const first = bridge.beforeModel(modelCall(1));
    expect(await ask("step")).toMatchObject({ ok: true, data: { released: ["s1"] } });
    expect(await first).toMatchObject({ do: "send", req: 1 });
    bridge.afterModel(1, TOOL_ANSWER, { durationMs: 1 });
    expect(await bridge.beforeTool(toolCall("t1", "bash", {}))).toMatchObject({ do: "run" });
    const second = bridge.beforeModel(modelCall(2));
    expect(await isPending(second)).toBe(true);
    expect(bridge.stops).toMatchObject([{ reason: "step", iteration: 2 }]);
    expect(types()).toContain("step_complete");
    await ask("resume");
    expect(await second).toMatchObject({ do: "send", req: 2 });
  });

  test("that meets the end of the turn is complete then, and the next turn begins held", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("pause");
    const first = bridge.beforeModel(modelCall(1));
    await ask("step");
    await first;
    bridge.afterModel(1, LAST_ANSWER, { durationMs: 1 });
    expect(of("step_complete")).toMatchObject([{ turnEnded: true }]);
    expect(bridge.paused).toBe(true);
    expect(await isPending(bridge.beforeModel(modelCall(1, { key: "later" })))).toBe(true);
  });

  test("tool: to the next tool call; turn: to the end of the turn", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const first = bridge.beforeModel(modelCall(1));
    await ask("step", { kind: "tool" });
    await first;
    bridge.afterModel(1, TOOL_ANSWER, { durationMs: 1 });
    expect(bridge.watchesTools({ id: "main" })).toBe(true);
    const tool = bridge.beforeTool(toolCall("t1", "bash", { command: "ls" }));
    expect(await isPending(tool)).toBe(true);
    await ask("step", { kind: "turn" });
    expect(await tool).toMatchObject({ do: "run", input: { command: "ls" }, edited: false });
    expect(await isPending(bridge.beforeModel(modelCall(2)))).toBe(false);
    bridge.afterModel(2, LAST_ANSWER, { durationMs: 1 });
    expect(await isPending(bridge.beforeModel(modelCall(1, { key: "later" })))).toBe(true);
  });
});

describe("a client that gives up", () => {
  test("leaves its stop to the retry, which joins it", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("pause");
    const gone = new AbortController();
    const first = bridge.beforeModel(modelCall(1), gone.signal);
    const failed = first.catch((thrown) => thrown as Error);
    gone.abort(new Error("hung up"));
    expect((await failed) as unknown).toMatchObject({ message: "hung up" });
    expect(bridge.stops).toMatchObject([{ id: "s1", orphaned: true }]);
    const retry = bridge.beforeModel(modelCall(1));
    expect(await isPending(retry)).toBe(true);
    expect(bridge.stops).toHaveLength(1);
    expect(bridge.stops[0]?.orphaned).toBeUndefined();
    await ask("resume");
    expect(await retry).toMatchObject({ do: "send", req: 1 });
    expect(of("api_request")).toHaveLength(1);
  });

  test("and is let go before its retry comes: the retry passes, with what was to be injected", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const gone = new AbortController();
    const first = bridge.beforeModel(modelCall(1), gone.signal).catch(() => undefined);
    gone.abort();
    await first;
    await ask("inject_message", { role: "user", content: "hello" });
    await ask("resume");
    const decision = await bridge.beforeModel(modelCall(1));
    expect(decision).toMatchObject({ do: "send", req: 1, inject: [{ content: "hello" }] });
  });

  test("and is let go, then paused again before its retry comes: the retry is held", async () => {
    const { bridge, ask } = aBridge();
    await ask("pause");
    const gone = new AbortController();
    const first = bridge.beforeModel(modelCall(1), gone.signal).catch(() => undefined);
    gone.abort();
    await first;
    await ask("inject_message", { role: "user", content: "hello" });
    expect(await ask("resume")).toMatchObject({ data: { clientGone: ["s1"] } });
    await ask("pause");
    const retry = bridge.beforeModel(modelCall(1));
    expect(await isPending(retry)).toBe(true);
    await ask("resume");
    expect(await retry).toMatchObject({ do: "send", inject: [{ content: "hello" }] });
  });

  test("while another one asks the same: that is a call of its own", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("pause");
    const gone = new AbortController();
    const first = bridge.beforeModel(modelCall(1), gone.signal).catch(() => undefined);
    const second = bridge.beforeModel(modelCall(1));
    expect(bridge.stops).toHaveLength(2);
    expect(of("api_request")).toHaveLength(2);
    gone.abort();
    await first;
    expect(bridge.stops.map(({ id }) => id)).toEqual(["s2"]);
    await ask("resume");
    expect(await second).toMatchObject({ do: "send", req: 2 });
  });

  test("and goes on with another call: the old stop is gone", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("pause");
    const gone = new AbortController();
    const first = bridge.beforeModel(modelCall(1), gone.signal).catch(() => undefined);
    gone.abort();
    await first;
    const other = bridge.beforeModel(modelCall(1, { key: "other" }));
    expect(await isPending(other)).toBe(true);
    expect(bridge.stops.map(({ id }) => id)).toEqual(["s2"]);
    expect(of("resumed")).toMatchObject([{ stopId: "s1", outcome: "abandoned" }]);
  });

  test("a call that failed and is tried again is no new iteration", async () => {
    const { bridge, of } = aBridge();
    await bridge.beforeModel(modelCall(1));
    bridge.modelFailed(1, { status: 529, type: "overloaded_error", message: "busy" });
    await bridge.beforeModel(modelCall(1));
    expect(of("api_request").map(({ req, iteration, retryOf }) => [req, iteration, retryOf])).toEqual([
      [1, 1, undefined],
      [2, 1, 1],
    ]);
  });
});
