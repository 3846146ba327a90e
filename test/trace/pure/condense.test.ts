import { describe, expect, test } from "vitest";
import { condense } from "../../../src/trace/condense.ts";
import { exported } from "../../../src/trace/export.ts";
import { toFeedback } from "../../../src/trace/feedback.ts";
import { numberIn } from "../../../src/trace/numbers.ts";
import { UNAVAILABLE } from "../../../src/trace/plan.ts";
import { query } from "../../../src/trace/query.ts";
import { Recording } from "../../../src/trace/recording.ts";
import { parseWhere } from "../../../src/trace/where.ts";
import { pointRecord } from "./records.ts";

const hundred = Array.from({ length: 100 }, (_, at) => [
  String(at),
  at === 57 ? "-3" : "7",
  at < 40 ? "'a'" : "'b'",
]);

describe("condensing", () => {
  test("a few hits are shown whole", () => {
    const [table] = condense(pointRecord(["i"], [["0"], ["1"], ["2"]]), { whole: 12, rows: 12, gap: 2 });
    expect(table?.rows.map(({ values }) => values[0])).toEqual(["0", "1", "2"]);
    expect(table).toMatchObject({
      count: 3,
      after: 0,
      from: [{ stack: "work() -> main() @ app.py:3", count: 3 }],
    });
  });

  test("of many: the ends, the extremes, and where a value that seldom changes did", () => {
    const [table] = condense(pointRecord(["i", "odd", "name"], hundred), { whole: 12, rows: 12, gap: 2 });
    const shown = table?.rows.map(({ hit }) => hit) ?? [];
    expect(shown.length).toBeLessThanOrEqual(12);
    expect(shown).toEqual(expect.arrayContaining([1, 2, 3, 98, 99, 100, 58, 40, 41]));
    expect(table?.columns[0]).toMatchObject({
      min: { value: "0", hit: 1 },
      max: { value: "99", hit: 100 },
      changes: 99,
    });
    expect(table?.columns[1]).toMatchObject({ min: { value: "-3", hit: 58 }, changes: 2, distinct: 2 });
    expect(table?.columns[2]).toMatchObject({ changes: 1, distinct: 2 });
    expect(table?.columns[2]).not.toHaveProperty("min");
    const skipped = table?.rows.reduce((sum, row) => sum + row.skipped, 0) ?? 0;
    expect(skipped + shown.length).toBe(100);
  });

  test("a gap of one or two is shown; of what is hidden, the first and the last are told", () => {
    const rows = Array.from({ length: 30 }, (_, at) => [at === 5 ? "-1" : at === 20 ? "99" : "7"]);
    const shown = (gap: number) => {
      const [table] = condense(pointRecord(["n"], rows), { whole: 24, rows: 8, gap });
      return { hits: table?.rows.map(({ hit }) => hit), hidden: table?.hidden };
    };
    // The ends are 1, 2, 29, 30, the extremes 6 and 21, the changes around them 5 and 7.
    expect(shown(0)).toEqual({ hits: [1, 2, 5, 6, 7, 21, 29, 30], hidden: { first: 3, last: 28 } });
    expect(shown(2)).toEqual({ hits: [1, 2, 3, 4, 5, 6, 7, 21, 29, 30], hidden: { first: 8, last: 28 } });
    const [whole] = condense(pointRecord(["n"], rows.slice(0, 24)), { whole: 24, rows: 8, gap: 0 });
    expect(whole?.rows).toHaveLength(24);
    expect(whole).not.toHaveProperty("hidden");
  });

  test("hits that were not kept are counted after the last row", () => {
    const record = { ...pointRecord(["i"], [["0"], ["1"]]), counts: [50] };
    expect(condense(record, { whole: 12, rows: 12, gap: 2 })[0]).toMatchObject({ count: 50, after: 48 });
  });

  test("what could not be had is counted, and spoils no extremes", () => {
    const [table] = condense(pointRecord(["x"], [["4"], [UNAVAILABLE], ["2"]]), {
      whole: 12,
      rows: 12,
      gap: 2,
    });
    expect(table?.columns[0]).toMatchObject({ unavailable: 1, min: { value: "2" }, max: { value: "4" } });
  });
});

test.each([
  ["12", 12],
  ["-0.5", -0.5],
  ["1e9", 1e9],
  ["0x1f", 31],
  ["12n", 12],
  ["97 'a'", 97],
  ["'12'", undefined],
  ["12px", undefined],
  ["", undefined],
  ["true", undefined],
])("the number in %s", (text, number) => {
  expect(numberIn(text)).toBe(number);
});

