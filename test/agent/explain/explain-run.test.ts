import { describe, expect, test } from "vitest";
import { explainRun } from "../../../src/agent/explain/explain-run.ts";
import { explanationText } from "../../../src/agent/explain/explanation-text.ts";
import { Events, readBody } from "./events.ts";

const SYSTEM = [
  { type: "text", text: "You are an agent. Time: 14:02" },
  { type: "text", text: "Long instructions", cache_control: { type: "ephemeral" } },
];
const TOOLS = [
  { name: "Bash", description: "runs", input_schema: {} },
  { name: "Read", description: "reads", input_schema: {} },
];

function request(messages: unknown[], changes: Record<string, unknown> = {}) {
  return {
    model: "claude-opus-4-8",
    max_tokens: 100,
    tools: TOOLS,
    system: SYSTEM,
    messages,
    stream: true,
    ...changes,
  };
}

const first = { role: "user", content: "fix the bug" };
const second = { role: "assistant", content: [{ type: "text", text: "looking" }] };
const third = {
  role: "user",
  content: [{ type: "text", text: "go on", cache_control: { type: "ephemeral" } }],
};

const left = { inputTokens: 10_000, cacheCreationTokens: 10_000 };
const missed = { inputTokens: 10_100, cacheCreationTokens: 10_100 };

async function causeOf(events: Events) {
  const run = await explainRun(events.batches(2), { readBody });
  return { cache: run.cache, cause: run.cache.worst[0]?.cause, run };
}

