/** The commands about agents, by the real binary, on a program that holds a real bridge. */
import { describe, expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { agentsFolder, codiSession, startAgent } from "./agents.ts";

const DANGER = { command: "rm -rf build", description: "Clean" };

describe("Debug CLI", () => {
  test("should list active sessions", async () => {
    await using sonde = createSonde();
    expect(await sonde.text("agent sessions")).toContain("no agents");
    const one = await startAgent(sonde, { name: "one" });
    const two = await startAgent(sonde);
    const listed = await sonde.text("agent sessions");
    expect(listed.split("\n").filter(Boolean)).toHaveLength(2);
    expect(listed).toContain(one.id);
    expect(listed).toContain(two.id);
    expect(listed).toContain("running");
    two.process.kill("SIGKILL");
    await new Promise((done) => two.process.once("exit", done));
    const left = await sonde.ask<{ sessions: { id: string }[]; ended: number }>("agent sessions");
    expect(left.sessions.map(({ id }) => id)).toEqual([one.id]);
    expect(left.ended).toBe(1);
    expect(await sonde.text("agent sessions --all")).toContain("its process died");
  });

  test("should watch events with filtering", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    const watching = sonde.run([
      "agent",
      "watch",
      "--from",
      "start",
      "--filter",
      "tool_call_start,session_*",
    ]);
    agent.tool("t1", "Read", { path: "\u001b[31mx\u202e" });
    await agent.decision();
    agent.end();
    const { stdout, status } = await watching;
    expect(status).toBe(0);
    const types = stdout.split("\n").map((line) => line.trim().split(/\s+/)[2]);
    expect(types.slice(0, 3)).toEqual(["session_start", "tool_call_start", "session_end"]);
    expect(stdout).toContain("ended: exited with 0");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("\u202e");
    const refused = await sonde.refusal("agent watch --filter tool_cal_start");
    expect(refused.hint).toContain("tool_call_start");
  });

  test("should send commands to correct session", async () => {
    await using sonde = createSonde();
    const one = await startAgent(sonde, { name: "one" });
    const two = await startAgent(sonde, { name: "two" });
    const refused = await sonde.refusal("agent pause", { cwd: "/" });
    expect(refused).toMatchObject({ code: "AMBIGUOUS_SESSION", status: 3 });
    expect(refused.hint).toContain("-s one");
    expect(refused.hint).toContain("-s two");
    // Of two that are called alike, each is offered by its id.
    const [three, four] = [
      await startAgent(sonde, { name: "both" }),
      await startAgent(sonde, { name: "both" }),
    ];
    const { hint } = await sonde.refusal("agent pause", { cwd: "/" });
    expect(hint).toContain(`-s ${three.id}`);
    expect(hint).toContain(`-s ${four.id}`);
    three.end();
    four.end();
    expect(await sonde.text("agent pause -s two")).toContain("will be held");
    one.model("go");
    expect(await one.decision()).toMatchObject({ do: "send" });
    two.model("go");
    const held = await sonde.text(`agent wait -s ${two.id.slice(-4)}`);
    expect(held).toMatch(/^held: before call 1 to the model \(pause\) · main · turn 1 iteration 1 · stop s1/);
    expect(held).toContain("| user: go");
    expect(await sonde.text("agent resume -s two")).toContain("let go: s1");
    expect(await two.decision()).toMatchObject({ do: "send" });
  });
});

test("a dangerous command is stopped, changed and let go in four commands", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  expect(await sonde.text("agent break add tool Bash")).toMatch(/^breakpoint 1: tool Bash\n/);
  agent.tool("t1", "Bash", DANGER);
  const held = await sonde.text("agent wait");
  expect(held).toContain("held: before tool Bash (breakpoint 1, hit 1) · main");
  expect(held).toContain("  | command: rm -rf build");
  expect(held).toContain("next: `sonde agent edit 'command=…'` changes it; `sonde agent cancel` forbids it");
  expect(await sonde.text(["agent", "edit", "command=ls -la"])).toContain("  | command: ls -la");
  expect(await sonde.text("agent resume")).toContain("let go: s1");
  expect(await agent.decision()).toMatchObject({
    do: "run",
    edited: true,
    input: { command: "ls -la", description: "Clean" },
  });
});

test("a slip in a field's name changes nothing", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text(["agent", "break", "pattern", "rm -rf"]);
  agent.tool("t1", "Bash", { ...DANGER, timeout: 5 });
  await sonde.text("agent wait");
  const refused = await sonde.refusal(["agent", "edit", "comand=ls"]);
  expect(refused).toMatchObject({ code: "BAD_ARGUMENT", message: "this call has no field comand" });
  expect((await sonde.refusal(["agent", "edit", "timeout=soon"])).message).toContain("is not JSON");
  await sonde.text(["agent", "edit", "command=7", "timeout=7", "--resume"]);
  expect(await agent.decision()).toMatchObject({ input: { command: "7", timeout: 7, description: "Clean" } });
});

