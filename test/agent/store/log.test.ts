import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AgentEvent, StoredBlob } from "../../../src/agent/events.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { lastEvents, type ReadProgress, readEvents } from "../../../src/agent/store/reader.ts";
import { offsetBefore } from "../../../src/agent/store/seek.ts";
import { Workbench } from "./workbench.ts";

async function all(path: string, progress?: ReadProgress): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const batch of readEvents(path, progress && { progress })) events.push(...batch);
  return events;
}

const numbers = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);

describe("the log", () => {
  test("numbers events without gaps, and one write takes all of a turn", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder);
    const seen: AgentEvent[] = [];
    log.onEvent((event) => seen.push(event));
    log.append("turn_start", { agent: "main", turn: 1 });
    log.append("turn_end", { agent: "main", turn: 1, iterations: 1 });
    expect(statSync(folder.events).size).toBe(0);
    await new Promise(setImmediate);
    const events = await all(folder.events);
    log.close();
    expect(events).toEqual(seen);
    expect(events).toMatchObject([
      { type: "turn_start", sessionId: folder.id, seq: 1, data: { agent: "main", turn: 1 } },
      { type: "turn_end", sessionId: folder.id, seq: 2 },
    ]);
    expect((events[1]?.at ?? -1) >= (events[0]?.at ?? 0)).toBe(true);
    expect(statSync(folder.events).mode & 0o777).toBe(0o600);
  });

  test("a tail torn at any byte is repaired on open, and the numbers stay dense", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder);
    for (const text of ["one", "two é", "three"]) log.append("user_input", { content: text });
    log.close();
    const whole = readFileSync(folder.events);
    const second = whole.indexOf("\n") + 1;
    for (let end = second; end <= whole.length; end++) {
      writeFileSync(folder.events, whole.subarray(0, end));
      const again = EventLog.open(folder);
      again.append("user_input", { content: "next" });
      again.close();
      const events = await all(folder.events);
      expect(numbers(events)).toEqual(events.map((_, at) => at + 1));
      expect(events.at(-1)?.data).toEqual({ content: "next" });
      // A line of which only the end was missing counts as written.
      const kept =
        whole
          .subarray(0, end + 1)
          .toString("latin1")
          .split("\n").length - 1;
      expect(events).toHaveLength(kept + 1);
    }
  });

  test("kill -9 of the owner in the middle of writing: the tail is repaired, nothing before it is lost", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const program = bench.program(`
      import { EventLog } from "src/agent/store/log.ts";
      import { sessionFolder } from "src/agent/store/layout.ts";
      const log = EventLog.open(sessionFolder(process.argv[2], process.argv[3]));
      const write = () => {
        for (let at = 0; at < 500; at++) log.append("user_input", { content: "x".repeat(at) });
        setImmediate(write);
      };
      write();
      setImmediate(() => console.log("writing"));
    `);
    for (let round = 0; round < 3; round++) {
      const before = (await lastEvents(folder.events, 1))[0]?.seq ?? 0;
      const owner = bench.run(program, bench.root, folder.id);
      await owner.prints("writing");
      await owner.kill();
      // As a crash of the system would leave it.
      truncateSync(folder.events, statSync(folder.events).size - 7);
      const log = EventLog.open(folder);
      log.append("error", { message: "opened again" });
      log.close();
      const progress = { offset: 0, skipped: 0 };
      const events = await all(folder.events, progress);
      expect(progress.skipped).toBe(0);
      expect(events.length).toBeGreaterThan(before);
      expect(events.every(({ seq }, at) => seq === at + 1)).toBe(true);
    }
  });

  test("long text is kept once beside the events, whoever repeats it", () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder);
    const long = "ü".repeat(3000);
    const short = "u".repeat(4096);
    expect(log.store(short)).toBe(short);
    const stored = log.store(long) as StoredBlob;
    expect(stored).toMatchObject({ bytes: 6000, preview: "ü".repeat(200) });
    expect(log.append("tool_result", { toolId: "t", content: long, deep: [{ text: long }] }).data).toEqual({
      toolId: "t",
      content: stored,
      deep: [{ text: stored }],
    });
    log.close();
    expect(readdirSync(folder.blobs)).toEqual([stored.blob]);
    expect(log.blobs.text(stored)).toBe(long);
    expect(statSync(folder.blobs).mode & 0o777).toBe(0o700);
  });

  test("a request that repeats the one before it adds only what is new, and reads back as it was", () => {
    using bench = new Workbench();
    const log = EventLog.open(bench.session());
    const texts: string[] = [];
    const bodies = [];
    for (let turn = 1; turn <= 20; turn++) {
      const messages = Array.from({ length: turn }, (_, at) => ({
        role: "user",
        content: `${at} ${"é".repeat(2500)}`,
      }));
      const text = JSON.stringify({ model: "m", messages });
      const cuts = [...text.matchAll(/\{"role"/g)].map(({ index }) => index);
      texts.push(text);
      bodies.push(log.storeBody(text, cuts));
    }
    expect(bodies.map((body) => log.blobs.readBody(body))).toEqual(texts);
    const asked = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(log.bytes).toBeLessThan(asked / 4);
    log.close();
  });

  test("growth has a limit: then only what controls the session is kept, and one error says so", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder, { maxBytes: 20_000 });
    for (let at = 0; at < 1000; at++) log.append("user_input", { content: "x".repeat(100) });
    expect(log.append("paused", { stop: {} }).seq).toBe(log.seq);
    expect(log.store("y".repeat(5000))).toMatch(/^y{200}… \[5000 bytes, not kept\]$/);
    log.close();
    const events = await all(folder.events);
    expect(numbers(events)).toEqual(events.map((_, at) => at + 1));
    expect(events.filter(({ type }) => type === "error")).toMatchObject([
      { data: { message: expect.stringContaining("limit") } },
    ]);
    expect(events.at(-1)?.type).toBe("paused");
    expect(statSync(folder.events).size).toBeLessThan(21_000);
  });

  test("what is no JSON by itself is written all the same", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    log.append("error", { circle, big: 12n, when: new Date(0), failure: new Error("no"), f: () => 1 });
    log.close();
    expect(await all(folder.events)).toMatchObject([
      { data: { big: "12", when: "1970-01-01T00:00:00.000Z", failure: { name: "Error", message: "no" } } },
    ]);
  });
});