describe("why a cache was missed", () => {
  test("a changed system text is named with its bytes and both texts", async () => {
    const after = request([first, second, third], {
      system: [{ type: "text", text: "You are an agent. Time: 14:03" }, SYSTEM[1]],
    });
    const events = new Events()
      .call(1, request([first]))
      .answer(1, left)
      .call(2, after)
      .answer(2, missed);
    const { cache, cause } = await causeOf(events);
    expect(cache).toMatchObject({
      calls: 1,
      hits: 0,
      misses: 1,
      firstCalls: 1,
      lostTokens: 10_000,
      byCause: { prefix_changed: 1 },
    });
    if (cause?.kind !== "prefix_changed") throw new Error(`unexpected cause ${cause?.kind}`);
    expect(cause.change.holder).toBe("system[0]");
    expect(cause.change.before).toContain("14:02");
    expect(cause.change.after).toContain("14:03");
    const text = JSON.stringify(after);
    expect(Buffer.from(text).subarray(cause.change.bytes.from, cause.change.bytes.to).toString()).toBe("3");
    expect(cause.change.bytes.of).toBe(Buffer.byteLength(text));
  });

  test("bytes are bytes, not characters", async () => {
    const before = request([{ role: "user", content: "grüße 1" }]);
    const after = request([{ role: "user", content: "grüße 2" }, second]);
    const { cause } = await causeOf(
      new Events().call(1, before).answer(1, left).call(2, after).answer(2, missed),
    );
    if (cause?.kind !== "prefix_changed") throw new Error("unexpected");
    const { from, to } = cause.change.bytes;
    expect(Buffer.from(JSON.stringify(after)).subarray(from, to).toString()).toBe("2");
    expect(cause.change.holder).toBe("messages[0].content");
  });

  test("a tool that changed, came or went is named", async () => {
    const cases: [unknown[], string][] = [
      [[TOOLS[0], { ...TOOLS[1], description: "reads files" }], "tools[1].description"],
      [[...TOOLS, { name: "New" }], "tools[2]"],
      [[TOOLS[0]], "tools[1]"],
    ];
    for (const [tools, holder] of cases) {
      const events = new Events()
        .call(1, request([first]))
        .answer(1, left)
        .call(2, request([first, second], { tools }))
        .answer(2, missed);
      const { cause } = await causeOf(events);
      expect(cause).toMatchObject({ kind: "prefix_changed", change: { holder } });
    }
  });

  test("history that was rewritten or cut is named by its message", async () => {
    const run = async (messages: unknown[]) =>
      (
        await causeOf(
          new Events()
            .call(1, request([first, second, third]))
            .answer(1, left)
            .call(2, request(messages))
            .answer(2, missed),
        )
      ).cause;
    expect(
      await run([first, { role: "assistant", content: [{ type: "text", text: "looked" }] }, third]),
    ).toMatchObject({
      change: { holder: "messages[1].content[0]" },
    });
    expect(await run([first, second])).toMatchObject({ change: { holder: "messages[2]", after: "nothing" } });
  });

  test("moved cache marks and a text that became a block are no change", async () => {
    const before = request([
      first,
      { role: "user", content: [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }] },
    ]);
    const after = request([first, { role: "user", content: "x" }, third]);
    const { cause } = await causeOf(
      new Events().call(1, before).answer(1, left).call(2, after).answer(2, missed),
    );
    expect(cause).toMatchObject({ kind: "unknown" });
  });

  test("an old cache, another model, other parameters, a compaction and missing marks are told apart", async () => {
    const next = request([first, second, third]);
    const plain = new Events().call(1, request([first])).answer(1, left);
    expect((await causeOf(plain.call(2, next, {}, 400_000).answer(2, missed))).cause).toMatchObject({
      kind: "expired",
      limitMs: 300_000,
    });
    const other = new Events()
      .call(1, request([first]))
      .answer(1, left)
      .call(2, next, { model: "claude-haiku-4-5" })
      .answer(2, missed);
    expect((await causeOf(other)).cause).toEqual({
      kind: "model_changed",
      before: "claude-opus-4-8",
      after: "claude-haiku-4-5",
    });
    const params = new Events()
      .call(1, request([first]))
      .answer(1, left)
      .call(2, { ...next, thinking: { type: "enabled" }, max_tokens: 9 })
      .answer(2, missed);
    expect((await causeOf(params)).cause).toEqual({ kind: "params_changed", names: ["thinking"] });
    const compacted = new Events()
      .call(1, request([first, second]))
      .answer(1, left)
      .add("context_compaction", { agent: "main", req: 2, messagesBefore: 40, messagesAfter: 3 });
    expect((await causeOf(compacted.call(2, request([third])).answer(2, missed))).cause).toEqual({
      kind: "compacted",
    });
    const bare = { model: "m", messages: [first] };
    const unmarked = new Events()
      .call(1, bare)
      .answer(1, left)
      .call(2, { ...bare, messages: [first, second] })
      .answer(2, missed);
    expect((await causeOf(unmarked)).cause).toEqual({ kind: "not_marked" });
  });

  test("an hour's cache is not too old after six minutes", async () => {
    const marked = request([first], {
      system: [{ type: "text", text: "s", cache_control: { type: "ephemeral", ttl: "1h" } }],
    });
    const events = new Events()
      .call(1, marked)
      .answer(1, left)
      .call(2, { ...marked, messages: [first, second] }, {}, 400_000)
      .answer(2, missed);
    expect((await causeOf(events)).cause).toMatchObject({ kind: "unknown" });
  });

  test("bodies that are gone, or are no JSON, are no failure", async () => {
    const gone = { blob: "ab", bytes: 3, preview: "x" };
    const events = new Events()
      .call(1, "x", { body: gone })
      .answer(1, left)
      .call(2, "y", { body: gone })
      .answer(2, missed);
    expect((await causeOf(events)).cause).toEqual({
      kind: "unknown",
      why: "the bodies of the requests are not stored",
    });
    expect(
      (await causeOf(new Events().call(1, "{{{").answer(1, left).call(2, "[").answer(2, missed))).cause,
    ).toMatchObject({ kind: "not_marked" });
  });

  test("each agent is compared with itself; auxiliary calls with none", async () => {
    const sub = { agent: "a1", class: "subagent" };
    const events = new Events()
      .call(1, request([first]))
      .answer(1, left)
      .call(2, request([third]), sub)
      .answer(2, left, { agent: "a1" })
      .call(3, { model: "m", messages: [{ role: "user", content: "title?" }] }, { class: "auxiliary" })
      .answer(3, { inputTokens: 50 })
      .call(4, request([first, second, third]))
      .answer(4, { inputTokens: 10_100, cacheReadTokens: 10_000 });
    const { cache } = await causeOf(events);
    expect(cache).toMatchObject({ calls: 1, hits: 1, misses: 0, firstCalls: 2 });
  });
});