test("two tool calls at once are told apart, and one is forbidden", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent break add tool *");
  agent.tool("t1", "Bash", DANGER);
  agent.tool("t2", "Write", { path: "a" });
  await sonde.text("agent wait");
  const refused = await sonde.refusal(["agent", "edit", "command=ls"]);
  expect(refused.message).toContain("2 tool calls are held");
  expect(refused.hint).toContain("--tool");
  await sonde.text(["agent", "cancel", "s1", "--reason", "not here"]);
  expect(await agent.decision()).toMatchObject({ do: "cancel", reason: "not here" });
  await sonde.text(["agent", "edit", "path=b", "--resume"]);
  expect(await agent.decision()).toMatchObject({ do: "run", input: { path: "b" } });
});

test("a step, a look at the request, an injection, a setting", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent pause");
  agent.model("first");
  await sonde.text("agent wait");
  expect(await sonde.text("agent inspect messages")).toContain("messages: 1 (1 user)");
  expect(await sonde.text(["agent", "inject", "user", "be", "careful"])).toContain(
    "it goes with the held call (s1)",
  );
  expect(await sonde.text("agent set max_tokens 50")).toContain("max_tokens = 50");
  const stepping = sonde.text("agent step --timeout 20");
  expect(await agent.decision()).toMatchObject({
    do: "send",
    inject: [{ role: "user", content: "be careful" }],
    set: { max_tokens: 50 },
  });
  agent.model("second");
  expect(await stepping).toMatch(/^step: one iteration\nheld: before call 2 to the model \(step\)/);
  expect(await sonde.text("agent inspect diff")).toContain("the first 1 message is the same");
  const { request } = await sonde.ask<{ request: { messages: unknown[] } }>("agent inspect request");
  expect(request.messages).toHaveLength(3);
  sonde.write("body.json", JSON.stringify({ ...request, model: "other" }));
  await sonde.text("agent edit-request --file body.json --resume");
  expect(await agent.decision()).toMatchObject({ body: expect.stringContaining('"model":"other"') });
  agent.model("third");
});

test("what a run did: status, explain, transcript, replay, after it has ended too", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent break add tool Bash --log");
  agent.tool("t1", "Bash", { command: "ls" });
  await agent.decision();
  expect(await sonde.text("agent break list")).toContain("breakpoint 1: tool Bash (only recorded, 1 hit)");
  const waiting = sonde.text(`agent wait -s ${agent.id}`);
  agent.end();
  expect(await waiting).toMatch(/^ended: exited with 0 · /);
  expect(await sonde.text("agent status")).toMatch(/^ended: exited with 0/);
  expect(await sonde.text("agent transcript")).toContain("calls Bash");
  const lines = (await sonde.text("agent replay")).trimEnd().split("\n");
  expect(lines.at(-1)).toMatch(/^\d+ events · session /);
  expect(lines.join("\n")).toContain("tool_call_start");
  expect((await sonde.text("agent explain")).length).toBeLessThan(4096);
  const refused = await sonde.refusal("agent pause");
  expect(refused).toMatchObject({ code: "NO_SESSION", status: 3 });
  expect(refused.hint).toContain("sonde agent run -- claude");
  expect(await sonde.refusal(`agent resume -s ${agent.id}`)).toMatchObject({ code: "SESSION_ENDED" });
  const gone = await sonde.ask<{ removed: unknown[] }>("agent gc --older-than 0m");
  expect(gone.removed).toHaveLength(1);
  expect(await sonde.text("agent gc --older-than 0m --yes")).toContain("removed 1 recording");
  expect(await sonde.text("agent gc --older-than 0m")).toContain("would remove 0 recordings");
});

test("another tool's folder is read as it is, and its commands are written as it expects", async () => {
  await using sonde = createSonde();
  const root = sonde.write("codi/current", "").replace(/\/current$/, "");
  const codi = codiSession(root, "debug_20260123_131000_abc1");
  expect(await sonde.text("agent sessions --dir codi")).toContain("debug_20260123_131000_abc1");
  expect(await sonde.text("agent watch --dir codi --from start --timeout 1")).toContain("tool_call_start");
  expect(await sonde.text("agent pause --dir codi")).toContain("pause: asked for");
  expect(await sonde.text("agent wait --dir codi")).toMatch(/^held · session debug_20260123_131000_abc1/);
  expect(await sonde.text("agent inspect all --dir codi")).toContain("iteration 4");
  await sonde.text("agent resume --dir codi");
  await sonde.text(["agent", "inject", "user", "hello", "--dir", "codi"]);
  expect(codi.commands()).toMatchObject([
    { type: "pause", data: {} },
    { type: "inspect", data: { what: "all" } },
    { type: "resume", data: {} },
    { type: "inject_message", data: { role: "user", content: "hello" } },
  ]);
  for (const command of codi.commands())
    expect(Object.keys(command).sort()).toEqual(["data", "id", "timestamp", "type"]);
  expect(agentsFolder(sonde)).not.toContain("codi");
});
