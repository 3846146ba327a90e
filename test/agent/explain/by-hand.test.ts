/** What a person did to a run, and what is still held, as `explain` and `transcript` tell it. */
import { expect, test } from "vitest";
import { explainRun } from "../../../src/agent/explain/explain-run.ts";
import { explanationText } from "../../../src/agent/explain/explanation-text.ts";
import { transcript } from "../../../src/agent/explain/transcript.ts";
import { collected, Events, readBody } from "./events.ts";

const tool = (toolId: string, command: string, req?: number) => ({
  toolId,
  name: "Bash",
  input: JSON.stringify({ command }),
  agent: "main",
  ...(req === undefined ? {} : { req }),
});

function changed(): Events {
  return new Events()
    .add("session_start", { client: "claude" })
    .call(1, {})
    .add("paused", { stop: { id: "s1", agent: { id: "main" } } })
    .add("variable_set", { key: "temperature", value: 0 })
    .add("command_executed", { type: "edit_request" })
    .add("resumed", { stopId: "s1", heldMs: 10, outcome: "release", by: "socket" })
    .add("api_request_edit", { req: 1, agent: "main", body: "{}" })
    .add("tool_call_start", tool("t1", "rm -rf build"))
    .add("tool_call_cancel", { toolId: "t1", name: "Bash", reason: "no", agent: "main" })
    .answer(1, {})
    .add("assistant_text", { agent: "main", req: 1, content: "I clean up." })
    .add("tool_result", { toolId: "t1", name: "Bash", content: "no", isError: true, agent: "main" })
    .call(2, {})
    .add("paused", { stop: { id: "s2", agent: { id: "main" } } })
    .add("resumed", { stopId: "s2", heldMs: 10, outcome: "answer", by: "socket" })
    .add("command_executed", { type: "kill_call" });
}

test("all that was done by hand is counted, and what was forbidden is no failure", async () => {
  const run = await explainRun(changed().batches(), { readBody });
  expect(run.errors).toEqual([]);
  const text = explanationText(run);
  expect(text).toContain(
    "by hand: 1 changed setting, 1 edited request, 1 model call that was not sent, 1 cancelled tool call",
  );
  expect(text).toContain("Bash · 1 call · no times recorded · 1 cancelled by hand");
  expect(text).toContain("errors: none");
});

test("what the model said stands before the tools of the same answer, and what was done by hand in its place", async () => {
  const text = await collected(transcript(changed().batches(3), { readBody }));
  expect(text).toMatchInlineSnapshot(`
    "-- run debug_20261115_100000_abcd · claude · 2026-11-15T10:00:00.010Z
    -- stopped · s1
    -- set by hand: temperature = 0
    -- the held request was replaced by hand
    -- goes on · held 10 ms
    -- request 1 was changed before it was sent
    assistant
      I clean up.
    calls Bash
      {"command":"rm -rf build"}
    -- cancelled by hand: t1 · no
    Bash did not run; the model was told
      no
    -- stopped · s2
    -- not sent: ended by hand, with a text as its answer · held 10 ms
    "
  `);
});

test("a call that the model made again is told by where", async () => {
  const events = new Events();
  for (const req of [1, 2, 3])
    events
      .call(req, {})
      .answer(req, {})
      .add("tool_call_start", tool(`t${req}`, "ls", req === 2 ? 2 : undefined));
  const text = explanationText(await explainRun(events.batches(), { readBody }));
  expect(text).toContain("Bash 3 times, 3 in a row · asked for by model calls 1, 2, 3 ·");
  expect(text).toContain("cache: not used: no call left anything in it for the 2 later calls");
});

test("what is held now counts until now", async () => {
  const events = new Events()
    .add("session_start", {})
    .add("paused", { stop: { id: "s1", agent: { id: "main" } } });
  const now = Date.parse(events.all.at(-1)?.timestamp ?? "") + 60_000;
  const text = explanationText(await explainRun(events.batches(), { readBody, now }));
  expect(text).toContain("1 m 0 s · held now");
  expect(text).toContain("held 1 m 0 s in 1 stop, 1 of them held now");
  expect(explanationText(await explainRun(events.batches(), { readBody }))).toContain(
    "not ended in this file",
  );
});

test("a stop of another make, which does not say for how long it was held, is timed by its events", async () => {
  const events = new Events().add("paused", {}).add("resumed", {}, 2500);
  expect((await explainRun(events.batches(), { readBody })).held).toMatchObject({ stops: 1, ms: 2500 });
});

test("stops that overlap count once, in whatever order they end", async () => {
  const stop = (id: string) => ({ stop: { id, tool: { id, name: "Bash" } } });
  const end = (stopId: string, heldMs: number) => ({ stopId, heldMs, by: "socket" });
  const events = new Events()
    .add("paused", stop("s1"))
    .add("paused", stop("s2"), 100)
    .add("resumed", end("s2", 200), 200)
    .add("paused", stop("s3"), 100)
    .add("resumed", end("s1", 500), 100)
    .add("resumed", end("s3", 300), 200)
    .add("paused", stop("s4"), 1000)
    .add("resumed", end("s4", 50), 50);
  const { held } = await explainRun(events.batches(), { readBody });
  expect(held).toMatchObject({ stops: 4, ms: 750, by: { socket: 1050 } });
});

test("what ends by itself is not said to be done by hand", async () => {
  const events = new Events()
    .add("tool_call_start", tool("t1", "ls"))
    .add("paused", { stop: { id: "s1", agent: { id: "main" }, tool: { id: "t1", name: "Bash" } } })
    .add("resumed", { stopId: "s1", heldMs: 10, outcome: "fail", by: "the agent has ended" })
    .add("tool_call_cancel", { toolId: "t1", name: "Bash", reason: "the agent has ended", agent: "main" });
  expect(explanationText(await explainRun(events.batches(), { readBody }))).not.toContain("by hand");
  const text = await collected(transcript(events.batches(), { readBody }));
  expect(text).toContain("did not go on: ended with an error · the agent has ended · held 10 ms");
  expect(text).not.toContain("by hand");
});
