/** TAP as different programs write it: which points fail, what they say, and where. */
import { expect, test } from "vitest";
import { pointsIn } from "../../src/runners/tap/points.ts";
import { tapReport } from "../../src/runners/tap/report.ts";

test("names of subtests, announced, summed up or in braces", () => {
  const paths = (tap: string) => pointsIn(tap).map(({ path }) => path.join(" > "));
  expect(paths("# Subtest: a\n    ok 1 - b\n    1..1\nok 1 - a # time=3ms\n1..1\n")).toEqual(["a > b", "a"]);
  expect(
    paths("    ok 1 - b\n        not ok 1 - d\n    not ok 2 - c\n    1..2\nnot ok 1 - a\n1..1\n"),
  ).toEqual(["a > b", "a > c > d", "a > c", "a"]);
  expect(paths("ok 1 - a {\n    ok 1 - b\n    1..1\n}\nok 2 - e\n1..2\n")).toEqual(["a", "a > b", "e"]);
});

test("a failure by Test::More, whose words come with it or on the other stream", () => {
  const points = "ok 1 - nothing\nnot ok 2 - five off\n";
  const words =
    "#   Failed test 'five off'\n#   at t/cart.t line 7.\n#          got: '25'\n#     expected: '30'\n";
  const end = "1..2\n# Looks like you failed 1 test of 2.\n";
  for (const tap of [points + words + end, points + end + words, words + points + end])
    expect(tapReport(tap, undefined)).toEqual({
      passed: 1,
      skipped: 0,
      failures: [
        {
          name: "five off",
          message: "five off",
          silent: true,
          printed: "not ok 2 - five off",
          places: [{ file: "t/cart.t", line: 7 }],
          compared: [
            { label: "expected", value: "'30'" },
            { label: "got", value: "'25'" },
          ],
        },
      ],
    });
});

test.each([
  ["#     Failed test (cart.c:main() at line 12)", "cart.c", 12],
  ["# (in test file test/cart.bats, line 5)\n#   `[ 1 = 2 ]' failed", "test/cart.bats", 5],
  ["# cart.c:30: expected 3", "cart.c", 30],
  ["  ---\n  operator: equal\n  at: Test.<anonymous> (/p/cart.js:9:7)\n  ...", "/p/cart.js", 9],
  [
    "  ---\n  at:\n    fileName: test/cart.js\n    lineNumber: 8\n    columnNumber: 3\n  ...",
    "test/cart.js",
    8,
  ],
])("a place in %j", (words, file, line) => {
  const [failure] = tapReport(`1..1\nnot ok 1 - x\n${words}\n`, undefined)?.failures ?? [];
  expect(failure?.places[0]).toEqual({ file, line });
});

test("skipped points and those that are still to do do not fail; what has no plan is no TAP", () => {
  const tap = "1..4\nok 1 # skip no network\nnot ok 2 - later # TODO someday\nok 3 - a \\# b\nok\n";
  expect(tapReport(tap, undefined)).toEqual({ passed: 2, skipped: 2, failures: [] });
  expect(tapReport("ok then\nnot ok at all\n", undefined)).toBeUndefined();
  expect(tapReport("1..3\nlet us see\n", undefined)).toBeUndefined();
});

test.each([
  ["1..3\nok 1\nok 2\n", "1 of 3 planned tests did not run"],
  ["ok 1\n    ok 1 - inner\n    1..1\nok 2 - outer\n1..4 # all\n", "2 of 4 planned tests did not run"],
  ["1..1\nok 1\nok 2\n", "2 tests ran, but the plan says 1"],
  ["1..2\nok\nok\nok\n", "3 tests ran, but the plan says 2"],
  ["1..3\nok 1\nBail out!  no database\n", "it bailed out: no database"],
  ["ok 1\nBail out!\n", "it bailed out"],
])("what did not run as planned: %j", (tap, message) => {
  expect(tapReport(tap, tap)?.failures.map((one) => one.message)).toEqual([message]);
});

test.each([
  "1..2\nok 1\nok 2\nok then\n",
  "1..1\nok 1\n1..2\nok 1\nok 2\n",
  "1..2\nok 1 - a\n  ---\n  ok: 1\n  ...\nok 2 # skip\n",
])("a plan that was kept, or that is not known to be broken: %j", (tap) => {
  expect(tapReport(tap, tap)?.failures).toEqual([]);
});

test("no plan is checked where not all is known that was printed", () => {
  expect(tapReport("1..3\nok 1\n", undefined)?.failures).toEqual([]);
});
