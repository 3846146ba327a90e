/** The real Claude Code under `agent run`. What is asserted is what the provider was asked and what the tools did. */
import { afterEach, describe, expect, test } from "vitest";
import type { BreakpointRequest } from "../../../src/agent/core/commands.ts";
import { type Provider, type Reply, type Seen, startProvider } from "../provider/index.mjs";
import { type AgentOptions, CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

const providers: Provider[] = [];

afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

const bash = (command: string, id?: string): Reply => ({
  tools: [{ name: "Bash", input: { command, description: "test" }, ...(id === undefined ? {} : { id }) }],
});

type More = Partial<AgentOptions> & { script: readonly Reply[]; words?: readonly string[] };

async function claude({ script, words = ["--allowedTools", "Bash"], env, ...more }: More) {
  const provider = await startProvider({ script });
  providers.push(provider);
  const agent = await StartedAgent.start({
    command: [`${CLIENTS}/claude`, "-p", "do it", ...words],
    env: { ANTHROPIC_BASE_URL: provider.url, ...env },
    ...more,
  });
  return { provider, agent };
}

/** The plain messages of a request, without what Claude Code says of itself. */
function said({ messages }: Seen): string[] {
  return messages.map((message) => `${message.role}: ${JSON.stringify(message.content)}`);
}

describe.runIf(hasClients)("Claude Code", { timeout: 90_000 }, () => {
  test("pause: the provider sees nothing; step: one iteration; resume: that same call goes on", async () => {
    const { provider, agent: started } = await claude({
      script: [bash("echo 1 >> runs.txt"), bash("echo 2 >> runs.txt")],
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
    expect(await agent.eventsOf("paused")).toHaveLength(2);
  });

  test.each<[string, BreakpointRequest]>([
    ["a tool", { on: "tool", name: "Ba*" }],
    ["a pattern in its input", { on: "pattern", regex: "rm\\s+-rf" }],
  ])("a breakpoint on %s holds it before it runs, once", async (_what, breakpoint) => {
    const { provider, agent: started } = await claude({
      script: [bash("mkdir -p gone && rm -rf gone && echo x > ran.txt")],
      breakpoints: [breakpoint],
    });
    await using agent = started;
    expect(await agent.stop()).toMatchObject({ at: "tool", reason: "breakpoint", tool: { name: "Bash" } });
    expect(agent.place.read("ran.txt")).toBeUndefined();
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("ran.txt")).toBe("x\n");
    expect(provider.calls).toHaveLength(2);
    expect(await agent.eventsOf("paused")).toHaveLength(1);
    expect(await agent.eventsOf("tool_call_start")).toHaveLength(1);
  });

  test("a breakpoint on iteration 3 holds the third call", async () => {
    const { provider, agent: started } = await claude({
      script: [bash("echo 1"), bash("echo 2"), bash("echo 3")],
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
    const { provider, agent: started } = await claude({
      script: [bash("echo 1"), bash("echo 2"), bash("echo 3")],
      breakpoints: [{ on: "iteration", count: 2 }],
    });
    await using agent = started;
    await agent.stop();
    await agent.ask("inject_message", { role: "user", content: "Only whisper from now on." });
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    const places = provider.calls.map((call) => said(call).findIndex((one) => one.includes("Only whisper")));
    expect(places).toEqual([-1, expect.any(Number), places[1], places[1]]);
    expect(places[1]).toBe((provider.calls[1]?.messages.length ?? 0) - 1);
  });

  test.each([true, false])("a cancelled tool call does not run, hooks: %s", async (hooks) => {
    const { provider, agent: started } = await claude({
      script: [bash("echo x > ran.txt", "toolu_cancel")],
      breakpoints: [{ on: "tool", name: "Bash" }],
      hooks,
    });
    await using agent = started;
    const { tool } = await agent.stop();
    await agent.ask("cancel_tool", { toolId: tool?.id, reason: "Use another way." });
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("ran.txt")).toBeUndefined();
    // With hooks the model hears of it and goes on; without, the turn ends.
    expect(provider.calls).toHaveLength(hooks ? 2 : 1);
    if (hooks) expect(said(provider.calls[1] as Seen).join("\n")).toContain("Use another way.");
    expect(await agent.eventsOf("tool_call_cancel")).toMatchObject([{ toolId: "toolu_cancel" }]);
  });

  test.each([true, false])("an edited tool call runs as edited, hooks: %s", async (hooks) => {
    const { provider, agent: started } = await claude({
      script: [bash("echo original > original.txt")],
      breakpoints: [{ on: "tool", name: "Bash" }],
      hooks,
    });
    await using agent = started;
    const { tool } = await agent.stop();
    const input = { command: "echo edited > edited.txt", description: "edited" };
    await agent.ask("edit_tool", { toolId: tool?.id, input });
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("original.txt")).toBeUndefined();
    expect(agent.place.read("edited.txt")).toBe("edited\n");
    // The model is told of it, in its own call or in words.
    expect(said(provider.calls[1] as Seen).join("\n")).toContain("echo edited");
    expect(await agent.eventsOf("tool_call_edit")).toHaveLength(1);
    // What it is told is no word of the user's: it is still the same turn.
    expect(await agent.eventsOf("turn_start")).toHaveLength(1);
  });

  test("the user's own permissions apply: to a call that was let go, and to one that was edited", async () => {
    const { provider, agent: started } = await claude({
      script: [bash("echo 1 > first.txt"), bash("echo 2 > second.txt")],
      breakpoints: [{ on: "tool", name: "Bash" }],
      words: [],
    });
    await using agent = started;
    await agent.stop();
    await agent.ask("resume");
    const { tool } = await agent.stop();
    const input = { command: "echo edited > third.txt", description: "edited" };
    await agent.ask("edit_tool", { toolId: tool?.id, input });
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    for (const name of ["first.txt", "second.txt", "third.txt"])
      expect(agent.place.read(name)).toBeUndefined();
    expect(provider.calls).toHaveLength(3);
  });

  test("a sub-agent is told apart, and can be held alone", async () => {
    const script = (request: Seen): Reply => {
      const isSub = request.header("x-claude-code-agent-id") !== undefined;
      const answered = JSON.stringify(request.messages).includes("tool_result");
      if (isSub) return answered ? { text: "sub done" } : bash("echo sub > sub.txt");
      if (answered) return { text: "main done" };
      const input = { description: "help", prompt: "Help me.", subagent_type: "general-purpose" };
      return { tools: [{ name: "Agent", input }] };
    };
    const provider = await startProvider({ script });
    providers.push(provider);
    await using agent = await StartedAgent.start({
      command: [`${CLIENTS}/claude`, "-p", "do it", "--allowedTools", "Bash"],
      env: { ANTHROPIC_BASE_URL: provider.url },
      breakpoints: [{ on: "tool", name: "Bash" }],
    });
    const stop = await agent.stop();
    expect(stop).toMatchObject({ at: "tool", agent: { parent: "main", name: "general-purpose" } });
    expect(stop.agent.id).not.toBe("main");
    expect(agent.place.read("sub.txt")).toBeUndefined();
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("sub.txt")).toBe("sub\n");
    const requests = await agent.eventsOf("api_request");
    expect(requests.filter((one) => one.agent === stop.agent.id)).toHaveLength(2);
    expect(await agent.eventsOf("agent_start")).toMatchObject([{ agent: stop.agent.id, parent: "main" }]);
    expect(await agent.eventsOf("agent_end")).toMatchObject([{ agent: stop.agent.id }]);
  });
});
