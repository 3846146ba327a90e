import { describe, expect, test } from "vitest";
import { parseSpeed, printReplay } from "../../../src/agent/replay/print.ts";
import { Events } from "../explain/events.ts";

function some(count: number, gapMs: number): Events {
  const events = new Events();
  for (let n = 0; n < count; n++) events.add("turn_start", { agent: "main", turn: n }, n === 0 ? 0 : gapMs);
  return events;
}

describe("replay as lines", () => {
  test("prints each event once, in order, and only what was asked for", async () => {
    let out = "";
    const write = (text: string) => {
      out += text;
    };
    const events = some(250, 5).add("error", { message: "x" });
    expect(await printReplay(events.batches(100), { write })).toEqual({ events: 251, complete: true });
    expect(
      out
        .split("\n")
        .map((line) => Number(line.slice(0, 6)))
        .slice(0, 251),
    ).toEqual([...Array(251).keys()].map((n) => n + 1));
    out = "";
    await printReplay(events.batches(100), { write, types: new Set(["error"]) });
    expect(out.trim().split("\n")).toHaveLength(1);
    out = "";
    await printReplay(events.batches(100), { write, from: { seq: 7 }, to: { seq: 9 } });
    expect(out.trim().split("\n")).toHaveLength(3);
  });

  test("keeps the pace of the recording, twice as fast if asked", async () => {
    const times: number[] = [];
    const write = () => {
      times.push(performance.now());
    };
    const start = performance.now();
    await printReplay(some(5, 100).batches(), { write, timed: true, speed: 2 });
    expect(times).toHaveLength(5);
    times.forEach((time, n) => {
      expect(time - start).toBeGreaterThanOrEqual(n * 50 - 2);
    });
  });

  test("a wait is cancelled at once", async () => {
    const cancel = new AbortController();
    const printed = printReplay(some(2, 3_600_000).batches(), {
      write: () => queueMicrotask(() => cancel.abort()),
      timed: true,
      signal: cancel.signal,
    });
    expect(await printed).toEqual({ events: 1, complete: false });
  });

  test("a slow reader is waited for", async () => {
    let open = 0;
    let most = 0;
    await printReplay(some(50, 0).batches(10), {
      write: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
      },
    });
    expect(most).toBe(1);
  });

  test("speeds", () => {
    expect([parseSpeed("2x"), parseSpeed("0.5"), parseSpeed("10x")]).toEqual([2, 0.5, 10]);
    for (const bad of ["0", "fast", "-1", "x", "1e9"])
      expect(() => parseSpeed(bad)).toThrow("is not a speed");
  });
});
