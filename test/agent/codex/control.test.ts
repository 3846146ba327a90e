/** The real Codex under `agent run`. What is asserted is what the provider was asked and what the tools did. */
import { afterEach, describe, expect, test } from "vitest";
import type { BreakpointRequest } from "../../../src/agent/core/commands.ts";
import { type Provider, type Reply, type Seen, startProvider } from "../provider/index.mjs";
import { type AgentOptions, CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

const providers: Provider[] = [];

afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

/**
 * Which tools Codex offers depends on the model: to one that it does not know, `exec_command`; to its newest ones, `exec`, which takes a
 * program in JavaScript that calls the others.
 */
const MODELS = {
  plain: {
    words: ["-m", "some-model"],
    tool: "exec_command",
    input: (command: string): unknown => ({ cmd: command }),
    custom: false,
  },
  code: {
    words: [],
    tool: "exec",
    input: (command: string): unknown =>
      `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}}); text(r.output);`,
    custom: true,
  },
};
type Mode = keyof typeof MODELS;

function run(mode: Mode, command: string): Reply {
  const { tool, input, custom } = MODELS[mode];
  return { tools: [{ name: tool, input: input(command), ...(custom ? { custom } : {}) }] };
}

type More = Partial<AgentOptions> & { mode?: Mode; commands: readonly string[] };

async function codex({ mode = "plain", commands, ...more }: More) {
  const script = commands.map((command) => run(mode, command));
  // In `exec` mode the tools are among the messages, so nothing can be said of a call by its list of tools.
  const provider = await startProvider({ script, auxiliary: () => false });
  providers.push(provider);
  const words = [
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    ...MODELS[mode].words,
  ];
  const agent = await StartedAgent.start({
    command: [`${CLIENTS}/codex`, "exec", ...words, "do it"],
    more: { upstream: `${provider.url}/v1` },
    ...more,
  });
  return { provider, agent };
}

const bodies = (calls: readonly Seen[]) =>
  calls.map(({ messages }) => messages.map((one) => JSON.stringify(one)));

describe.runIf(hasClients)("Codex", { timeout: 90_000 }, () => {
  test.each<Mode>(["plain", "code"])("%s: pause, step and resume", async (mode) => {
    const { provider, agent: started } = await codex({
      mode,
      commands: ["echo 1 >> runs.txt", "echo 2 >> runs.txt"],
      startPaused: true,
    });
    await using agent = started;
    expect(await agent.stop()).toMatchObject({ at: "model", reason: "pause", iteration: 1 });
    expect(provider.calls).toHaveLength(0);
    await agent.ask("step");
    expect(await agent.stop()).toMatchObject({ at: "model", reason: "step", iteration: 2 });
    expect(provider.calls).toHaveLength(1);
    expect(agent.place.read("runs.txt")).toBe("1\n");
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(provider.calls).toHaveLength(3);
    expect(agent.place.read("runs.txt")).toBe("1\n2\n");
  });

  test.each<[string, Mode, BreakpointRequest]>([
    ["its shell tool", "plain", { on: "tool", name: "exec*" }],
    ["its shell tool", "code", { on: "tool", name: "exec*" }],
    ["a pattern in its input", "plain", { on: "pattern", regex: "dang.rous" }],
    ["a pattern in its input", "code", { on: "pattern", regex: "dang.rous" }],
  ])("a breakpoint on %s (%s) holds it before it runs, once", async (_what, mode, breakpoint) => {
    const { provider, agent: started } = await codex({
      mode,
      // Not `rm -rf`: Codex refuses that by itself.
      commands: ["echo dangerous > ran.txt"],
      breakpoints: [breakpoint],
    });
    await using agent = started;
    expect(await agent.stop()).toMatchObject({ at: "tool", tool: { name: MODELS[mode].tool } });
    expect(agent.place.read("ran.txt")).toBeUndefined();
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("ran.txt")).toBe("dangerous\n");
    expect(provider.calls).toHaveLength(2);
    expect(await agent.eventsOf("paused")).toHaveLength(1);
  });

  test("a breakpoint on iteration 3 holds the third call", async () => {
    const { provider, agent: started } = await codex({
      commands: ["echo 1", "echo 2", "echo 3"],
      breakpoints: [{ on: "iteration", count: 3 }],
    });
    await using agent = started;
    expect(await agent.stop()).toMatchObject({ at: "model", iteration: 3 });
    expect(provider.calls).toHaveLength(2);
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(provider.calls).toHaveLength(4);
  });

  test("an injected message is in the next request, and at the same place in every later one", async () => {
    const { provider, agent: started } = await codex({
      commands: ["echo 1", "echo 2", "echo 3"],
      breakpoints: [{ on: "iteration", count: 2 }],
    });
    await using agent = started;
    await agent.stop();
    await agent.ask("inject_message", { role: "user", content: "Only whisper from now on." });
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    const places = bodies(provider.calls).map((all) => all.findIndex((one) => one.includes("Only whisper")));
    expect(places).toEqual([-1, expect.any(Number), places[1], places[1]]);
    expect(places[1]).toBe((provider.calls[1]?.messages.length ?? 0) - 1);
  });

  test.each<Mode>(["plain", "code"])("%s: a cancelled tool call does not run", async (mode) => {
    const { agent: started } = await codex({
      mode,
      commands: ["echo x > ran.txt"],
      breakpoints: [{ on: "tool", name: "exec*" }],
    });
    await using agent = started;
    const { tool } = await agent.stop();
    await agent.ask("cancel_tool", { toolId: tool?.id, reason: "Use another way." });
    const end = await agent.ended;
    expect(end.code).toBe(0);
    expect(agent.place.read("ran.txt")).toBeUndefined();
    expect(end.stdout).toContain("Use another way.");
  });

  test.each<Mode>(["plain", "code"])("%s: an edited tool call runs as edited", async (mode) => {
    const { provider, agent: started } = await codex({
      mode,
      commands: ["echo original > original.txt"],
      breakpoints: [{ on: "tool", name: "exec*" }],
    });
    await using agent = started;
    const { tool } = await agent.stop();
    await agent.ask("edit_tool", { toolId: tool?.id, input: MODELS[mode].input("echo edited > edited.txt") });
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("original.txt")).toBeUndefined();
    expect(agent.place.read("edited.txt")).toBe("edited\n");
    expect(bodies(provider.calls)[1]?.join("\n")).toContain("echo edited");
  });

  test("its key reaches the provider, the token of the proxy does not", async () => {
    const { provider, agent: started } = await codex({ commands: [] });
    await using agent = started;
    expect((await agent.ended).code).toBe(0);
    const [call] = provider.calls;
    expect(call?.header("authorization")).toBe("Bearer sk-dummy-key-for-tests");
    expect(call?.headers.map(([name]) => name.toLowerCase())).not.toContain("x-sonde-token");
  });
});
