/** A recording toward a place, with more events than are kept: calls that are still open keep their beginning and the line that runs. */
import { expect, test } from "vitest";
import { missingIn } from "../../../src/trace/missing.ts";
import { activations } from "../../../src/trace/origin/activations.ts";
import type { Plan } from "../../../src/trace/plan.ts";
import type { LineEvent } from "../../../src/trace/record.ts";
import { Recording } from "../../../src/trace/recording.ts";
import { lineRecord, type Row } from "./records.ts";

const toward = { path: "/p/app.py", first: 9, last: 9, values: [], before: [], events: 1000, ms: 1000 };
const plan: Plan = {
  points: [],
  lines: { functions: [], under: [], depth: 9, toward },
  frames: 0,
  valueChars: 120,
  maxHits: 12,
};

/** `work` calls `outer` on line 3; `outer` passes 20 and 21, then calls `inner` on line 22 fifty times. */
function recorded(): Recording {
  const outer = { call: 2, parent: 1, function: "outer" };
  const rows: Row[] = [
    ["call", 1],
    ["line", 2],
    ["line", 3, { a: "1" }],
    ...[4, 5, 6].flatMap((call): Row[] => [
      ["call", 40, {}, { call, parent: 1, function: "early" }],
      ["return", 40, {}, { call, parent: 1, function: "early" }],
    ]),
    ["call", 19, { n: "5" }, outer],
    ["line", 20, {}, outer],
    ["line", 21, { m: "1" }, outer],
    ["line", 22, { k: "2" }, outer],
  ];
  for (let call = 10; call < 60; call++) {
    const inner = { call, parent: 2, function: "inner" };
    rows.push(["call", 30, {}, inner], ["return", 30, {}, { ...inner, value: `${call}` }]);
  }
  rows.push(["line", 23, { sum: "9" }, outer], ["return", 23, {}, { ...outer, value: "9" }]);
  rows.push(["line", 4, { b: "9" }]);
  const recording = new Recording(plan);
  for (const hit of lineRecord(rows).hits as LineEvent[]) recording.hit(hit);
  return recording;
}

const told = (recording: Recording) => {
  const { seen, cut } = recording;
  const gap = missingIn({ seen, plan });
  return activations(recording.hits() as LineEvent[], gap && { ...gap, ...(cut && { calls: cut }) });
};

test("a call that began in the gap and goes on behind it", () => {
  const outer = told(recorded()).find((one) => one.function === "outer");
  expect(outer).toMatchObject({ calledAt: 3, arguments: [["n", "5"]], ended: { how: "return", value: "9" } });
  expect(outer?.lines.map(({ line, changes }) => [line, changes])).toEqual([
    [22, [["sum", "9"]]],
    [23, []],
  ]);
  expect(new Set(outer?.children.map(({ calledAt }) => calledAt))).toEqual(new Set([22]));
});

test("a call from before the gap that told nothing in it has its change", () => {
  const [work] = told(recorded());
  expect(work?.lines.map(({ line, changes }) => [line, changes])).toEqual([
    [2, [["a", "1"]]],
    [3, [["b", "9"]]],
    [4, []],
  ]);
});

test("what the recorder left out makes the record a part, and moves no gap", () => {
  const recording = new Recording(plan);
  recording.leftOut();
  for (const hit of lineRecord([["call", 1]]).hits as LineEvent[]) recording.hit(hit);
  expect([recording.seen, recording.dropped, missingIn({ seen: recording.seen, plan })]).toEqual([
    1,
    1,
    undefined,
  ]);
});
