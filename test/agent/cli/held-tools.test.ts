/** Tool calls that are held by a breakpoint, by the real binary on each wire: what the agent got, and what is said of it afterwards. */
import { resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { type Reply, startProvider, type Wire } from "../provider/index.mjs";
import { startAgent } from "./agents.ts";

const PROGRAM = resolve(import.meta.dirname, "plain-agent.mjs");
const WIRES: readonly Wire[] = ["anthropic", "openai-chat", "openai-responses"];

async function startRun(sonde: Sonde, wire: Wire, how: "stream" | "whole", script: Reply[]) {
  const provider = await startProvider({ script });
  onTestFinished(() => provider.close());
  const words = ["agent", "run", "--break", "tool=bash", "--", process.execPath, PROGRAM, wire, how];
  const ran = sonde.run(words, {
    env: { ANTHROPIC_BASE_URL: provider.url, OPENAI_BASE_URL: `${provider.url}/v1` },
  });
  return { provider, ran };
}

interface Explained {
  wallMs: number;
  held: { stops: number; ms: number; now: number; atEnd: number };
  tools: { name: string; heldMs: number }[];
}

describe("how long tool calls were held, as `agent explain` says it", { timeout: 60_000 }, () => {
  test("two that are held beside each other count once", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    await sonde.run("agent break add tool Bash");
    agent.tool("t1", "Bash", { command: "ls" });
    agent.tool("t2", "Bash", { command: "pwd" });
    const explained = () => sonde.ask<Explained>("agent explain");
    await expect.poll(async () => (await explained()).held.ms, { timeout: 20_000 }).toBeGreaterThan(1500);
    const now = await explained();
    expect(now.held).toMatchObject({ stops: 2, now: 2, atEnd: 0 });
    expect(now.held.ms).toBeLessThanOrEqual(now.wallMs);
    expect(await sonde.text("agent explain")).toMatch(/models 0 ms, tools not recorded, held .+ in 2 stops/);
    await sonde.run("agent resume");
    await Promise.all([agent.decision(), agent.decision()]);
    const then = await explained();
    expect(then.held).toMatchObject({ stops: 2, now: 0 });
    expect(then.held.ms).toBeGreaterThan(1500);
    expect(then.held.ms).toBeLessThanOrEqual(then.wallMs);
    // Each for itself.
    expect(then.tools[0]?.heldMs).toBeGreaterThan(3000);
    agent.end();
  });

  test("of a run that was killed while it was held, until the last that is known of it", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    await sonde.run("agent break add tool Bash");
    agent.tool("t1", "Bash", { command: "ls" });
    await sonde.text("agent wait");
    await sonde.text("agent inspect all");
    agent.process.kill("SIGKILL");
    await new Promise((gone) => agent.process.once("exit", gone));
    const { held } = await sonde.ask<Explained>("agent explain");
    expect(held).toMatchObject({ stops: 1, now: 0, atEnd: 1 });
    expect(held.ms).toBeGreaterThan(0);
    expect(await sonde.text("agent explain")).toMatch(/held .+ in 1 stop, 1 of them to the end/);
  });
});

/** Numbers that a double cannot hold, at the top, in an object and in a list. */
const WRITTEN =
  '{"command":"ls","id":9007199254740993,"deep":{"of":[12345678901234567890,{"n":1.10,"name":"a"}]},"rate":1e2}';

/** An answer that calls the tool with exactly that. */
function asks(wire: Wire, how: "stream" | "whole"): Reply {
  if (wire !== "anthropic" || how === "stream")
    return { tools: [{ name: "bash", input: JSON.parse(WRITTEN), inputText: WRITTEN }] };
  const block = `{"type":"tool_use","id":"toolu_0001","name":"bash","input":${WRITTEN}}`;
  const body = `{"id":"msg_1","type":"message","role":"assistant","content":[${block}],"stop_reason":"tool_use"}`;
  return { raw: { headers: { "content-type": "application/json" }, body } };
}

describe("numbers beyond 2^53 in the input of a held tool call", { timeout: 60_000 }, () => {
  for (const wire of WIRES)
    for (const how of ["stream", "whole"] as const)
      test(`${wire}, ${how}: stay as the model wrote them where another field is edited`, async () => {
        await using sonde = createSonde();
        const { ran } = await startRun(sonde, wire, how, [asks(wire, how), { text: "Done." }]);
        const held = await sonde.text("agent wait --timeout 20");
        expect(held).toContain("9007199254740993");
        expect(held).toContain("12345678901234567890");
        const seen = await sonde.text(["agent", "edit", "command=pwd"]);
        expect(seen).toContain("edited bash");
        await sonde.text([
          "agent",
          "edit",
          'deep.of=[12345678901234567890,{"n":1.10,"name":"b"}]',
          "--resume",
        ]);
        const { stdout } = await ran;
        const got = stdout.replaceAll("\\", "");
        expect(got).toContain('"command":"pwd"');
        expect(got).toContain('"id":9007199254740993');
        expect(got).toContain('"deep":{"of":[12345678901234567890,{"n":1.10,"name":"b"}]}');
        expect(got).toContain('"rate":1e2');
        // What was recorded is what was there, before and after.
        const lines = (await sonde.text("agent replay --all --json")).trim().split("\n");
        const events = lines.map((line) => JSON.parse(line) as AgentEvent);
        const recorded = (type: string) => events.find((one) => one.type === type)?.data;
        expect(recorded("tool_call_start")?.input).toBe(WRITTEN);
        expect(recorded("tool_call_edit")?.before).toBe(WRITTEN);
        expect(recorded("tool_call_edit")?.after).toContain('"id":9007199254740993');
      });

  test("one that is typed is sent as it was typed, or refused", async () => {
    await using sonde = createSonde();
    const { ran } = await startRun(sonde, "anthropic", "stream", [
      asks("anthropic", "stream"),
      { text: "Done." },
    ]);
    await sonde.text("agent wait --timeout 20");
    await sonde.text(["agent", "edit", "id=9007199254740995", "--resume"]);
    expect((await ran).stdout).toContain('"id":9007199254740995');
  });
});
