/** The real Claude Code, ended from outside: nothing that was held runs after it, and nothing that ran goes on. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasEnded } from "../../../src/util/process-facts.ts";
import { startProvider } from "../provider/index.mjs";
import { type AgentOptions, CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

async function claude(command: string, more: Partial<AgentOptions> = {}): Promise<StartedAgent> {
  const input = { command, description: "test" };
  const provider = await startProvider({ script: [{ tools: [{ name: "Bash", input }] }] });
  onTestFinished(() => provider.close());
  return StartedAgent.start({
    command: [`${CLIENTS}/claude`, "-p", "do it", "--allowedTools", "Bash"],
    env: { ANTHROPIC_BASE_URL: provider.url },
    ...more,
  });
}

const SOON = { timeout: 20_000 };

describe.runIf(hasClients)("Claude Code", { timeout: 90_000 }, () => {
  test("that is asked to end while a tool is held does not run it", async () => {
    await using agent = await claude("echo x > ran.txt", { breakpoints: [{ on: "tool", name: "Bash" }] });
    await agent.stop();
    agent.process.kill("SIGTERM");
    await agent.ended;
    expect(await agent.eventsOf("resumed")).toMatchObject([{ outcome: "fail" }]);
    expect(agent.place.read("ran.txt")).toBeUndefined();
  });

  test("ends with us when we are killed, and so does the command that it runs", async () => {
    await using agent = await claude("echo $$ > shell.pid.new && mv shell.pid.new shell.pid; sleep 1000");
    const { project, runtime } = agent.place;
    await expect.poll(() => existsSync(join(project, "shell.pid")), SOON).toBe(true);
    const shell = Number(agent.place.read("shell.pid"));
    onTestFinished(() => {
      if (!hasEnded(shell)) process.kill(shell, "SIGKILL");
    });
    expect(hasEnded(shell)).toBe(false);
    agent.process.kill("SIGKILL");
    await agent.ended;
    await expect.poll(() => hasEnded(shell), SOON).toBe(true);
    await expect.poll(() => readdirSync(runtime), SOON).toEqual([]);
  });
});
