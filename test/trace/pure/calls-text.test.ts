/** Calls as a report: which rounds and calls are shown of many, and what is shortened first when there is no room. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callsText } from "../../../src/commands/trace/calls-text.ts";
import { typedWords } from "../../support/typed-words.ts";
import { scratch } from "../support.ts";
import { lineRecord, type Row } from "./records.ts";

const SOURCE = `def work(items):
    total = 0
    for item in items:
        if item == 9: best = add(item)
        total += item
    return total

def add(n):
    more = n
    return more
`;

type Line = [line: number, changes?: Record<string, string>];

/** Calls of `work`: rounds of lines, each with the calls of `add` that its line 4 makes. */
class Report {
  readonly #path = join(scratch(), "app.py");
  readonly #rows: Row[] = [
    ["call", 1, { items: "[…]" }],
    ["line", 2],
  ];
  #before: Record<string, string> = { total: "0" };
  #calls = 1;

  constructor() {
    writeFileSync(this.#path, SOURCE);
  }

  round(lines: Line[], calls = 0): this {
    for (const [line, changes = {}] of lines) {
      this.#line(line, changes);
      if (line === 4) for (let at = 0; at < calls; at++) this.#add();
    }
    return this;
  }

  text({ bytes = 4000, whole = false } = {}) {
    this.#line(3, {});
    this.#line(6, {});
    this.#rows.push(["return", 6, {}, { value: "45" }]);
    const limits = { valueChars: 120, snapshotBytes: 4096, outputLines: 8 };
    const options = { cwd: "/p", limits, whole, bytes, cut: "[cut]", say: typedWords } as Parameters<
      typeof callsText
    >[1];
    return callsText(lineRecord(this.#rows, this.#path), options);
  }

  /** What a line changes is told at the next. */
  #line(line: number, changes: Record<string, string>): void {
    this.#rows.push(["line", line, this.#before]);
    this.#before = changes;
  }

  #add(): void {
    const more = { call: ++this.#calls, parent: 1, function: "add" };
    this.#rows.push(
      ["call", 8, { n: "9" }, more],
      ["line", 9, {}, more],
      ["line", 10, { more: "9" }, more],
      ["return", 10, {}, { ...more, value: `9 of call ${this.#calls}` }],
    );
  }
}

const plain = (n: number): Line[] => [[3, { item: `${n}` }], [4], [5, { total: `${n}` }]];
const gaps = (lines: readonly string[]) => lines.filter((line) => line.includes("…") && !line.includes("("));
const rounds = (lines: readonly string[]) => lines.flatMap((line) => /^ +round (\d+)$/.exec(line)?.[1] ?? []);

function report(count: number, special: Record<number, [Line[], number]> = {}): Report {
  const made = new Report();
  for (let n = 1; n <= count; n++) made.round(...(special[n] ?? [plain(n), 0]));
  return made;
}

test("rounds that are alike are counted, with one that they are like", () => {
  const { lines, more } = report(9).text();
  expect(rounds(lines)).toEqual(["1", "2", "9", "10"]);
  expect(gaps(lines)).toEqual(["    … 6 more rounds like round 1"]);
  expect(more).toBe(true);
});

test("a round that makes a recorded call is shown", () => {
  const { lines } = report(12, { 6: [plain(6), 1] }).text();
  expect(rounds(lines)).toEqual(["1", "2", "6", "12", "13"]);
  expect(gaps(lines)).toEqual(["    … 3 more rounds like round 1", "    … 5 more rounds like round 1"]);
  expect(lines.some((line) => line.trim().startsWith("add(n=9)"))).toBe(true);
});

test("a round in which a line changes another variable is shown", () => {
  const { lines } = report(12, {
    7: [
      [
        [3, { item: "7" }],
        [4, { best: "1" }],
        [5, { total: "8" }],
      ],
      0,
    ],
  }).text();
  expect(rounds(lines)).toEqual(["1", "2", "7", "12", "13"]);
  expect(lines.some((line) => line.endsWith("best = 1"))).toBe(true);
});

test("of many kinds, calls come first, then other lines, then what is rare; the rest is said to be unlike", () => {
  const other = (n: number, names: string[]): [Line[], number] => [
    [[3, { item: "1" }], [4, Object.fromEntries(names.map((name) => [name, `${n}`]))], [5]],
    0,
  ];
  const { lines } = report(30, {
    5: other(5, ["a"]),
    6: other(6, ["a"]),
    7: other(7, ["b"]),
    8: other(8, ["c"]),
    9: other(9, ["d"]),
    10: other(10, ["e"]),
    20: [[[3, { item: "20" }], [4]], 0],
    25: [plain(25), 1],
  }).text({ bytes: 9000 });
  expect(rounds(lines)).toEqual(["1", "2", "7", "8", "20", "25", "30", "31"]);
  expect(gaps(lines)).toContain("    … 11 more rounds, 2 of them unlike those shown");
  expect(gaps(lines)).toContain("    … 4 more rounds like round 1");
});

test("calls within are shortened before anything of the outer one is", () => {
  const all = report(4, { 2: [plain(2), 4], 3: [plain(3), 3] });
  const { lines } = all.text({ bytes: 1800 });
  expect(lines.join("\n").length).toBeLessThanOrEqual(1800);
  expect(lines.filter((line) => line.trim().startsWith("add(n=9) → 9 of call "))).toHaveLength(7);
  expect(rounds(lines)).toEqual(["1", "2", "3", "4", "5"]);
  // What is inside them has the rest of the room.
  expect(lines.slice(lines.indexOf("  returned 45"))).toEqual([
    "  returned 45",
    "lines that ran inside these calls: how often (– none recorded), and what each changed last",
    expect.stringMatching(/^ {2}add {2}\S*app\.py {2}7 calls$/),
    "     9 | more = n  ×7  more = 9",
    "    10 | return more  ×7",
  ]);
});

