import { afterEach, describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { exportRun } from "../../../src/agent/export/export-run.ts";
import { liveExporter } from "../../../src/agent/export/live.ts";
import { parseHeaders, tracesUrl } from "../../../src/agent/export/otlp.ts";
import { Listeners } from "../../../src/util/listeners.ts";
import { Events, readBody } from "../explain/events.ts";
import { attributesOf, type Collector, type Reply, type SentSpan, startCollector } from "./collector.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function collector(replies: Reply[] = []): Promise<Collector> {
  const one = await startCollector(replies);
  ends.push(() => one.close());
  return one;
}

function run(): Events {
  return new Events()
    .add("session_start", { client: "claude-code", provider: "anthropic", cwd: "/w" })
    .call(1, {
      model: "claude-opus-4-8",
      max_tokens: 10,
      system: "be kind",
      messages: [{ role: "user", content: "the secret plan" }],
    })
    .answer(
      1,
      { inputTokens: 100, outputTokens: 20, cacheReadTokens: 50 },
      {
        id: "msg_1",
        stopReason: "tool_use",
        content: '[{"kind":"tool_call","id":"t1","name":"Task","input":{"a":1}}]',
      },
    )
    .add("tool_call_start", { toolId: "t1", name: "Task", input: '{"a":1}', agent: "main", req: 1 })
    .add("agent_start", { agent: "a1", parent: "main", name: "Explore" })
    .call(2, "{}", { agent: "a1", class: "subagent" })
    .answer(2, { inputTokens: 7 }, { agent: "a1" })
    .add("agent_end", { agent: "a1" })
    .add("tool_call_end", { toolId: "t1", name: "Task", durationMs: 120, isError: true, agent: "main" })
    .add("tool_result", { toolId: "t1", name: "Task", content: "it failed", isError: true, agent: "main" })
    .call(3, "{}")
    .add("api_error", {
      req: 3,
      agent: "main",
      status: 529,
      errorType: "overloaded_error",
      message: "Overloaded by the secret plan",
    })
    .call(4, "{}")
    .add("session_end", { exit: 0 });
}

const options = { version: "1.2.3", readBody };
const byName = (spans: Map<string, SentSpan>) =>
  new Map([...spans.values()].map((span) => [span.name, span]));

describe("a run as spans", () => {
  test("one trace: the agent, its calls, its tools, its sub-agents", async () => {
    const { url, spans, requests } = await collector();
    const done = await exportRun(run().batches(3), {
      ...options,
      endpoint: url,
      headers: { "x-tenant": "t" },
    });
    expect(done).toMatchObject({ spans: 7, rejected: 0 });
    expect(requests[0]).toMatchObject({
      path: "/v1/traces",
      headers: { "content-type": "application/json", "x-tenant": "t" },
    });
    expect(new Set([...spans().values()].map(({ traceId }) => traceId))).toEqual(new Set([done.traceId]));
    const named = byName(spans());
    const root = named.get("invoke_agent claude-code");
    const task = named.get("execute_tool Task");
    const sub = named.get("invoke_agent Explore");
    expect(root?.parentSpanId).toBeUndefined();
    expect(task?.parentSpanId).toBe(root?.spanId);
    expect(sub?.parentSpanId).toBe(task?.spanId);
    const chats = [...spans().values()].filter(({ name }) => name === "chat claude-opus-4-8");
    expect(chats.map(({ parentSpanId }) => parentSpanId)).toEqual([
      root?.spanId,
      sub?.spanId,
      root?.spanId,
      root?.spanId,
    ]);
    expect(chats.map(({ kind }) => kind)).toEqual([3, 3, 3, 3]);
    expect(attributesOf(chats[0])).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-opus-4-8",
      "gen_ai.response.id": "msg_1",
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "tool_use" }] },
      "gen_ai.response.time_to_first_chunk": 0.05,
      "gen_ai.usage.input_tokens": "100",
      "gen_ai.usage.output_tokens": "20",
      "gen_ai.usage.cache_read.input_tokens": "50",
      "gen_ai.conversation.id": "debug_20261115_100000_abcd",
    });
    expect(attributesOf(task)).toMatchObject({
      "gen_ai.tool.name": "Task",
      "gen_ai.tool.call.id": "t1",
      "error.type": "tool_error",
    });
    expect(task?.status?.code).toBe(2);
    expect(attributesOf(chats[2])).toMatchObject({ "error.type": "overloaded_error" });
    expect(attributesOf(chats[3])).toMatchObject({ "sonde.unfinished": true });
    for (const span of spans().values()) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      expect(new Date(Number(BigInt(span.startTimeUnixNano) / 1_000_000n)).toISOString()).toContain(
        "2026-11-15T10:00:0",
      );
    }
  });

  test("what was said stays at home unless it is asked for", async () => {
    const quiet = await collector();
    await exportRun(run().batches(), { ...options, endpoint: quiet.url });
    expect(quiet.requests[0]?.body).not.toMatch(/secret plan|be kind|it failed/);
    const open = await collector();
    await exportRun(run().batches(), { ...options, endpoint: open.url, content: true });
    const named = byName(open.spans());
    expect(attributesOf(named.get("execute_tool Task"))).toMatchObject({
      "gen_ai.tool.call.arguments": '{"a":1}',
      "gen_ai.tool.call.result": "it failed",
    });
    const first = [...open.spans().values()].find(({ name }) => name.startsWith("chat"));
    expect(JSON.parse(String(attributesOf(first)["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "the secret plan" }] },
    ]);
    expect(JSON.parse(String(attributesOf(first)["gen_ai.output.messages"]))).toEqual([
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "t1", name: "Task", arguments: { a: 1 } }],
        finish_reason: "tool_use",
      },
    ]);
    expect(attributesOf(first)).toMatchObject({ "gen_ai.request.max_tokens": "10" });
  });

  test("sent twice, it is the same run", async () => {
    const { url, spans } = await collector();
    await exportRun(run().batches(2), { ...options, endpoint: url });
    const once = spans().size;
    await exportRun(run().batches(100), { ...options, endpoint: `${url}/v1/traces` });
    expect(spans().size).toBe(once);
  });

  test("long runs go in batches; text that is no text does no harm", async () => {
    const events = new Events().add("session_start", { client: "x\ud800" });
    for (let n = 1; n <= 1500; n++) events.call(n, "{}", { model: `m\udc00${n}` }).answer(n, {});
    const { url, requests, spans } = await collector();
    expect(await exportRun(events.batches(), { ...options, endpoint: url })).toMatchObject({
      spans: 1501,
      batches: 3,
    });
    expect(requests).toHaveLength(3);
    expect(spans().size).toBe(1501);
  });
});

