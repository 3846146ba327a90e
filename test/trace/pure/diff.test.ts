import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { align } from "../../../src/trace/diff/align.ts";
import { compare } from "../../../src/trace/diff/compare.ts";
import { mapLines } from "../../../src/trace/diff/lines.ts";
import { lineRecord, pointRecord } from "./records.ts";

describe("lines of two versions", () => {
  const a = ["def f(x):", "  y = x", "  return y"];

  test("an inserted line moves the others", () => {
    const map = mapLines(a, ["def f(x):", "  if x < 0:", "    x = 0", "  y = x", "  return y"]);
    expect([1, 2, 3].map((line) => map.toB(line))).toEqual([1, 4, 5]);
    expect([1, 2, 3, 4].map((line) => map.reaches(line))).toEqual([true, false, false, true]);
  });

  test("a changed line stands for the one in its place", () => {
    expect(mapLines(a, ["def f(x):", "  y = x + 1", "  return y"]).toB(2)).toBe(2);
  });

  test("a file that is the same is the same beyond its lines: an empty one runs at line 1", () => {
    const map = mapLines([], []);
    expect([map.toB(1), map.reaches(1)]).toEqual([1, true]);
  });

  test("indentation alone is no change", () => {
    expect(mapLines(["a", "b"], ["  a", "    b"]).toB(2)).toBe(2);
  });
});

describe("alignment", () => {
  const side = (text: string) => [...text];
  const joined = (a: string, b: string) =>
    align(side(a), side(b), {
      together: (x, y) => x.toLowerCase() === y.toLowerCase(),
      equal: (x, y) => x === y,
    }).map(({ a: x = "-", b: y = "-" }) => x + y);

  test("finds together again after what only one has", () => {
    expect(joined("abcd", "acd")).toEqual(["aa", "b-", "cc", "dd"]);
    expect(joined("acd", "abbcd")).toEqual(["aa", "-b", "-b", "cc", "dd"]);
    expect(joined("abc", "aBc")).toEqual(["aa", "bB", "cc"]);
    expect(joined("", "ab")).toEqual(["-a", "-b"]);
  });

  test("every element of both is there, once and in order", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "B", "c"), maxLength: 60 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const pairs = align(side(a), side(b), {
          together: (x, y) => x.toLowerCase() === y.toLowerCase(),
          equal: (x, y) => x === y,
        });
        expect(pairs.map((one) => one.a ?? "").join("")).toBe(a);
        expect(pairs.map((one) => one.b ?? "").join("")).toBe(b);
      }),
    );
  });

  test("long runs that part early take no table of their whole length", () => {
    const a = Array.from({ length: 20_000 }, (_, at) => at);
    const pairs = align(a, a.slice(300), { together: (x, y) => x === y, equal: () => true });
    expect(pairs.filter(({ b }) => b === undefined)).toHaveLength(300);
  });
});

describe("two runs", () => {
  const sources = { a: () => undefined, b: () => undefined };

  test("other values at the same place: which, and the line that made them", () => {
    const run = (s: string) =>
      lineRecord([
        ["call", 1, { n: "5" }],
        ["line", 2],
        ["line", 3, { s }],
        ["return", 3, {}, { value: s }],
      ]);
    expect(compare(run("1"), run("2"), sources)).toMatchObject({
      before: 2,
      first: {
        kind: "values",
        differing: [{ name: "s", a: "1", b: "2" }],
        a: { line: 3, ran: 2 },
        equal: [{ name: "n", value: "5" }],
      },
      more: [
        { what: "s", count: 1 },
        { what: "return value", count: 1 },
      ],
    });
  });

  test("another way taken", () => {
    const run = (line: number) =>
      lineRecord([
        ["call", 1],
        ["line", 2],
        ["line", line],
        ["line", 9],
      ]);
    expect(compare(run(3), run(5), sources)).toMatchObject({
      first: { kind: "path", a: { line: 3, ran: 2 }, b: { line: 5, ran: 2 } },
    });
  });

  test("a line that returns ran once, not twice; how often it ran in each is told", () => {
    const run = (rounds: number) =>
      lineRecord([
        ["call", 1],
        ["line", 2],
        ...Array.from({ length: rounds }).flatMap((_, at): Parameters<typeof lineRecord>[0] => [
          ["call", 5, {}, { call: at + 2 }],
          ["line", 6, {}, { call: at + 2 }],
          ["return", 6, {}, { call: at + 2, value: "1" }],
        ]),
        ["line", 3],
      ]);
    const { more } = compare(run(3), run(1), sources);
    expect(more).toEqual([
      { place: expect.stringMatching(/:6$/), what: "times run", count: 2, a: "3", b: "1" },
    ]);
  });

  test("addresses are no difference, and variables that one version lacks neither", () => {
    const run = (at: string, more: Record<string, string>) =>
      lineRecord([
        ["call", 1, { p: at, ...more }],
        ["line", 2],
      ]);
    expect(
      compare(run("<X at 0x7f1200aa>", {}), run("<X at 0x7f9900bb>", { extra: "1" }), sources),
    ).toMatchObject({
      before: 2,
      more: [],
    });
  });

  test("long values are compared as far as they are recorded, and it is said where that is not all", () => {
    const run = (text: string) => pointRecord(["x"], [["1"], [text]]);
    const long = "a".repeat(100);
    expect(compare(run(`${long}b…`), run(`${long}c…`), sources).first).toMatchObject({
      differing: [{ name: "x", a: `${long}b…`, b: `${long}c…` }],
    });
    expect(compare(run(`${long}…`), run(`${long}…`), sources)).toMatchObject({ matching: 2, partly: 1 });
    expect(compare(run(long), run(long), sources)).not.toHaveProperty("partly");
    // The cut falls elsewhere where addresses have other lengths.
    const at = (address: string, end: string) => run(`<A at ${address}> ${end}…`);
    expect(compare(at("0x7f12345678", "abc"), at("0x5555555", "abcdef"), sources).first).toBeUndefined();
    expect(compare(at("0x7f12345678", "abd"), at("0x5555555", "abcdef"), sources).first).toBeDefined();
    // What is whole and ends earlier is not the beginning of the other.
    expect(compare(run(`${long}…`), run("aaa"), sources).first).toBeDefined();
    expect(compare(run(`${long}…`), run(`${long}more`), sources).first).toBeUndefined();
  });

  test("points: a hit more in one run does not make all others differ", () => {
    const a = pointRecord(["i"], [["0"], ["1"], ["2"], ["3"]]);
    const b = pointRecord(["i"], [["1"], ["2"], ["3"]]);
    expect(compare(a, b, sources)).toMatchObject({
      before: 0,
      matching: 3,
      first: { kind: "values", differing: [{ name: "i", a: "0", b: "1" }] },
      more: [],
    });
  });

  test("threads are compared each with its own", () => {
    const run = (order: string[]) =>
      lineRecord(
        order.map((thread) => ["line", 2, { x: thread }, { thread, call: thread === "main" ? 1 : 2 }]),
      );
    expect(compare(run(["main", "w", "w", "main"]), run(["main", "main", "w", "w"]), sources)).toMatchObject({
      before: 4,
      more: [],
    });
  });
});
