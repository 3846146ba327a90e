import { expect, test } from "vitest";
import { culprit } from "../../../src/trace/diff/culprit.ts";
import { momentsOf } from "../../../src/trace/diff/moments.ts";
import { lineRecord, type Row } from "./records.ts";

const versions = {
  shown: ({ values }: { values: ReadonlyMap<string, string> }) => values,
  inB: (path: string, line: number) => `${path}:${line}`,
  isSameFile: () => true,
};

/** One call in another, each of which returns what the innermost one does. */
function nested(levels: number, value: string) {
  const calls = Array.from({ length: levels }, (_, at) => at + 1);
  const more = (call: number) => ({ call, ...(call === 1 ? {} : { parent: call - 1 }) });
  const rows = [
    ...calls.map((call): Row => ["call", 1, { n: `${call}` }, more(call)]),
    ...calls.reverse().map((call): Row => ["return", 2, {}, { ...more(call), value }]),
  ];
  return momentsOf(lineRecord(rows));
}

test("calls as deep as a program can go: the innermost is found", () => {
  const found = culprit(nested(20_000, "1"), nested(20_000, "2"), versions);
  expect(found?.a.given).toEqual(new Map([["n", "20000"]]));
});

test("calls that give the same, as deep as a program can go", () => {
  expect(culprit(nested(20_000, "1"), nested(20_000, "1"), versions)).toBeUndefined();
});

test("many calls side by side: each place is looked up once", () => {
  const calls = (name: string) =>
    momentsOf(
      lineRecord(
        Array.from({ length: 4000 }, (_, at): Row[] => [
          ["call", at + 1, { n: `${at}` }, { call: at + 1, function: `${name}${at}` }],
          ["return", at + 1, {}, { call: at + 1, function: `${name}${at}`, value: "1" }],
        ]).flat(),
      ),
    );
  let asked = 0;
  const inB = (path: string, line: number) => {
    asked++;
    return `${path}:${line + 100_000}`;
  };
  culprit(calls("old"), calls("new"), { ...versions, inB });
  expect(asked).toBeLessThanOrEqual(4000);
});
