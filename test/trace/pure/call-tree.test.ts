import { describe, expect, test } from "vitest";
import { type Call, callTree, type Step } from "../../../src/trace/call-tree.ts";
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