describe("a collector that is not well", () => {
  test("is asked again when it says so, and not before", async () => {
    const { url, requests } = await collector([
      { status: 503, headers: { "retry-after": "1" } },
      { status: 429, headers: { "retry-after": "0" } },
    ]);
    await exportRun(run().batches(), { ...options, endpoint: url });
    expect(requests).toHaveLength(3);
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test("is quoted when it refuses", async () => {
    const { url, requests } = await collector([{ status: 400, body: '{"message":"bad \u001b[31mspans"}' }]);
    await expect(exportRun(run().batches(), { ...options, endpoint: url })).rejects.toThrow(
      /did not accept the spans: status 400: .*bad/,
    );
    expect(requests).toHaveLength(1);
    await expect(
      exportRun(run().batches(), { ...options, endpoint: "http://127.0.0.1:9", attempts: 2 }),
    ).rejects.toThrow(/tried 2 times/);
  });

  test("what it leaves out is told", async () => {
    const { url } = await collector([
      { body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' },
    ]);
    expect(await exportRun(run().batches(), { ...options, endpoint: url })).toMatchObject({
      rejected: 2,
      warning: "too old",
    });
  });

  test("addresses and headers", () => {
    expect(String(tracesUrl("http://h:4318"))).toBe("http://h:4318/v1/traces");
    expect(String(tracesUrl("https://h/api/otel/"))).toBe("https://h/api/otel/v1/traces");
    expect(() => tracesUrl("h:4317")).toThrow("a collector cannot be reached by");
    expect(() => tracesUrl("nonsense")).toThrow("is not the address of a collector");
    expect(parseHeaders("a=1, Authorization=Basic%20eA==")).toEqual({ a: "1", Authorization: "Basic eA==" });
  });
});

describe("while the run goes on", () => {
  function log() {
    const listeners = new Listeners<AgentEvent>();
    return {
      emit: (event: AgentEvent) => listeners.emit(event),
      onEvent: (listener: (event: AgentEvent) => void) => listeners.add(listener),
    };
  }

  test("spans go out as they end, the rest at the end", async () => {
    const { url, spans } = await collector();
    const one = log();
    const live = liveExporter(one, { ...options, endpoint: url, intervalMs: 5, content: true });
    const events = run().all;
    for (const event of events.slice(0, 3)) one.emit(event);
    await expect.poll(() => spans().size).toBe(1);
    for (const event of events.slice(3)) one.emit(event);
    expect(await live.close()).toEqual({ spans: 7, dropped: 0, problem: undefined });
    const later = await collector();
    await exportRun(run().batches(), { ...options, endpoint: later.url });
    expect([...spans().keys()].sort()).toEqual([...later.spans().keys()].sort());
  });

  test("a collector that is not there costs no more than its time", async () => {
    const one = log();
    const problems: string[] = [];
    const live = liveExporter(one, {
      ...options,
      endpoint: "http://127.0.0.1:9",
      onProblem: (said) => problems.push(said),
    });
    for (const event of run().all) one.emit(event);
    const report = await live.close(300);
    expect(report).toMatchObject({ spans: 0, dropped: 7 });
    expect(report.problem).toContain("did not accept the spans");
    expect(problems).toHaveLength(1);
  });
});
