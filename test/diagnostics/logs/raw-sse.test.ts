/** raw-sse: `sonde agent sse`, the last of what providers streamed. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { EventLog } from "../../../src/agent/store/log.ts";
import { createSession, endSession } from "../../../src/agent/store/sessions.ts";
import { createSonde, type Sonde } from "../../support/sonde.ts";

interface Answer {
  entries: { n: number; req: number; event?: string; data: string; cut?: number }[];
  seen: { events: number; characters: number };
  kept: { events: number; characters: number; truncated: number };
}

/** A run that this process records, as `agent run` does. */
function recorded(sonde: Sonde) {
  const session = createSession(join(sonde.home, "state/agents"), {
    cwd: sonde.project,
    route: "proxy",
    version: "0.1.0",
  });
  const log = EventLog.open(session);
  return {
    streamed(req: number, events: string[]) {
      const raw = events.map((data) => `event: piece\ndata: ${data}\n\n`).join("");
      log.append("api_response", { req, agent: "main", model: "m", raw: log.store(raw) });
      log.flush();
    },
    end() {
      log.append("session_end", { exit: 0, reason: "exit" });
      log.close();
      endSession(session, { exit: 0 });
    },
  };
}

test("raw-sse: MAX_RAW_SSE_EVENTS, the last 1,000 events, and all are counted", async () => {
  await using sonde = createSonde();
  const run = recorded(sonde);
  run.streamed(
    1,
    Array.from({ length: 700 }, (_, n) => `a${n}`),
  );
  run.streamed(
    2,
    Array.from({ length: 800 }, (_, n) => `b${n}`),
  );
  run.end();
  const { seen, kept, entries } = await sonde.ask<Answer>("agent sse --tail 1000");
  expect(seen.events).toBe(1500);
  expect(kept.events).toBe(1000);
  expect(entries.at(-1)).toMatchObject({ n: 1500, req: 2, event: "piece", data: "b799" });
  expect(await sonde.text("agent sse --tail 2")).toMatch(
    /1499 call 2 piece \| b798\n +1500 call 2 piece \| b799\n/,
  );
});

test("raw-sse: MAX_RAW_SSE_CHARS, 512,000 characters of all together", async () => {
  await using sonde = createSonde();
  const run = recorded(sonde);
  run.streamed(
    1,
    Array.from({ length: 30 }, (_, n) => `${n} `.padEnd(50_000, "x")),
  );
  run.end();
  const { seen, kept } = await sonde.ask<Answer>("agent sse --tail 1");
  expect(seen).toEqual({ events: 30, characters: 1_500_000 });
  expect(kept).toEqual({ events: 10, characters: 500_000, truncated: 0 });
});

test("raw-sse: MAX_RAW_SSE_EVENT_CHARS, 64,000 characters of an event, and a mark where it was cut", async () => {
  await using sonde = createSonde();
  const run = recorded(sonde);
  run.streamed(1, ["y".repeat(100_000)]);
  run.end();
  const { seen, kept } = await sonde.ask<Answer>("agent sse");
  expect(seen.characters).toBe(100_000);
  expect(kept).toMatchObject({ events: 1, truncated: 1 });
  expect(kept.characters).toBeLessThan(64_100);
  expect(await sonde.text("agent sse")).toContain("[36000 characters not kept]");
});

test("raw-sse: tail-follow shows what is streamed from now on, until the run is over", async () => {
  await using sonde = createSonde();
  const run = recorded(sonde);
  run.streamed(1, ["one", "two", "three"]);
  await sonde.text("status");
  const child = sonde.spawn("agent sse --follow --tail 2");
  let text = "";
  const has = (wanted: string) =>
    new Promise<void>((done) => child.stdout?.on("data", () => text.includes(wanted) && done()));
  child.stdout?.on("data", (data) => {
    text += String(data);
  });
  await has("three");
  expect(text).not.toContain("| one");
  const seen = has("| five");
  run.streamed(2, ["four", "five"]);
  await seen;
  const closed = new Promise((done) => child.once("close", done));
  run.end();
  expect(await closed).toBe(0);
  expect(text.match(/\| (\w+)/g)).toEqual(["| two", "| three", "| four", "| five"]);
  expect(text).toContain("2 new events of 5 seen");
});
