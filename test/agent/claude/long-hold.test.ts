/**
 * Seven minutes are longer than any limit that Claude Code has for a call by default (five minutes for silence, six for an answer). Nothing
 * shorter shows that it waits, so this is not part of a usual run: SONDE_LONG_TESTS=1.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Provider, startProvider } from "../provider/index.mjs";
import { CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

const HELD_MS = 7 * 60_000;
const LIMIT = { timeout: HELD_MS + 120_000, retry: 0 };
const SCRIPT = [
  { tools: [{ name: "Bash", input: { command: "echo hi > made.txt", description: "make it" } }] },
];

function start(provider: Provider, how: { startPaused: boolean; hooks: boolean }): Promise<StartedAgent> {
  return StartedAgent.start({
    command: [`${CLIENTS}/claude`, "-p", "make it", "--allowedTools", "Bash"],
    env: { ANTHROPIC_BASE_URL: provider.url },
    ...how,
    breakpoints: how.startPaused ? [] : [{ on: "tool", name: "Bash" }],
  });
}

describe.runIf(process.env.SONDE_LONG_TESTS && hasClients)("Claude Code, held for seven minutes", () => {
  test.concurrent("before a call: it is sent once, when it is let go", LIMIT, async () => {
    const provider = await startProvider({ script: SCRIPT });
    await using agent = await start(provider, { startPaused: true, hooks: true });
    expect(await agent.stop()).toMatchObject({ at: "model", reason: "pause" });
    await sleep(HELD_MS);
    expect(provider.calls).toHaveLength(0);
    const { stops } = (await agent.ask("inspect", { what: "stops" })) as { stops: unknown[] };
    expect(stops).toHaveLength(1);
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(provider.calls).toHaveLength(2);
    expect(agent.place.read("made.txt")).toBe("hi\n");
    await provider.close();
  });

  test.concurrent.each([true, false])("before a tool, hooks: %s", LIMIT, async (hooks) => {
    const provider = await startProvider({ script: SCRIPT });
    await using agent = await start(provider, { startPaused: false, hooks });
    expect(await agent.stop()).toMatchObject({ at: "tool", tool: { name: "Bash" } });
    await sleep(HELD_MS);
    expect(agent.place.read("made.txt")).toBeUndefined();
    expect(provider.calls).toHaveLength(1);
    await agent.ask("resume");
    expect((await agent.ended).code).toBe(0);
    expect(agent.place.read("made.txt")).toBe("hi\n");
    expect(provider.calls).toHaveLength(2);
    await provider.close();
  });
});