describe("reading", () => {
  test("bad lines are passed over and counted, and a last line without its end is left alone", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const good = (seq: number) => `{"type":"error","timestamp":"","sessionId":"s","seq":${seq},"data":{}}`;
    writeFileSync(folder.events, `${good(1)}\nnot json\n[]\n\n${good(2)}\n{"type":"err`);
    const progress = { offset: 0, skipped: 0 };
    expect(numbers(await all(folder.events, progress))).toEqual([1, 2]);
    expect(progress).toEqual({ offset: statSync(folder.events).size - 12, skipped: 2 });
    expect(numbers(await lastEvents(folder.events, 5))).toEqual([1, 2]);
    expect(numbers(await lastEvents(folder.events, 1))).toEqual([2]);
  });

  test("events of other tools have no number", async () => {
    using bench = new Workbench();
    const line =
      '{"type":"user_input","timestamp":"2026-01-23T13:10:00.000Z","sessionId":"x","data":{"input":"hi"}}\n';
    const dir = bench.foreign("debug_20260123_131000_abc1", { "events.jsonl": line.repeat(3) });
    expect(await all(`${dir}/events.jsonl`)).toHaveLength(3);
    expect(offsetBefore(`${dir}/events.jsonl`, 2)).toBe(0);
  });

  test("an event is found by its number without reading all before it", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder);
    for (let at = 0; at < 20_000; at++) log.append("user_input", { content: "x".repeat(at % 300) });
    log.close();
    for (const wanted of [0, 1, 777, 9999, 19_999, 20_000, 90_000]) {
      const from = offsetBefore(folder.events, wanted);
      const reading = readEvents(folder.events, { from });
      const batch = (await reading.next()).value as AgentEvent[];
      await reading.return(undefined);
      expect(batch[0]?.seq).toBeLessThanOrEqual(Math.max(1, wanted));
      if (wanted < 20_000) expect(numbers(batch)).toContain(wanted + 1);
    }
  });
});
