/** Breakpoints on what an agent does. */
import { describe, expect, test } from "vitest";
import { aBridge, isPending, LAST_ANSWER, modelCall, TOOL_ANSWER, toolCall } from "./a-bridge.ts";

const add = (on: string, more: Record<string, unknown> = {}) => ({ action: "add", on, ...more });

describe("on a tool", () => {
  test("holds calls that its name matches, without regard to case, and no others", async () => {
    const { bridge, ask, of } = aBridge();
    expect(bridge.watchesTools({ id: "main" })).toBe(false);
    const added = await ask("breakpoint", add("tool", { name: "ba*" }));
    expect(added).toMatchObject({ ok: true, data: { breakpoint: { id: 1, about: "tool ba*" } } });
    expect(bridge.watchesTools({ id: "main" })).toBe(true);
    expect(await bridge.beforeTool(toolCall("t0", "read", {}))).toMatchObject({ do: "run" });
    const held = bridge.beforeTool(toolCall("t1", "Bash", { command: "rm -rf /" }));
    expect(await isPending(held)).toBe(true);
    expect(bridge.stops).toMatchObject([{ at: "tool", breakpoint: 1, tool: { id: "t1", name: "Bash" } }]);
    expect(of("breakpoint_hit")).toMatchObject([{ breakpoint: { id: 1, hits: 1 } }]);
    await ask("resume");
    expect(await held).toMatchObject({ do: "run", edited: false });
  });

  test("once, ignore, disabled and log-only do as they say", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("breakpoint", add("tool", { name: "a", once: true }));
    await ask("breakpoint", add("tool", { name: "b", ignore: 1 }));
    await ask("breakpoint", add("tool", { name: "c", log: true }));
    await ask("breakpoint", add("tool", { name: "d" }));
    await ask("breakpoint", { action: "disable", id: 4 });
    const isHeld = async (id: string, name: string) => {
      const held = await isPending(bridge.beforeTool(toolCall(id, name, {})));
      if (held) await ask("resume");
      return held;
    };
    expect([await isHeld("a1", "a"), await isHeld("a2", "a")]).toEqual([true, false]);
    expect([await isHeld("b1", "b"), await isHeld("b2", "b")]).toEqual([false, true]);
    expect(await isHeld("c1", "c")).toBe(false);
    expect(of("breakpoint_hit").filter(({ logOnly }) => logOnly)).toHaveLength(1);
    expect(await isHeld("d1", "d")).toBe(false);
    await ask("breakpoint", { action: "enable", id: 4 });
    expect(await isHeld("d2", "d")).toBe(true);
  });

  test("several that are met at once make one stop; each counts", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("tool", { name: "bash" }));
    await ask("breakpoint", add("pattern", { regex: "rm" }));
    const held = bridge.beforeTool(toolCall("t1", "bash", { command: "rm x" }));
    expect(await isPending(held)).toBe(true);
    expect(bridge.stops).toHaveLength(1);
    const listed = await ask("breakpoint", { action: "list" });
    expect(listed).toMatchObject({ data: { breakpoints: [{ hits: 1 }, { hits: 1 }] } });
  });
});

describe("on a pattern", () => {
  test("holds what its regular expression matches in the input", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("pattern", { regex: "rm\\s+-rf" }));
    expect(await isPending(bridge.beforeTool(toolCall("t1", "bash", { command: "ls" })))).toBe(false);
    expect(await isPending(bridge.beforeTool(toolCall("t2", "bash", { command: "rm  -rf /" })))).toBe(true);
  });

  test("that takes too long to check holds to be safe, and says so", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("pattern", { regex: "(a+)+$" }));
    const held = bridge.beforeTool(toolCall("t1", "bash", { command: `${"a".repeat(50_000)}!` }));
    expect(await isPending(held)).toBe(true);
    expect(bridge.stops[0]?.why).toContain("took too long");
  });

  test("that is none is refused with the reason", async () => {
    const { ask } = aBridge();
    const answer = await ask("breakpoint", add("pattern", { regex: "(" }));
    expect(answer).toMatchObject({ ok: false, error: { code: "BAD_ARGUMENT" } });
    expect(JSON.stringify(answer)).toContain("Unterminated group");
  });
});

