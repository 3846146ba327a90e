import { describe, expect, test } from "vitest";
import { StreamRing } from "../../../src/agent/wire/stream-ring.ts";

describe("the ring of raw events", () => {
  test("keeps the last thousand and counts all", () => {
    const ring = new StreamRing();
    for (let n = 1; n <= 2500; n++) ring.add(1, { event: "ping", data: `${n}` });
    const entries = ring.entries();
    expect(entries.length).toBe(1000);
    expect([entries[0], entries.at(-1)]).toMatchObject([
      { n: 1501, data: "1501", event: "ping", req: 1 },
      { n: 2500, data: "2500" },
    ]);
    expect(ring.totals).toMatchObject({ events: 2500, keptEvents: 1000, truncated: 0 });
  });

  test("keeps 512,000 characters in all", () => {
    const ring = new StreamRing();
    for (let n = 0; n < 100; n++) ring.add(1, { data: "x".repeat(10_000) });
    expect(ring.totals).toMatchObject({ characters: 1_000_000, keptEvents: 51, keptCharacters: 510_000 });
  });

  test("an event of more than 64,000 is cut, and says so", () => {
    const ring = new StreamRing();
    ring.add(1, { data: "😀".repeat(50_000) });
    ring.add(1, { data: "after" });
    const [long, after] = ring.entries();
    expect(long?.data).toMatch(/^(😀){32000}… \(36000 more characters\)$/);
    expect(long?.cut).toBe(36_000);
    expect(after?.data).toBe("after");
    expect(ring.totals).toMatchObject({ characters: 100_005, truncated: 1 });
  });
});
