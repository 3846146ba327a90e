/** Places as tables: what is hidden, what is said of that, and the command that shows it. */
import { describe, expect, test } from "vitest";
import { traceResult } from "../../../src/commands/trace/shapes.ts";
import { traceText } from "../../../src/commands/trace/text.ts";
import { UNAVAILABLE } from "../../../src/trace/plan.ts";
import type { TraceRecord } from "../../../src/trace/record.ts";
import { typedWords } from "../../support/typed-words.ts";
import { pointRecord } from "./records.ts";

const limits = { snapshotBytes: 4096, valueChars: 120, variables: 20, frames: 10, outputLines: 20 };

function shown({ hits, ...trace }: TraceRecord): string {
  const text = traceText(traceResult.parse({ trace, hits, file: "/p/t1.jsonl" }), {
    cwd: "/p",
    limits,
    say: typedWords,
  });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.snapshotBytes);
  return text;
}

const counted = (length: number, value = (at: number) => [String(at)]) =>
  Array.from({ length }, (_, at) => value(at));
const more = (text: string) => /^more: (.*); full record: t1\.jsonl$/m.exec(text)?.[1];

describe("what is shown", () => {
  test("all of up to 24 hits, with nothing to say of them", () => {
    const text = shown(pointRecord(["i"], counted(24)));
    expect(text.split("\n").slice(2)).toEqual([
      "app.py:3  24 hits  in work() -> main()",
      "  hit  i",
      ...counted(24, (at) => [`  ${String(at + 1).padStart(3)}  ${at}`]).flat(),
      "full record: t1.jsonl",
      "",
    ]);
  });

  test("of more a choice, and the command for the rest", () => {
    const text = shown(pointRecord(["i"], counted(40)));
    expect(text).toMatch(/\n +3 {2}2\n {2}… 34 more\n +38 {2}37\n/);
    expect(more(text)).toBe("`sonde trace show t1 --hits 4..37`");
  });

  test("names that are not known there: one command says why", () => {
    const rows = counted(3, (at) => [String(at), UNAVAILABLE, UNAVAILABLE]);
    const text = shown(pointRecord(["i", "a.b", "c"], rows));
    expect(text.match(/no value here/g)).toHaveLength(1);
    expect(text).toMatch(/^ {2}a\.b, c have no value here: `sonde probe \S+ --eval a\.b .*` says why$/m);
  });

  test("never a mark for one or two", () => {
    for (let length = 25; length < 60; length++) {
      const rows = counted(length, (at) => [String((at * 37) % 61), at % 9 < 4 ? "'a'" : "'b'"]);
      expect(shown(pointRecord(["n", "name"], rows))).not.toMatch(/… [12] more/);
    }
  });

  test("fewer where there is no room", () => {
    const text = shown(
      pointRecord(
        ["a", "b", "c", "d", "e"],
        counted(20, () => Array(5).fill("x".repeat(48))),
      ),
    );
    expect(text).toContain("\n  … 14 more\n");
    expect(text).toContain("\nmore: `sonde trace show t1 --hits 4..17`; ");
    expect(text).not.toContain("[cut");
  });

  test("of very many, a part and how to choose", () => {
    expect(more(shown(pointRecord(["i"], counted(500))))).toBe(
      "`sonde trace show t1 --hits 4..103` shows 100 of them, --where <condition> those that match",
    );
  });

  test("hits that nobody kept are not proposed", () => {
    const text = shown({ ...pointRecord(["i"], counted(4)), counts: [50] });
    expect(text).toContain("  … 46 more\n");
    expect(more(text)).toBeUndefined();
  });

  test("of several places the one that hides some, or all", () => {
    const record = (second: number) => {
      const [a, b] = [pointRecord(["i"], counted(40)), pointRecord(["k"], counted(second), "b.py:7")];
      return {
        ...a,
        plan: { ...a.plan, points: [...a.plan.points, ...b.plan.points] },
        bindings: [...a.bindings, ...b.bindings],
        counts: [...a.counts, ...b.counts],
        hits: [...a.hits, ...b.hits.map((hit) => ({ ...hit, point: 1 }))],
      };
    };
    expect(more(shown(record(3)))).toBe("`sonde trace show t1 --at app.py:3 --hits 4..37`");
    expect(more(shown(record(30)))).toBe("`sonde trace show t1 --all`");
  });
});

describe("what is said of columns", () => {
  const said = (expression: string, values: (at: number) => string[], names = [expression]) =>
    shown(pointRecord(names, counted(60, values)))
      .split("\n")
      .filter((line) => line.startsWith(`  ${expression} `));

  test("not what the rows show", () => {
    expect(said("i", (at) => [String(at)])).toEqual([]);
    expect(said("name", (at) => [at < 30 ? "'a'" : "'b'"])).toEqual([]);
    expect(said("id", (at) => [`'${at}'`])).toEqual([]);
  });

  test("what is the same in all that is hidden too", () => {
    expect(said("k", () => ["7"])).toEqual(["  k is the same at all hits"]);
  });

  test("values that no row has", () => {
    expect(said("name", (at) => [at > 20 && at < 40 && at % 2 ? "'b'" : "'a'"])).toEqual([
      "  name has 2 values, 20 changes",
    ]);
  });

  test("extremes for which there was no row", () => {
    const names = ["a", "b", "c", "d", "e"];
    const values = (at: number) => names.map((_, column) => String(((at + 10 + column * 5) * 7) % 60));
    expect(said("e", values, names)).toEqual([
      expect.stringMatching(/^ {2}e 0 … 5\d \(min at hit \d+, max at \d+\)$/),
    ]);
    expect(said("a", values, names)).toEqual([]);
  });
});

describe("the ways to a place", () => {
  const record = (...callers: string[]) => {
    const made = pointRecord(["i"], counted(6));
    const hits = made.hits.map((hit, at) => {
      const caller = callers[Math.max(0, at - 6 + callers.length)] ?? "";
      const frames = ["work", caller].map((name) => ({ function: name, path: "/p/app.py", line: 3 }));
      return hit.kind === "point" ? { ...hit, frames } : hit;
    });
    return shown({ ...made, hits }).split("\n")[2];
  };

  test("are named while they are few and short", () => {
    expect(record("main")).toBe("app.py:3  6 hits  in work() -> main()");
    expect(record("main", "retry")).toBe(
      "app.py:3  6 hits  in work() -> main() (5×) or work() -> retry() (1×)",
    );
    expect(record("a", "b", "c")).toMatch(
      / in work\(\) -> a\(\) \(4×\) or work\(\) -> b\(\) \(1×\) or work\(\) -> c\(\) \(1×\)$/,
    );
    expect(record("a", "b", "c", "d")).toMatch(/ in work\(\) -> a\(\) \(3×; 3 other paths\)$/);
    expect(record("a", "x".repeat(160))).toMatch(/ in work\(\) -> a\(\) \(5×; 1 other path\)$/);
  });
});
