/** The real Claude Code in a terminal, as people use it. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { listSessions } from "../../../src/agent/store/sessions.ts";
import { startProvider } from "../provider/index.mjs";
import { CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/** So that it asks nothing before it begins. */
const files = ({ project }: { project: string }) => ({
  "home/.claude.json": JSON.stringify({
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["sk-ant-dummy-key-for-tests".slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  }),
});

describe.runIf(hasClients && hasTerminal)("Claude Code in a terminal", { timeout: 90_000 }, () => {
  test("is held before its call, goes on, and leaves by Ctrl-C as ever", async () => {
    const command = "echo hi > made.txt";
    const provider = await startProvider({
      script: [
        { tools: [{ name: "Bash", input: { command, description: "make it" } }] },
        { text: "All made." },
      ],
    });
    await using agent = await StartedAgent.start({
      command: [`${CLIENTS}/claude`, "--permission-mode", "default", "--allowedTools", "Bash"],
      env: { ANTHROPIC_BASE_URL: provider.url, TERM: "xterm-256color" },
      startPaused: true,
      terminal: true,
      files,
    });
    await agent.onScreen(/\? for shortcuts/);
    agent.type("make it");
    await agent.onScreen(/make it/);
    agent.type("\r");
    expect(await agent.stop()).toMatchObject({ at: "model", reason: "pause" });
    expect(provider.calls).toHaveLength(0);
    await agent.ask("resume");
    await agent.onScreen(/All made\./);
    // Before it has come to rest, Ctrl-C means the turn and not the program.
    await agent.onScreen(/esc to interrupt/, { gone: true });
    expect(agent.place.read("made.txt")).toBe("hi\n");
    expect((await agent.eventsOf("user_input")).map(({ content }) => content)).toEqual(["make it"]);
    // A machine with much to do may miss the second within which the other has to come.
    expect((await agent.leaveBy("\u0003", /again to exit/)).code).toBe(0);
    const [row] = await listSessions(agent.place.root);
    expect(row).toMatchObject({ ended: "clean", exit: 0 });
    await provider.close();
  });
});