describe("a run in numbers", () => {
  function busy(): Events {
    const events = new Events()
      .add("session_start", { client: "claude-code", cwd: "/w", argv: ["claude"] })
      .add("turn_start", { agent: "main", turn: 1 });
    events.call(1, request([first])).answer(1, { ...left, outputTokens: 1000 });
    for (let again = 0; again < 4; again++) {
      events
        .add("tool_call_start", {
          toolId: `t${again}`,
          name: "Bash",
          input: '{"command":"npm test"}',
          agent: "main",
          req: again + 1,
        })
        .add("tool_call_end", {
          toolId: `t${again}`,
          name: "Bash",
          durationMs: 1000 * (again + 1),
          isError: true,
          agent: "main",
        })
        .add("tool_result", {
          toolId: `t${again}`,
          name: "Bash",
          content: "1 failed",
          isError: true,
          agent: "main",
        });
    }
    return events
      .add("tool_call_start", { toolId: "r1", name: "Read", input: '{"file":"a"}', agent: "a1", req: 2 })
      .add("agent_start", { agent: "a1", parent: "main", name: "Explore" })
      .call(2, request([first]), { agent: "a1", class: "subagent", model: "house-model" })
      .answer(2, { inputTokens: 500 }, { agent: "a1", model: "house-model" })
      .call(3, request([first]))
      .add("api_error", {
        req: 3,
        agent: "main",
        status: 529,
        errorType: "overloaded_error",
        message: "Overloaded",
      })
      .add("paused", { stop: { id: "s1", reason: "pause", at: "model", agent: { id: "main" } } })
      .add("resumed", { stopId: "s1", heldMs: 61_000, by: "socket", outcome: "released" })
      .add("injected", { id: "i1", role: "user", content: "hi", req: 3, agent: "main" })
      .add("from_the_future", { x: 1 })
      .add("session_end", { exit: 0 });
  }

  test("counts, costs, repeats, errors, held time and sub-agents", async () => {
    const run = await explainRun(busy().batches(), { readBody });
    expect(run).toMatchObject({
      turns: 1,
      iterations: 3,
      calls: { main: 2, subagent: 1, auxiliary: 0, unanswered: 0 },
      tokens: { input: 10_500, cacheWritten: 10_000, cacheRead: 0, output: 1010 },
      unpriced: ["house-model"],
      held: { stops: 1, ms: 61_000 },
      touched: { injected: 1 },
      end: { known: true, exit: 0 },
    });
    // 10,000 written at 6.25 and 1,000 out at 25 dollars a million.
    expect(run.dollars).toBeCloseTo(0.0625 + 0.025, 6);
    expect(run.repeats).toMatchObject({
      calls: 3,
      worst: [{ tool: "Bash", count: 4, inRow: 4, reqs: [1, 2, 3, 4], lastReq: 4 }],
    });
    expect(run.tools[0]).toEqual({
      name: "Bash",
      count: 4,
      errors: 4,
      cancelled: 0,
      totalMs: 10_000,
      maxMs: 4000,
      timed: 4,
      heldMs: 0,
    });
    expect(run.errors).toContainEqual({
      of: "api",
      what: "529 overloaded_error",
      count: 1,
      message: "Overloaded",
    });
    expect(run.agents.find(({ id }) => id === "a1")).toMatchObject({
      name: "Explore",
      parent: "main",
      calls: 1,
      toolCalls: 1,
    });
  });

  test("a price of one's own goes before the list", async () => {
    const prices = [
      { model: "house-*", input: 100, output: 100 },
      { model: "*opus*", input: 0, output: 0 },
    ];
    const run = await explainRun(busy().batches(), { readBody, prices });
    expect(run.unpriced).toEqual([]);
    expect(run.dollars).toBeCloseTo(0.051, 6);
  });

  test("fits on one screen, whatever it holds, and is safe to print", async () => {
    const events = busy();
    for (let n = 0; n < 60; n++) {
      events
        .add("tool_call_start", {
          toolId: `x${n}`,
          name: `Tool\u001b[31m${n}`,
          input: "\u202e{}",
          agent: `agent${n}`,
          req: n,
        })
        .add("tool_call_start", {
          toolId: `y${n}`,
          name: `Tool\u001b[31m${n}`,
          input: "\u202e{}",
          agent: `agent${n}`,
          req: n,
        })
        .add("api_error", { req: 100 + n, status: 400 + n, message: "\nforged line" })
        .call(1000 + n, request([first], { system: `v${n}` }), { agent: `agent${n % 5}`, model: `m${n}` })
        .answer(1000 + n, left, { agent: `agent${n % 5}`, model: `m${n}` });
    }
    const text = explanationText(await explainRun(events.batches(), { readBody }));
    expect(text.split("\n").length).toBeLessThanOrEqual(40);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text.split("\n").every((line) => line.length <= 150)).toBe(true);
    expect(text).toContain("no price is known for");
  });

  test("reads as a person would tell it", async () => {
    const after = request([first, second, third], { system: "new" });
    const events = busy().call(9, after).answer(9, missed);
    const text = explanationText(await explainRun(events.batches(), { readBody }));
    expect(text).toMatchInlineSnapshot(`
      "run debug_20261115_100000_abcd · claude-code · 550 ms · exited with 0 · 29 events
      1 turn, 4 iterations, 4 model calls (1 by sub-agents)
      tokens: in 20,600 · none from the cache · written to it 20,100 · out 1,020
      cost: about $0.15, an estimate by list prices or those in the configuration · no price is known for house-model
      time: models 300 ms, tools 10.0 s, held 1 m 1 s in 1 stop
      models: 2
        claude-opus-4-8 · 2 calls · in 20,100 · out 1,010 · $0.15
        house-model · 1 call · in 500 · out 10 · no price
      cache: 0 of 1 later call read from it · 1 miss (1 prefix changed), 10,000 tokens read anew
        call 9 · system[0] changed, bytes 175–178 of 409: "You are an agent. Time: 14:02" → "new" · 10,000 tokens
      repeats: 3 tool calls were made before with the same input
        Bash 4 times, 4 in a row · asked for by model calls 1, 2, 3, 4 · {"command":"npm test"}
      tools: 5 calls, slowest first
        Bash · 4 calls · 10.0 s in all, longest 4.0 s · 4 failed
        Read · 1 call · no times recorded
      slowest model calls
        call 1 · claude-opus-4-8 · 100 ms · first byte after 50 ms
        call 2 [a1] · house-model · 100 ms · first byte after 50 ms
        call 9 · claude-opus-4-8 · 100 ms · first byte after 50 ms
      errors: 5
        tool Bash · 4× · 1 failed
        api 529 overloaded_error · 1× · Overloaded
      sub-agents: 1
        Explore a1 · 1 model call · 1 tool call · in 500, out 10
      by hand: 1 injected message"
    `);
  });

  test("an empty file and a file of another tool", async () => {
    expect(explanationText(await explainRun(new Events().batches(), { readBody }))).toContain("0 turns");
    const theirs = new Events()
      .add("user_input", { content: "hi" })
      .add("api_request", { provider: "p", model: "gpt-4o", messageCount: 1 });
    theirs.add("api_response", { stopReason: "stop", inputTokens: 10, outputTokens: 5, durationMs: 5 });
    for (const event of theirs.all) {
      delete event.seq;
      delete event.at;
    }
    const run = await explainRun(theirs.batches(), { readBody });
    expect(run).toMatchObject({ turns: 1, tokens: { input: 10, output: 5 }, calls: { main: 1 } });
  });

  test("60,000 events in bounded memory", async () => {
    async function* many() {
      for (let batch = 0; batch < 60; batch++) {
        const events = new Events();
        for (let n = 0; n < 250; n++) {
          const req = batch * 250 + n;
          events
            .call(req, "{}", { agent: `a${req}` })
            .answer(req, left, { agent: `a${req}`, model: `m${req}` });
          events.add("tool_call_start", {
            toolId: `t${req}`,
            name: `n${req}`,
            input: `${req}`,
            agent: `a${req}`,
          });
          events.add("tool_result", {
            toolId: `t${req}`,
            name: `n${req}`,
            content: "",
            isError: true,
            agent: `a${req}`,
          });
        }
        yield events.all;
      }
    }
    const run = await explainRun(many(), { readBody });
    expect(run.events).toBe(60_000);
    expect(run.agents.length).toBeLessThanOrEqual(2000);
    expect(run.tools.length).toBeLessThanOrEqual(2000);
    expect(run.unpriced.length).toBeLessThanOrEqual(100);
  });
});
