import { expect, test } from "vitest";
import { holdPrice } from "../../../src/agent/explain/hold-price.ts";
import { priceTable } from "../../../src/agent/explain/prices.ts";
import { ColumnsOfRun } from "../../../src/agent/explain/run-columns.ts";
import { Events } from "./events.ts";

const priceOf = priceTable();

function columnsOf(events: Events) {
  const made = new ColumnsOfRun(priceOf);
  for (const event of events.all) made.take(event);
  return made.result();
}

const USAGE = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };

test("a number for each event in every column, and names once", () => {
  const events = new Events()
    .add("session_start", { client: "x" })
    .call(1, "{}")
    .add("api_response", { req: 1, agent: "main", durationMs: 900, usage: USAGE })
    .add("tool_call_start", { toolId: "t1", name: "Bash", input: { command: "ls" }, req: 1 })
    .add("sonde_call", { toolId: "t1", argv: ["start", "app.js"], session: "app" })
    .add("tool_call_end", { toolId: "t1", name: "Bash", durationMs: 40 })
    .add("tool_result", { toolId: "t1", name: "Bash", isError: true, content: "no" });
  const columns = columnsOf(events);
  expect(columns.seq).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(columns.at).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(columns.began).toBe(Date.parse("2026-11-15T10:00:00.000Z"));
  expect(columns.type.map((one) => columns.names.types[one])).toEqual(events.all.map(({ type }) => type));
  expect(columns.req).toEqual([0, 1, 1, 1, 0, 0, 0]);
  expect(columns.call).toEqual([0, 0, 0, 1, 1, 1, 1]);
  expect(columns.tool.map((one) => columns.names.tools[one - 1])).toEqual([
    undefined,
    undefined,
    undefined,
    "Bash",
    undefined,
    "Bash",
    "Bash",
  ]);
  expect(columns.ms).toEqual([-1, -1, 900, -1, -1, 40, -1]);
  expect(columns.failed).toEqual([7]);
  expect(columns.debugged).toEqual([{ seq: 5, call: 1, argv: "start app.js", session: "app" }]);
});

test("parts say together what the whole says, with the same numbers for the same names and calls", () => {
  const events = new Events()
    .add("session_start", { client: "x" })
    .call(1, "{}")
    .add("tool_call_start", { toolId: "t1", name: "Bash", input: { command: "ls" }, req: 1 })
    .add("api_response", { req: 1, agent: "main", durationMs: 900, usage: USAGE })
    .add("tool_call_end", { toolId: "t1", name: "Bash", durationMs: 40 })
    .add("tool_call_start", { toolId: "t2", name: "Read", input: {}, req: 1 })
    .add("tool_call_start", { toolId: "t3", name: "Bash", input: { command: "ls" }, req: 1 })
    .add("sonde_call", { toolId: "t3", argv: ["trace"], trace: "t1" });
  const whole = columnsOf(events);
  const made = new ColumnsOfRun(priceOf);
  const parts = events.all.map((event) => {
    made.take(event);
    return made.part();
  });
  const last = made.result();
  const joined = (key: "seq" | "at" | "type" | "agent" | "tool" | "req" | "call" | "ms" | "failed") =>
    [...parts, last].flatMap((part) => part[key]);
  for (const key of ["seq", "at", "type", "agent", "tool", "req", "call", "ms", "failed"] as const)
    expect([key, joined(key)]).toEqual([key, whole[key]]);
  expect(last.names).toEqual(whole.names);
  expect(parts.map(({ began }) => began)).toEqual(parts.map(() => whole.began));
  expect(parts.flatMap(({ debugged }) => debugged)).toEqual(whole.debugged);
  expect(parts.flatMap(({ spent }) => spent.dollars)).toEqual(whole.spent.dollars);
  expect([parts.flatMap(({ repeats }) => repeats), last.repeats]).toEqual([[], whole.repeats]);
});

test("what a call cost, by the model that was asked where the answer names none", () => {
  const { spent } = columnsOf(
    new Events().call(1, "{}").add("api_response", { req: 1, agent: "main", usage: USAGE }),
  );
  expect(spent).toEqual({
    seq: [2],
    input: [1_000_000],
    cacheRead: [0],
    cacheWritten: [0],
    output: [0],
    dollars: [5],
  });
});

test("the same call of a tool again, with the places", () => {
  const events = new Events();
  for (const command of ["ls", "pwd", "ls", "ls"])
    events.add("tool_call_start", { toolId: `t${events.all.length}`, name: "Bash", input: { command } });
  expect(columnsOf(events).repeats).toEqual([
    { tool: "Bash", agent: "main", input: '{"command":"ls"}', seq: [1, 3, 4], count: 3 },
  ]);
});

test("of calls that were repeated as often, the one that was made first comes first", () => {
  const events = new Events();
  for (const command of ["ls", "pwd", "id", "pwd", "ls"])
    events.add("tool_call_start", { toolId: `t${events.all.length}`, name: "Bash", input: { command } });
  expect(columnsOf(events).repeats.map(({ seq }) => seq)).toEqual([
    [1, 5],
    [2, 4],
  ]);
});

const CACHED = {
  inputTokens: 2_000,
  outputTokens: 10,
  cacheReadTokens: 800_000,
  cacheCreationTokens: 200_000,
};
const known = { priceOf, readBody: () => "" };

test("a hold costs what the provider forgets: by the time of the cache's mark and the list price", async () => {
  const body = { messages: [{ cache_control: { type: "ephemeral" } }] };
  const events = new Events().call(1, body).add("api_response", { req: 1, agent: "main", usage: CACHED });
  // Opus 4.8: 5 dollars, written 6.25, read 0.5.
  expect(await holdPrice(events.all, "main", known)).toEqual({
    cachedTokens: 1_000_000,
    until: "2026-11-15T10:05:00.010Z",
    dollars: 5.75,
  });
  const hour = new Events()
    .call(1, { messages: [{ cache_control: { type: "ephemeral", ttl: "1h" } }] })
    .add("api_response", { req: 1, agent: "main", usage: CACHED });
  expect((await holdPrice(hour.all, "main", known))?.until).toBe("2026-11-15T11:00:00.010Z");
});

test("nothing is said of a hold where nothing was cached, or where the provider promises no time", async () => {
  const none = new Events().call(1, "{}").add("api_response", { req: 1, agent: "main", usage: USAGE });
  expect(await holdPrice(none.all, "main", known)).toBeUndefined();
  const other = new Events()
    .call(1, "{}", { wire: "openai-responses" })
    .add("api_response", { req: 1, agent: "main", usage: CACHED });
  expect(await holdPrice(other.all, "main", known)).toBeUndefined();
  expect(await holdPrice(other.all, "sub", known)).toBeUndefined();
});