describe("conditions on values", () => {
  const values = (name: string) => ({ sum: "-3", i: "12", name: '"ab"', "a.b[0]": "5", none: "None" })[name];
  const names = ["sum", "i", "name", "a.b[0]", "none"];

  test.each([
    ["sum < 0", true],
    ["sum < 0 && i > 12", false],
    ["i >= 12 and sum != 3", true],
    ["i > 100 || a.b[0] = 5", true],
    ['name == "ab"', true],
    ["name =~ ^.a", true],
    ["none == None", true],
    ["i > sum", true],
  ])("%s", (text, holds) => {
    expect(parseWhere(text, names)(values)).toBe(holds);
  });

  test("what is no condition says which names and operators there are", () => {
    for (const text of ["", "sum", "sum <", "sum ! 3"])
      expect(() => parseWhere(text, names)).toThrow(/is not <expression> <operator> <value>/);
  });

  test("a name that begins like a recorded one is another", () => {
    for (const text of ["x > 1", "summary = 3", "i > 0 && su < 1"])
      expect(() => parseWhere(text, names)).toThrow(/^--where: (x|summary|su) was not recorded/);
  });
});

describe("parts of a trace", () => {
  const record = pointRecord(["i", "odd"], hundred);
  const hits = (asked: Parameters<typeof query>[1]) =>
    query(record, asked).hits.map((hit) => (hit.kind === "point" ? hit.hit : 0));

  test("by range, condition, ends", () => {
    expect(hits({ hits: "7" })).toEqual([7]);
    expect(hits({ hits: "98.." })).toEqual([98, 99, 100]);
    expect(hits({ where: "odd < 0" })).toEqual([58]);
    expect(hits({ first: 2, last: 1 })).toEqual([1, 2, 100]);
    expect(() => hits({ hits: "x" })).toThrow(/not a number or a range/);
  });

  test("changes are those of the expressions that are asked for", () => {
    expect(hits({ changes: true, expressions: ["odd"] })).toEqual([1, 58, 59]);
    expect(() => hits({ expressions: ["zzz"] })).toThrow(/no expression zzz/);
    expect(() => hits({ at: ["b.py:1"] })).toThrow(/no place/);
  });

  test("a condition may speak of what is not shown", () => {
    const part = query(record, { where: "odd < 0", expressions: ["i"] });
    expect(part.hits).toMatchObject([{ values: ["57"] }]);
    expect(part.plan.points[0]?.expressions).toEqual(["i"]);
  });
});

test("the contract has every place, hit or not, and no frames without a source", () => {
  const record = pointRecord(["i", "sum"], [["0", "5"]]);
  const empty = { key: "b.py:9", path: "/p/b.py", line: 9, expressions: ["x"] };
  expect(toFeedback({ ...record, plan: { ...record.plan, points: [...record.plan.points, empty] } })).toEqual(
    {
      watchpoints: {
        "app.py:3": [
          { var: "i", value: "0" },
          { var: "sum", value: "5" },
        ],
        "b.py:9": [],
      },
      breakpoints: { "app.py:3": ["work() -> main() @ app.py:3"], "b.py:9": [] },
    },
  );
});

test("a table for other tools quotes what must be quoted", () => {
  const text = exported(pointRecord(["x"], [['"a,b"']]), "csv");
  expect(text.split("\n")[1]).toBe('1,0,main,point,app.py:3,1,"""a,b""",work() -> main() @ app.py:3');
});

describe("recording", () => {
  const plan = {
    points: [{ key: "a:1", path: "/a", line: 1, expressions: [] }],
    frames: 1,
    valueChars: 10,
    maxHits: 10,
  };
  const hit = { kind: "point" as const, point: 0, thread: "1", values: [], frames: [] };

  test("keeps the first half and the newest, and counts the rest", () => {
    const recording = new Recording(plan);
    for (let n = 0; n < 100; n++) recording.hit(hit);
    expect(recording.hits().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 96, 97, 98, 99, 100]);
    expect(recording).toMatchObject({ seen: 100, dropped: 90, counts: [100] });
  });

  test("what a collector lost is counted too", () => {
    const recording = new Recording(plan);
    recording.hit(hit);
    recording.lost(5, 0);
    expect(recording).toMatchObject({ seen: 6, dropped: 5, counts: [6] });
  });
});
