/** The parts of the view of an agent's run that are pure. */
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import type { RunColumns as Columns } from "../../../src/agent/explain/columns.ts";
import { ColumnsOfRun } from "../../../src/agent/explain/run-columns.ts";
import { compareRequests } from "../../../src/web/page/agent/compare-requests.ts";
import { requestWarnings } from "../../../src/web/page/agent/request-warnings.ts";
import { lanesOf, moved, time, zoomed } from "../../../src/web/page/agent/spans.ts";

function columns(
  rows: [type: string, at: number, ms?: number, agent?: string][],
  holds: Columns["holds"] = { seq: [], stop: [] },
): Columns {
  const types = [...new Set(rows.map(([type]) => type))];
  const agents = [...new Set(rows.map(([, , , agent = "main"]) => agent))];
  return {
    began: 0,
    names: { types, agents, tools: [] },
    seq: rows.map((_, index) => index + 1),
    at: rows.map(([, at]) => at),
    type: rows.map(([type]) => types.indexOf(type)),
    agent: rows.map(([, , , agent = "main"]) => agents.indexOf(agent)),
    tool: rows.map(() => 0),
    req: rows.map(() => 0),
    call: rows.map(() => 0),
    ms: rows.map(([, , ms = -1]) => ms),
    failed: [],
    holds,
    spent: { seq: [], input: [], cacheRead: [], cacheWritten: [], output: [], dollars: [] },
    repeats: [],
    debugged: [],
  };
}

test("lanes: spans end when their event came, a hold lasts until it is let go or until now", () => {
  const lanes = lanesOf(
    columns([
      ["api_response", 1000, 600],
      ["tool_call_end", 1500, 100],
      ["paused", 2000],
      ["resumed", 3000, 1000],
      ["api_response", 3500, 200, "sub"],
      ["paused", 4000],
      ["user_input", 5000],
    ]),
  );
  const shown = lanes.map(({ title, spans }) => [title, spans.map(({ from, to }) => [from, to])]);
  expect(shown).toEqual([
    ["model", [[400, 1000]]],
    ["tool", [[1400, 1500]]],
    ["sub", [[3300, 3500]]],
    [
      "held",
      [
        [2000, 3000],
        [4000, 5000],
      ],
    ],
  ]);
});

test("of two that are held the one that is let go ends, whichever came first", () => {
  const lanes = lanesOf(
    columns(
      [
        ["paused", 1000],
        ["paused", 2000],
        ["resumed", 3000, 1000],
        ["user_input", 5000],
      ],
      { seq: [1, 2, 3], stop: ["a", "b", "b"] },
    ),
  );
  expect(lanes.map(({ spans }) => spans.map(({ from, to }) => [from, to]))).toEqual([
    [
      [2000, 3000],
      [1000, 5000],
    ],
  ]);
});

test("a run's columns say which hold is let go", () => {
  const made = new ColumnsOfRun(() => undefined);
  const timestamp = "2026-01-01T00:00:00.000Z";
  const stop = (id: string) => ({ stop: { id, at: "model" } });
  const data = [
    ["paused", stop("s1")],
    ["paused", stop("s2")],
    ["resumed", { stopId: "s2", heldMs: 5 }],
  ] as const;
  for (const [index, [type, one]] of data.entries())
    made.take({ seq: index + 1, timestamp, type, data: one } as unknown as AgentEvent);
  expect(made.result().holds).toEqual({ seq: [1, 2, 3], stop: ["s1", "s2", "s2"] });
});

test("zooming and moving stay within the run", () => {
  const whole = { from: 0, to: 1000 };
  expect(zoomed(whole, whole, 0.5, 0)).toEqual({ from: 0, to: 500 });
  expect(zoomed({ from: 0, to: 500 }, whole, 4, 250)).toEqual(whole);
  expect(moved({ from: 600, to: 900 }, whole, 500)).toEqual({ from: 700, to: 1000 });
  expect(time(192_000)).toBe("3 m 12 s");
});

const called = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] };
const answered = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] };

test("an edited request: calls without results, results without calls and changed thinking are named", () => {
  const thought = {
    role: "assistant",
    content: [{ type: "thinking", thinking: "a", signature: "s" }],
  };
  const body = { messages: [thought, called, answered] };
  expect(requestWarnings(body, body)).toEqual([]);
  const more = { role: "user", content: "x" };
  expect(requestWarnings(body, { messages: [called, more] })).toEqual([
    "messages[0] calls a tool (t1) whose result is missing",
  ]);
  expect(requestWarnings(body, { messages: [more, answered] })).toEqual([
    "messages[1] has the result of a call (t1) that is not before it",
  ]);
  const changed = { role: "assistant", content: [{ type: "thinking", thinking: "b", signature: "s" }] };
  expect(requestWarnings(body, { messages: [changed, called, answered] })).toEqual([
    "a thinking block was changed: its signature no longer fits",
  ]);
  expect(
    requestWarnings({}, { input: [{ type: "function_call_output", call_id: "c1", output: "x" }] }),
  ).toEqual(["the output c1 has no call"]);
});

test("two requests: parts in the order of the provider's cache, its marks left out", () => {
  const first = {
    system: "be short",
    messages: [{ role: "user", content: "a", cache_control: {} }],
    model: "m",
  };
  const second = {
    model: "m",
    system: "be long",
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ],
  };
  const parts = compareRequests(first, second);
  expect(parts.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    "system changed",
    "messages[0] same",
    "messages[1] new",
    "model same",
  ]);
});
