/** A run that the real proxy recorded, replayed through another real proxy, explained, told and exported. */
import { afterEach, describe, expect, test } from "vitest";
import { explainRun } from "../../../src/agent/explain/explain-run.ts";
import { explanationText } from "../../../src/agent/explain/explanation-text.ts";
import { transcript } from "../../../src/agent/explain/transcript.ts";
import { exportRun } from "../../../src/agent/export/export-run.ts";
import { printReplay } from "../../../src/agent/replay/print.ts";
import { serveTape } from "../../../src/agent/replay/serve.ts";
import { readEvents } from "../../../src/agent/store/reader.ts";
import { collected } from "../explain/events.ts";
import { startCollector } from "../export/collector.ts";
import type { Reply } from "../provider/index.mjs";
import { openRig, type Rig } from "../proxy/rig.ts";
import { Anthropic, type AnthropicMessage } from "../sdks.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function rig(script: Reply[], options: Parameters<typeof openRig>[1] = {}): Promise<Rig> {
  const one = await openRig(script, options);
  ends.push(() => one.close());
  return one;
}

const TOOLS = [{ name: "bash", description: "runs a command", input_schema: { type: "object" } }];
const SYSTEM = [{ type: "text", text: "You fix bugs.", cache_control: { type: "ephemeral" } }];

/** A small agent: asks, runs its tool (which says what it was given), asks again. */
async function agent(
  baseURL: string,
  tool = (input: unknown) => `ran ${JSON.stringify(input)}`,
): Promise<string[]> {
  const client = new Anthropic({ baseURL, apiKey: "sk-ant-api03-dummy", maxRetries: 3 });
  const messages: unknown[] = [{ role: "user", content: `fix it, ${new Date().toISOString()}` }];
  const said: string[] = [];
  for (;;) {
    const body = { model: "claude-opus-4-8", max_tokens: 2000, tools: TOOLS, system: SYSTEM, messages };
    const answer: AnthropicMessage = await client.messages.stream(body).finalMessage();
    said.push(JSON.stringify(answer.content));
    messages.push({ role: "assistant", content: answer.content });
    const calls = answer.content.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) return said;
    messages.push({
      role: "user",
      content: calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: tool(input) })),
    });
  }
}

const SCRIPT: Reply[] = [
  {
    text: "I look.",
    tools: [{ name: "bash", input: { command: "npm test" } }],
    usage: { input: 50, cacheCreation: 5000, output: 30 },
  },
  { error: 529 },
  {
    tools: [{ name: "bash", input: { command: "npm test" } }],
    usage: { input: 50, cacheRead: 5000, output: 30 },
  },
  { text: "It is fixed.", usage: { input: 6000, output: 9 } },
];

describe("a run through the proxy", () => {
  test("is replayed offline through a proxy, byte for byte", async () => {
    const then = await rig(SCRIPT);
    const said = await agent(then.proxy.url);
    then.log.flush();
    const tape = await serveTape({ folder: then.log.folder });
    ends.push(() => tape.close());
    const now = await rig([], { upstreams: { anthropic: tape.url } });
    expect(await agent(now.proxy.url)).toEqual(said);
    expect(now.provider.requests).toHaveLength(0);
    expect(tape.report()).toMatchObject({
      calls: 4,
      minor: 4,
      left: 0,
      passedOver: { dates: 4 },
      divergence: undefined,
    });
  });

  test("a tool that gives something else stops it, and the agent hears why", async () => {
    const then = await rig(SCRIPT);
    await agent(then.proxy.url);
    then.log.flush();
    const tape = await serveTape({ folder: then.log.folder });
    ends.push(() => tape.close());
    const failed = await agent(tape.url, () => "another result").catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 400 });
    expect(await tape.divergence).toMatchObject({
      kind: "different",
      req: 2,
      difference: { where: "messages[2].content[0].content", got: "another result" },
    });
  });

  test("an edited and a killed call come again as the agent saw them", async () => {
    const then = await rig([
      { tools: [{ name: "bash", input: { command: "rm -rf /" } }] },
      { text: "never sent" },
    ]);
    await then.command("breakpoint", { action: "add", on: "tool", name: "bash" });
    const running = agent(then.proxy.url);
    await then.stopped();
    const [held] = then.bridge.stops;
    await then.command("edit_tool", { toolId: held?.tool?.id, input: { command: "ls" } });
    await then.command("pause");
    await then.command("resume", { stop: held?.id });
    const second = await then.stopped();
    await then.command("kill_call", { stop: second, text: "Enough." });
    const said = await running;
    expect(said[0]).toContain('{"command":"ls"}');
    expect(said[1]).toContain("Enough.");
    then.log.flush();
    const tape = await serveTape({ folder: then.log.folder });
    ends.push(() => tape.close());
    expect(await agent(tape.url)).toEqual(said);
  });

  test("is explained, told, printed and exported", async () => {
    const then = await rig(SCRIPT);
    await agent(then.proxy.url);
    then.log.flush();
    const { events } = then.log.folder;
    const readBody = then.log.blobs.readBody.bind(then.log.blobs);
    const run = await explainRun(readEvents(events), { readBody });
    expect(run).toMatchObject({
      calls: { main: 4, unanswered: 0 },
      tokens: { cacheRead: 5000, cacheWritten: 5000 },
      repeats: { calls: 1 },
    });
    expect(run.errors).toMatchObject([{ of: "api", what: expect.stringContaining("529"), count: 1 }]);
    // Nothing before it changed, and it came in time: the provider alone knows why.
    expect(run.cache).toMatchObject({ misses: 1, byCause: { unknown: 1 } });
    const text = explanationText(run);
    expect(text.split("\n").length).toBeLessThanOrEqual(40);
    const told = await collected(transcript(readEvents(events), { readBody }));
    for (const words of ["fix it,", "I look.", "calls bash", "npm test", "bash gave", "It is fixed."])
      expect(told).toContain(words);
    let lines = "";
    await printReplay(readEvents(events), {
      write: (part) => {
        lines += part;
      },
    });
    expect(lines.trim().split("\n")).toHaveLength(then.events.length);
    const collector = await startCollector();
    ends.push(() => collector.close());
    await exportRun(readEvents(events), { version: "1", readBody, endpoint: collector.url, content: true });
    const names = [...collector.spans().values()].map(({ name }) => name);
    expect(names.filter((name) => name === "chat claude-opus-4-8")).toHaveLength(4);
    expect(names.filter((name) => name === "execute_tool bash")).toHaveLength(2);
  });
});