describe("on an iteration", () => {
  test("holds at the model call of that iteration, once, in every turn", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("iteration", { count: 2 }));
    for (const turn of [1, 2]) {
      const key = (n: number) => `${turn} ${n}`;
      expect(await isPending(bridge.beforeModel(modelCall(1, { key: key(1) })))).toBe(false);
      expect(await isPending(bridge.beforeTool(toolCall(`t${turn}`, "bash", {})))).toBe(false);
      expect(await isPending(bridge.beforeModel(modelCall(2, { key: key(2) })))).toBe(true);
      await ask("resume");
      expect(await isPending(bridge.beforeTool(toolCall(`u${turn}`, "bash", {})))).toBe(false);
      bridge.turnEnded({ id: "main" });
    }
  });

  test("of the session counts over turns", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("iteration", { count: 2, of: "session" }));
    await bridge.beforeModel(modelCall(1));
    bridge.afterModel(1, LAST_ANSWER, { durationMs: 1 });
    expect(await isPending(bridge.beforeModel(modelCall(1, { key: "second turn" })))).toBe(true);
  });
});

describe("on what is known afterwards", () => {
  test("an error of a tool holds what comes next", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("error"));
    await bridge.beforeModel(modelCall(1));
    await bridge.beforeTool(toolCall("t1", "bash", {}));
    bridge.afterTool({ id: "t1", name: "bash", text: "no such file", isError: true });
    expect(await isPending(bridge.beforeModel(modelCall(2)))).toBe(true);
    expect(bridge.stops).toMatchObject([{ reason: "breakpoint", why: "tool bash failed" }]);
  });

  test("a stop reason holds what comes next", async () => {
    const { bridge, ask } = aBridge();
    await ask("breakpoint", add("stop_reason", { name: "max_tokens" }));
    await bridge.beforeModel(modelCall(1));
    bridge.afterModel(1, { ...LAST_ANSWER, stopReason: "max_tokens" }, { durationMs: 1 });
    expect(await isPending(bridge.beforeModel(modelCall(1, { key: "next" })))).toBe(true);
  });

  test("tokens and cost hold once, when they are reached", async () => {
    const usage = { inputTokens: 60, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
    const { bridge, ask } = aBridge({ costOf: () => 0.5 });
    await ask("breakpoint", add("tokens", { count: 100 }));
    await ask("breakpoint", add("cost", { count: 1.5 }));
    const held: boolean[] = [];
    for (let n = 1; n <= 5; n++) {
      const decision = bridge.beforeModel(modelCall(n));
      held.push(await isPending(decision));
      if (held.at(-1)) await ask("resume");
      await decision;
      bridge.afterModel(n, { ...TOOL_ANSWER, usage }, { durationMs: 1 });
    }
    expect(held).toEqual([false, false, true, true, false]);
  });

  test("the same call again, a sub-agent, a shorter conversation", async () => {
    const { bridge, ask, of } = aBridge();
    await ask("breakpoint", add("repeat", { count: 2 }));
    await ask("breakpoint", add("subagent"));
    await ask("breakpoint", add("compaction"));
    await bridge.beforeModel(modelCall(3));
    const repeated = (id: string) => isPending(bridge.beforeTool(toolCall(id, "bash", { command: "ls" })));
    expect([await repeated("t1"), await repeated("t2")]).toEqual([false, true]);
    await ask("resume");
    expect(await isPending(bridge.beforeModel(modelCall(1, { agent: { id: "a1", parent: "main" } })))).toBe(
      true,
    );
    await ask("resume");
    expect(await isPending(bridge.beforeModel(modelCall(1, { key: "shorter" })))).toBe(true);
    expect(of("context_compaction")).toMatchObject([{ how: "fewer messages than before" }]);
  });
});

describe("the list", () => {
  test("arguments that a kind does not take are refused, as are those it lacks", async () => {
    const { ask } = aBridge();
    const refused = [
      add("tool"),
      add("iteration", { count: 1.5 }),
      add("error", { name: "x" }),
      add("pattern", { regex: "a", count: 2 }),
      { action: "clear" },
      { action: "clear", id: 7 },
      add("nothing"),
      { action: "add", on: "tool", name: "a", colour: "red" },
    ];
    for (const data of refused)
      expect(await ask("breakpoint", data), JSON.stringify(data)).toMatchObject({ ok: false });
  });

  test("clear removes one, by number or as bp-1; clear-all the rest", async () => {
    const { ask } = aBridge();
    for (const name of ["a", "b", "c"]) await ask("breakpoint", add("tool", { name }));
    await ask("breakpoint", { action: "clear", id: 2 });
    await ask("breakpoint", { action: "clear", id: "bp-1" });
    const left = await ask("breakpoint", { action: "list" });
    expect(left).toMatchObject({ data: { breakpoints: [{ id: 3, name: "c" }] } });
    expect(await ask("breakpoint", { action: "clear-all" })).toMatchObject({ data: { cleared: 1 } });
  });
});
