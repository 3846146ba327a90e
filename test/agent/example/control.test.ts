/** The example agent under control: each is shown by what the provider was sent and what its tools did on disk. */
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { listSessions } from "../../../src/agent/store/sessions.ts";
import { createSonde } from "../../support/sonde.ts";
import { bash, cleanUp, createPlace, provide, startAgent } from "./support.ts";

afterEach(cleanUp);

const PAUSED = { env: { SONDE_AGENT_PAUSED: "1" }, args: ["--yes"] };

/** An answer that comes when the test says so. */
function held(): { after: Promise<void>; release(): void } {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { after, release };
}

describe("Agent - Debug Control", () => {
  test("should pause on pause command", async () => {
    const first = held();
    const provider = await provide({
      script: [{ ...bash("touch ran"), after: first.after }, { text: "Done." }],
    });
    const agent = await startAgent(provider, { args: ["--yes"] });
    await provider.next();
    await expect(agent.ask("pause")).resolves.toMatchObject({ paused: true, stops: [] });
    first.release();
    // What is under way is finished: the answer, and the tool that it asked for.
    await expect(agent.stop()).resolves.toMatchObject({ reason: "pause", at: "model", iteration: 2 });
    expect(existsSync(join(agent.place.work, "ran"))).toBe(true);
    await agent.ask("inspect");
    expect(provider.calls).toHaveLength(1);
    expect(agent.events("paused")).toHaveLength(1);
  });

  test("should resume on resume command", async () => {
    const provider = await provide({ script: [{ text: "Hello." }] });
    const agent = await startAgent(provider, PAUSED);
    await expect(agent.stop()).resolves.toMatchObject({ reason: "pause", iteration: 1, req: 1 });
    await agent.ask("inspect");
    expect(provider.requests).toHaveLength(0);
    await agent.ask("resume");
    const { status, stdout } = await agent.ended;
    expect([status, stdout]).toEqual([0, "Hello.\n"]);
    // The very call that was held, and no other.
    expect(provider.calls.map(({ outline }) => outline)).toEqual([["user: hi"]]);
    expect(agent.events("api_request")).toHaveLength(1);
    expect(agent.events("api_response")[0]?.data).toMatchObject({ req: 1, stopReason: "end_turn" });
  });

  test("should execute single step on step command", async () => {
    const provider = await provide({
      script: [bash("echo 1 >> steps"), bash("echo 2 >> steps"), { text: "Done." }],
    });
    const agent = await startAgent(provider, PAUSED);
    const steps = () =>
      existsSync(join(agent.place.work, "steps"))
        ? readFileSync(join(agent.place.work, "steps"), "utf8")
        : "";
    await agent.stop();
    for (const [done, ran] of [
      [1, "1\n"],
      [2, "1\n2\n"],
    ] as const) {
      await agent.ask("step");
      await expect(agent.stop()).resolves.toMatchObject({ reason: "step", iteration: done + 1 });
      expect(provider.calls).toHaveLength(done);
      expect(steps()).toBe(ran);
    }
    await agent.ask("resume");
    await expect(agent.ended).resolves.toMatchObject({ status: 0 });
    expect(provider.calls).toHaveLength(3);
    expect(agent.events("step_complete")).toHaveLength(2);
  });

  test("should return state snapshot on inspect", async () => {
    const provider = await provide({
      script: [{ tools: [{ name: "write", input: { path: "a.txt", content: "a" } }] }],
    });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("step");
    await agent.stop();
    await expect(agent.ask("inspect", { what: "all" })).resolves.toMatchObject({
      sessionId: agent.session,
      paused: true,
      iteration: 2,
      provider: { name: "anthropic", model: "claude-sonnet-5" },
      messages: {
        count: 3,
        roles: { user: 2, assistant: 1 },
        recent: [{ role: "user", preview: "hi" }, {}, {}],
      },
      context: { tokenEstimate: expect.any(Number), usage: { inputTokens: 100, outputTokens: 20 } },
      tools: { count: 4, enabled: ["read", "write", "edit", "bash"] },
      workingSet: ["a.txt"],
    });
    expect(agent.events("state_snapshot")).toHaveLength(1);
  });

  test("should inject message into conversation", async () => {
    const provider = await provide({ script: [bash("true"), bash("true"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("step");
    await agent.stop();
    // As any program can: by a line in a file.
    await expect(
      agent.append("inject_message", { role: "user", content: "Mind the tests." }),
    ).resolves.toMatchObject({ ok: true });
    await expect(agent.append("resume")).resolves.toMatchObject({ ok: true });
    await expect(agent.ended).resolves.toMatchObject({ status: 0 });
    const [, second, third] = provider.calls.map(({ outline }) => outline);
    expect(second?.slice(-2)).toEqual(["user: [result toolu_0001 (no output)]", "user: Mind the tests."]);
    expect(third?.slice(0, second?.length)).toEqual(second);
    expect(third).toHaveLength(6);
  });

  test("a cancelled tool call does not run, and the model is told why", async () => {
    const provider = await provide({ script: [bash("touch unwanted"), { text: "Understood." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    await agent.ask("resume");
    const { tool } = await agent.stop();
    await agent.ask("cancel_tool", { toolId: (tool as { id: string }).id, reason: "not here" });
    await expect(agent.ended).resolves.toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Understood."),
    });
    expect(existsSync(join(agent.place.work, "unwanted"))).toBe(false);
    expect(provider.calls[1]?.outline.at(-1)).toBe(
      "user: [result toolu_0001 failed This call was cancelled: not here]",
    );
  });

  test("an edited tool call runs as it was edited", async () => {
    const provider = await provide({ script: [bash("touch unwanted"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    await agent.ask("resume");
    await agent.stop();
    await agent.ask("edit_tool", { toolId: "toolu_0001", input: { command: "touch wanted" } });
    await agent.ask("resume");
    await expect(agent.ended).resolves.toMatchObject({ status: 0 });
    expect(["unwanted", "wanted"].map((name) => existsSync(join(agent.place.work, name)))).toEqual([
      false,
      true,
    ]);
    expect(provider.calls[1]?.outline[1]).toBe('assistant: I look. [bash {"command":"touch wanted"}]');
  });

  test("a variable that the agent declares is set", async () => {
    const provider = await provide({ script: [{ text: "Hello." }, bash("true")] });
    const agent = await startAgent(provider, {
      args: ["--yes"],
      env: { SONDE_AGENT_PAUSED: "1" },
      input: "one\ntwo\n",
    });
    await agent.stop();
    await expect(
      agent.ask("set_variable", { key: "model", value: "claude-opus-4-8" }),
    ).resolves.toMatchObject({
      before: "claude-sonnet-5",
      value: "claude-opus-4-8",
    });
    await agent.ask("set_variable", { key: "max_iterations", value: 1 });
    await agent.ask("resume");
    const { stderr } = await agent.ended;
    expect(stderr).toContain("gave up after 1 model calls");
    expect(provider.calls.map(({ body }) => body.model)).toEqual(["claude-sonnet-5", "claude-opus-4-8"]);
  });

  test("goes back to a checkpoint", async () => {
    const provider = await provide({ script: [bash("true"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("step");
    await agent.stop();
    await agent.ask("rewind", { checkpoint: "c1" });
    await agent.ask("resume");
    await agent.ended;
    expect(provider.calls.map(({ outline }) => outline)).toEqual([["user: hi"], ["user: hi"]]);
  });

  test("and does so by commands too", async () => {
    const provider = await provide({ script: [bash("true"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    const sonde = createSonde();
    const of = ["--dir", agent.place.agents];
    expect(await sonde.text(["agent", "checkpoint", "at the start", ...of])).toMatch(
      /checkpoint c\d+\b[\s\S]*sonde agent rewind .*c\d+/,
    );
    await sonde.ask(["agent", "step", ...of]);
    expect(await sonde.refusal(["agent", "rewind", "nowhere", ...of])).toMatchObject({
      code: "BAD_ARGUMENT",
      hint: expect.stringContaining("(at the start)"),
    });
    expect(await sonde.text(["agent", "rewind", "at the start", ...of])).toContain(
      "back to checkpoint at the start, from the held call to the model on",
    );
    await sonde.ask(["agent", "resume", ...of]);
    await agent.ended;
    expect(provider.calls.map(({ outline }) => outline)).toEqual([["user: hi"], ["user: hi"]]);
  });
});

describe("Breakpoints", () => {
  test("should pause on tool breakpoint", async () => {
    const provider = await provide({
      script: [
        { tools: [{ name: "write", input: { path: "a", content: "1" } }] },
        bash("touch ran"),
        { text: "Done." },
      ],
    });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    await agent.ask("resume");
    await expect(agent.stop()).resolves.toMatchObject({
      reason: "breakpoint",
      breakpoint: 1,
      at: "tool",
      tool: { name: "bash", input: { command: "touch ran" } },
    });
    expect(["a", "ran"].map((name) => existsSync(join(agent.place.work, name)))).toEqual([true, false]);
    await agent.ask("resume");
    await expect(agent.ended).resolves.toMatchObject({ status: 0 });
    expect(existsSync(join(agent.place.work, "ran"))).toBe(true);
    expect(agent.events("breakpoint_hit")).toHaveLength(1);
  });

  test("should pause on iteration breakpoint", async () => {
    const provider = await provide({ script: [bash("true"), bash("true"), bash("true"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("breakpoint", { action: "add", on: "iteration", count: 3 });
    await agent.ask("resume");
    await expect(agent.stop()).resolves.toMatchObject({ reason: "breakpoint", at: "model", iteration: 3 });
    expect(provider.calls).toHaveLength(2);
    await agent.ask("resume");
    // Once: not again for the tools of that iteration.
    await expect(agent.ended).resolves.toMatchObject({ status: 0 });
    expect(provider.calls).toHaveLength(4);
  });

  test("should pause on pattern match", async () => {
    const provider = await provide({ script: [bash("touch a"), bash("rm -rf a"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("breakpoint", { action: "add", on: "pattern", regex: "rm\\s+-rf" });
    await agent.ask("resume");
    await expect(agent.stop()).resolves.toMatchObject({
      reason: "breakpoint",
      tool: { input: { command: "rm -rf a" } },
    });
    expect(existsSync(join(agent.place.work, "a"))).toBe(true);
    await agent.ask("cancel_tool", { toolId: "toolu_0002" });
    await agent.ended;
    expect(existsSync(join(agent.place.work, "a"))).toBe(true);
  });

  test("should list breakpoints", async () => {
    const provider = await provide();
    const agent = await startAgent(provider, PAUSED);
    await agent.ask("breakpoint", { action: "add", on: "tool", name: "bash" });
    await agent.ask("breakpoint", { action: "add", on: "error" });
    await expect(agent.ask("breakpoint", { action: "list" })).resolves.toMatchObject({
      breakpoints: [
        { id: 1, on: "tool", name: "bash", enabled: true, hits: 0 },
        { id: 2, on: "error", enabled: true },
      ],
    });
  });

  test("should clear specific breakpoint", async () => {
    const provider = await provide({ script: [bash("touch a"), bash("touch b"), { text: "Done." }] });
    const agent = await startAgent(provider, PAUSED);
    await agent.stop();
    await agent.ask("breakpoint", { action: "add", on: "pattern", regex: "touch a" });
    await agent.ask("breakpoint", { action: "add", on: "pattern", regex: "touch b" });
    await agent.ask("breakpoint", { action: "clear", id: 1 });
    await agent.ask("resume");
    await expect(agent.stop()).resolves.toMatchObject({ breakpoint: 2 });
    expect(existsSync(join(agent.place.work, "a"))).toBe(true);
    await agent.ask("resume");
    await expect(agent.ended).resolves.toMatchObject({ status: 0 });
  });
});

describe("the clock of a turn", () => {
  test("runs while the model takes its time", async () => {
    const provider = await provide({ script: [{ ...bash("true"), delayMs: 50 }] });
    const agent = await startAgent(provider, { args: ["--yes", "--max-minutes", "0.001"] });
    await expect(agent.ended).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining("gave up after 0.001 minutes"),
    });
  });

  test("stands still while the agent is held", async () => {
    const provider = await provide({ script: [bash("true"), { text: "Done." }] });
    // Six seconds for all that it does; it is held for longer.
    const agent = await startAgent(provider, { ...PAUSED, args: ["--yes", "--max-minutes", "0.1"] });
    await agent.stop();
    await new Promise((resolve) => setTimeout(resolve, 6500));
    await agent.ask("resume");
    await expect(agent.ended).resolves.toMatchObject({ status: 0, stdout: expect.stringContaining("Done.") });
    expect(agent.events("resumed")[0]?.data.heldMs).toBeGreaterThan(6400);
  });
});

test("two agents at once are two sessions; one that is killed is listed as ended", async () => {
  const place = createPlace();
  const [one, two] = [
    await provide({ script: [{ text: "One." }] }),
    await provide({ script: [{ text: "Two." }] }),
  ];
  const first = await startAgent(one, { ...PAUSED, place, prompt: "first" });
  const second = await startAgent(two, { ...PAUSED, place, prompt: "second" });
  expect(first.folder).not.toBe(second.folder);
  expect(readlinkSync(join(place.agents, "current"))).toBe(`sessions/${second.session}`);
  await Promise.all([first.stop(), second.stop()]);
  await second.ask("resume");
  await expect(second.ended).resolves.toMatchObject({ status: 0, stdout: "Two.\n" });
  expect([one.calls.length, two.calls.length]).toEqual([0, 1]);
  first.process.kill("SIGKILL");
  await first.ended;
  const rows = await listSessions(place.agents);
  expect(rows.map(({ id, ended, alive }) => ({ id, ended, alive }))).toEqual([
    { id: second.session, ended: "clean", alive: false },
    { id: first.session, ended: "died", alive: false },
  ]);
  expect(first.events("paused")).toHaveLength(1);
  await expect(first.ask("resume")).rejects.toMatchObject({ code: "SESSION_ENDED" });
});