test("as many levels of calls are shown line by line as there is room for", () => {
  const path = join(scratch(), "deep.py");
  writeFileSync(path, "def outer():\n    middle()\ndef middle():\n    inner()\ndef inner():\n    pass\n");
  const middle = { call: 2, parent: 1, function: "middle" };
  const inner = Array.from({ length: 40 }, (_, at): Row[] => {
    const own = { call: 3 + at, parent: 2, function: `inner${at}` };
    return [
      ["call", 5, {}, own],
      ["line", 6, {}, own],
      ["return", 6, {}, own],
    ];
  });
  const rows: Row[] = [
    ["call", 1],
    ["line", 2],
    ["call", 3, {}, middle],
    ["line", 4, {}, middle],
    ...inner.flat(),
    ["return", 4, {}, { ...middle, value: "7" }],
    ["return", 2, {}, { value: "7" }],
  ];
  const record = { ...lineRecord(rows, path) };
  const limits = { valueChars: 120, snapshotBytes: 4096, outputLines: 8 };
  const shown = (bytes: number, whole: boolean) =>
    callsText(record, { cwd: "/p", limits, whole, bytes, cut: "[cut]", say: typedWords } as Parameters<
      typeof callsText
    >[1]).lines;
  const [all, some] = [shown(60_000, true), shown(3000, true)];
  expect(all.filter((line) => line.includes("6 | pass"))).toHaveLength(40);
  expect(some.filter((line) => line.includes("6 | pass"))).toHaveLength(0);
  expect(some.filter((line) => line.includes("4 | inner()"))).toHaveLength(1);
  expect(some.join("\n").length).toBeLessThanOrEqual(3000);
});

test("where all of it is too long the end is still there", () => {
  const { lines, more } = report(40, {}).text({ bytes: 700, whole: true });
  expect(lines.join("\n").length).toBeLessThanOrEqual(700);
  expect(lines[0]).toMatch(/^work\(/);
  expect(lines.filter((line) => line === "[cut]")).toHaveLength(1);
  expect(lines.at(-1)).toBe("  returned 45");
  expect(more).toBe(true);
});

test("a long report begins with the lines that ran in all calls, and those of which nothing was recorded", () => {
  const report = new Report();
  const long = (n: number) => `${n}${"x".repeat(100)}`;
  for (let n = 0; n < 12; n++)
    report.round(
      [
        [3, { item: long(n) }],
        [4, { best: long(n) }],
        ...(n % 3 === 0 ? [] : [[5, { total: long(n) }] as Line]),
      ],
      n % 4,
    );
  const { lines, more } = report.text({ bytes: 8000 });
  expect(more).toBe(true);
  expect(lines.slice(0, 9).map((line) => line.replace(/x+…?/g, "x").replace(/\/\S+\//, ""))).toEqual([
    "lines that ran in these calls: how often (– none recorded), and what each changed last",
    "  work  app.py  1 call",
    "    2 | total = 0  ×1  total = 0",
    "    3 | for item in items:  ×13  item = 11x",
    "    4 | if item == 9: best = add(item)  ×12  best = 11x",
    "    5 | total += item  ×8  total = 11x",
    "    6 | return total  ×1",
    "  add  app.py  18 calls",
    "     9 | more = n  ×18  more = 9",
  ]);
  expect(report.text({ bytes: 100_000, whole: true }).lines[0]).not.toContain("none recorded");
});

const NESTED = `def work(items):
    total = 0
    def inner(x):
        y = x + 1
        return y
    text = """
    not = code()
    """
    for item in items:
        if item > 90:
            total = add(
                item,
                more=(1),
            )
            text = "(" # )
        total += item
    return total
`;

test("lines without a record are statements of the function itself", () => {
  // A file for each text: the times of two writes in one moment can be the same.
  const told = (source: string, name: string) => {
    const file = join(scratch(), name);
    writeFileSync(file, source);
    const rows: Row[] = [];
    for (let call = 0; call < 30; call++) {
      rows.push(["call", 1, { items: "x".repeat(200) }]);
      for (const line of [2, 3, 6, 9, 10, 16, 17])
        rows.push(["line", line, { a: `${call}-${line}${"x".repeat(200)}` }]);
      rows.push(["return", 17, {}, { value: "1" }]);
    }
    const options = { cwd: "/p", whole: false, bytes: 8000, cut: "[cut]", say: typedWords } as Parameters<
      typeof callsText
    >[1];
    const { lines } = callsText(lineRecord(rows, file), options);
    expect(lines[0]).toContain("lines that ran in these calls");
    return lines.filter((line) => line.endsWith("  –")).map((line) => Number.parseInt(line, 10));
  };
  expect(told(NESTED, "app.py")).toEqual([11, 15]);
  expect(told(NESTED.replace("= 0", "= 0)"), "broken.py")).toEqual([]);
  expect(told(NESTED, "app.js")).toEqual([]);
});

test("calls that are shown whole need no table", () => {
  const path = join(scratch(), "app.py");
  writeFileSync(path, SOURCE);
  const long = "x".repeat(900);
  const rows: Row[] = [
    ["call", 1, { items: long }],
    ["line", 2],
    ["line", 3, { total: long }],
    ["line", 6, { item: long }],
    ["return", 6, {}, { value: "1" }],
  ];
  const options = { cwd: "/p", whole: false, bytes: 8000, cut: "[cut]", say: typedWords } as Parameters<
    typeof callsText
  >[1];
  const { lines, more } = callsText(lineRecord(rows, path), options);
  expect(more).toBe(true);
  expect(lines.join("\n").length).toBeGreaterThan(1600);
  expect(lines[0]).toMatch(/^work\(/);
});
