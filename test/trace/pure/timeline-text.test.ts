import { expect, test } from "vitest";
import { timelineText } from "../../../src/commands/trace/timeline-text.ts";
import { pointRecord } from "./records.ts";

const options = { cwd: "/p", whole: true, bytes: 4000 } as Parameters<typeof timelineText>[1];
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => [String(at)]);

test("hits that were not kept leave a hole where they were", () => {
  const record = pointRecord(["i"], rowsOf(10));
  const kept = { ...record, hits: record.hits.filter(({ seq }) => seq <= 3 || seq > 7) };
  expect(timelineText(kept, options).lines.slice(3, 6)).toEqual([
    expect.stringContaining("i = 2"),
    "  … 4 hits were not kept here",
    expect.stringContaining("i = 7"),
  ]);
  // Who asked for some of the hits misses none of them.
  expect(timelineText(kept, { ...options, filtered: true }).lines.join("\n")).not.toContain("not kept");
});

test("where the clock has another order than the numbers, what is missing is told once, above", () => {
  const record = pointRecord(["i"], rowsOf(10));
  // Two processes: the second tells all of its hits later.
  const told = record.hits.map((hit) => ({
    ...hit,
    ms: hit.seq <= 5 ? hit.seq : hit.seq - 4.5,
    thread: hit.seq <= 5 ? "1 main" : "2 main",
  }));
  const kept = { ...record, hits: told.filter(({ seq }) => seq <= 2 || seq > 4) };
  const { lines } = timelineText(kept, options);
  expect(lines[1]).toBe("2 hits were not kept: missing from this list");
  expect(lines.slice(2)).toHaveLength(8);
  expect(lines.slice(2).join("\n")).not.toContain("not kept");
  const whole = timelineText({ ...record, hits: told }, options).lines;
  expect(whole.join("\n")).not.toContain("not kept");
});

test("a hole among rows that are left out is told with them", () => {
  const record = pointRecord(["i"], rowsOf(100));
  const kept = { ...record, hits: record.hits.filter(({ seq }) => seq <= 50 || seq > 60) };
  const { lines, hidden } = timelineText(kept, { ...options, whole: false, bytes: 600 });
  expect(lines).toContain(`  … ${hidden} more, and 10 hits were not kept here`);
  expect(lines.length - 2 + hidden).toBe(90);
});

test("very many rows", () => {
  const record = pointRecord(["i"], rowsOf(300_000));
  expect(timelineText(record, { ...options, whole: false }).lines[0]).toContain("300000 moments");
});

test("one thread is named once; the file and every value are in each row", () => {
  const long = "store.byName[request.collection][request.name].items.length";
  const record = pointRecord([long, "b"], [["1", "x".repeat(300)]]);
  const { lines } = timelineText(record, options);
  expect(lines[0]).toBe("timeline of 1 moment, 1 thread (main), by the clock");
  expect(lines[1]).toMatch(/\S+:\d+ .*store\.byName\S*…\S*items\.length = 1 {2}b = x{10,}…$/);
});

test("a long path keeps its file and line, and loses the folder", () => {
  const record = pointRecord(["i"], rowsOf(1));
  const point = { ...record.plan.points[0], key: `${"deep/".repeat(20)}inner/app.js:12` };
  const kept = { ...record, plan: { ...record.plan, points: [point] } } as typeof record;
  expect(timelineText(kept, options).lines[1]).toContain("app.js:12");
});
