import { describe, expect, test } from "vitest";
import { type Call, callTree, type Step } from "../../../src/trace/call-tree.ts";
import { missingIn } from "../../../src/trace/missing.ts";
import { activations } from "../../../src/trace/origin/activations.ts";
import type { LineEvent } from "../../../src/trace/record.ts";
import { lineRecord, type Row } from "./records.ts";

const tree = (rows: Row[]) => callTree(lineRecord(rows).hits as LineEvent[]);

/** `2 [3 4|3 4|3] 5` */
function drawn(steps: readonly Step[]): string {
  return steps
    .map((step) => (step.kind === "line" ? String(step.line) : `[${step.rounds.map(drawn).join("|")}]`))
    .join(" ");
}

const only = ([call]: Call[]) => call ?? expect.fail("no call");

describe("calls", () => {
  test("a change belongs to the line before", () => {
    const call = only(
      tree([
        ["call", 1, { n: "2" }],
        ["line", 2],
        ["line", 3, { s: "0" }],
        ["return", 3, {}, { value: "0" }],
      ]),
    );
    expect(call.arguments).toEqual([["n", "2"]]);
    expect(call.steps).toMatchObject([
      { line: 2, changes: [["s", "0"]] },
      { line: 3, changes: [] },
    ]);
    expect(call.ended).toEqual({ how: "return", value: "0", line: 3 });
  });

  test("nest under the line that made them", () => {
    const call = only(
      tree([
        ["call", 1],
        ["line", 2],
        ["call", 10, {}, { call: 2, parent: 1, function: "inner" }],
        ["line", 11, {}, { call: 2, parent: 1, function: "inner" }],
        ["throw", 11, {}, { call: 2, parent: 1, function: "inner", value: "Error" }],
        ["line", 3],
      ]),
    );
    expect(call.steps).toMatchObject([
      { line: 2, calls: [{ function: "inner", ended: { how: "throw" } }] },
      { line: 3 },
    ]);
    expect(call.ended).toBeUndefined();
  });

  test("a call whose beginning was not kept is left out", () => {
    expect(
      tree([
        ["line", 2],
        ["return", 3],
      ]),
    ).toEqual([]);
  });
});

describe("loops", () => {
  const lines = (...numbers: number[]) =>
    drawn(only(tree([["call", 1], ...numbers.map((line): Row => ["line", line])])).steps);

  test("rounds begin at the head", () => {
    expect(lines(2, 3, 4, 3, 4, 3, 5)).toBe("2 [3 4|3 4|3] 5");
  });

  test("within loops", () => {
    expect(lines(2, 3, 4, 3, 4, 3, 2, 3, 4, 3, 2, 6)).toBe("[2 [3 4|3 4|3]|2 [3 4|3]|2] 6");
  });

  test("a branch in a round stays in it", () => {
    expect(lines(2, 3, 5, 2, 4, 5, 2, 6)).toBe("[2 3 5|2 4 5|2] 6");
  });

  test("no loop without a jump back", () => {
    expect(lines(2, 3, 4)).toBe("2 3 4");
  });
});

describe("a record with a gap", () => {
  /** The first eight events and the last eight of a loop of a hundred rounds. */
  const record = () => {
    const rows: Row[] = [
      ["call", 1],
      ["line", 2],
    ];
    for (let round = 1; round <= 100; round++)
      rows.push(["line", 3, { n: `${round}` }], ["line", 4, { i: `${round}` }]);
    rows.push(["line", 3, { n: "101" }], ["line", 5, {}], ["return", 5, {}, { value: "7" }]);
    const whole = lineRecord(rows);
    const hits = [...whole.hits.slice(0, 8), ...whole.hits.slice(-8)] as LineEvent[];
    const missing = missingIn({ seen: rows.length, plan: { ...whole.plan, maxHits: 16 } });
    return { hits, missing };
  };

  test("no loop runs over it, and no line changed what is told behind it", () => {
    const { hits, missing } = record();
    expect(missing).toEqual({ count: 189, after: 8 });
    const { steps, ended } = only(callTree(hits, missing));
    expect(drawn(steps)).toBe("2 [3 4|3 4|3 4] 0 4 [3 4|3 4|3] 5");
    expect(steps.map((step) => (step.kind === "loop" ? step.part : step.missing))).toEqual([
      undefined,
      "before",
      189,
      undefined,
      "after",
      undefined,
    ]);
    const before = steps[1]?.kind === "loop" ? steps[1].rounds.at(-1)?.at(-1) : undefined;
    expect(before).toMatchObject({ line: 4, changes: [] });
    expect(steps[2]).toMatchObject({ changes: [["i", "98"]] });
    expect(ended?.value).toBe("7");
  });

  test("a call from behind it belongs to no line before it, and says that it is from there", () => {
    const rows: Row[] = [
      ["call", 1],
      ["line", 2],
      ["line", 4, { i: "9" }],
      ["call", 10, {}, { call: 9, parent: 1, function: "inner" }],
    ];
    const hits = lineRecord(rows).hits as LineEvent[];
    const cut = [...hits.slice(0, 2), ...hits.slice(3)];
    const { steps } = only(callTree(cut, { count: 1, after: 2 }));
    expect(steps).toMatchObject([
      { line: 2, calls: [], changes: [] },
      { missing: 1, calls: [{ function: "inner", isAfter: true }] },
    ]);
    const [outer, inner] = activations(cut, { count: 1, after: 2 });
    expect(outer?.lines).toMatchObject([{ line: 2, changes: [] }]);
    expect(inner?.calledAt).toBe(0);
  });
});
