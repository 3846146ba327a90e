/** `sonde test` on programs that do far too much to be recorded whole, before the test and in it: the line that is wrong is still named. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { type Answer, asked } from "./test-answers.ts";

const slow = { timeout: 300_000 };
const MANY = 100_000;

const PYTHON = {
  "tables.py": `def mixed(number):
    left = number * 7
    return left % 1000


TABLE = {number: mixed(number) for number in range(${MANY})}


def once(number):
    yield number


def summed(most):
    total = 0
    waiting = once(most)
    next(waiting)
    for number in range(most):
        total += mixed(number)
    for number in waiting:
        total += number
    extra = most - most
    total = total % 10 + extra
    return total + 1004


def rest_of(total):
    rest = total % 7
    return rest * 1000 + 5


def staged(most):
    total = summed(most)
    return rest_of(total)


def price(code, count):
    each = {"a": 10, "b": 20, "c": 30}[code]
    if count > 3:
        each = each - 1
    return each * count
`,
  "test_tables.py": `import unittest
from tables import mixed, price, staged, summed


class Large(unittest.TestCase):
    def test_price(self):
        for number in range(${MANY}):
            mixed(number)
        for code, count, want in [("a", 1, 10), ("b", 2, 40), ("c", 3, 87)]:
            got = price(code, count)
            self.assertEqual(got, want)

    def test_sum(self):
        got = summed(${MANY})
        self.assertEqual(got, 0)

    def test_stages(self):
        got = staged(${MANY})
        self.assertEqual(got, 0)
`,
};

const JAVASCRIPT = {
  "package.json": "{}\n",
  "tables.js": `function mixed(number) {
  const left = number * 7;
  return left % 1000;
}
const table = [];
for (let number = 0; number < ${MANY}; number++) table[number % 10] = mixed(number);
function* once(number) {
  yield number;
}
function summed(most) {
  let total = 0;
  const waiting = once(most);
  waiting.next();
  for (let number = 0; number < most; number++) {
    total += mixed(number);
  }
  for (const number of waiting) total += number;
  const extra = most - most;
  total = (total % 10) + extra;
  return total + 1004;
}
function restOf(total) {
  const rest = total % 7;
  return rest * 1000 + 5;
}
function staged(most) {
  const total = summed(most);
  return restOf(total);
}
function price(code, count) {
  let each = { a: 10, b: 20, c: 30 }[code];
  if (count > 3) {
    each = each - 1;
  }
  return each * count;
}
module.exports = { mixed, price, staged, summed };
`,
  "tables.test.js": `const assert = require("node:assert");
const test = require("node:test");
const { mixed, price, staged, summed } = require("./tables.js");
test("price", () => {
  for (let number = 0; number < ${MANY}; number++) mixed(number);
  for (const [code, count, want] of [["a", 1, 10], ["b", 2, 40], ["c", 3, 87]]) {
    const got = price(code, count);
    assert.strictEqual(got, want);
  }
});
test("sum", () => {
  const got = summed(${MANY});
  assert.strictEqual(got, 0);
});
test("stages", () => {
  const got = staged(${MANY});
  assert.strictEqual(got, 0);
});
`,
};

function withFiles(files: Record<string, string>): Sonde {
  const sonde = borrowSonde();
  for (const [name, text] of Object.entries(files)) sonde.write(name, text);
  return sonde;
}

const languages: [string, Record<string, string>, string[], string[]][] = [
  ["javascript", JAVASCRIPT, ["node", "--test", "tables.test.js"], ["price", "sum", "stages"]],
  ...(spawnSync("python3", ["--version"]).status === 0
    ? ([
        [
          "python",
          PYTHON,
          ["python3", "-m", "unittest", "test_tables"],
          ["test_price", "test_sum", "test_stages"],
        ],
      ] as [string, Record<string, string>, string[], string[]][])
    : []),
];

const returned = ({ origin }: Answer) =>
  (origin?.calls ?? []).map(({ function: name, value, source }) =>
    `${name} ${value} ${source}`.replace(/;$/, ""),
  );

describe.each(languages)("%s", (_language, files, words, [price = "", sum = "", stages = ""]) => {
  test("the failing statement, of which the test has done much before", slow, async () => {
    const answer = await asked(withFiles(files), ["test", "--name", price, "--", ...words], {
      timeoutMs: 280_000,
    });
    expect(answer).toMatchObject({ state: "failed", notes: [] });
    expect(returned(answer)).toEqual(["price 90 return each * count"]);
    const lines = answer.origin?.lines ?? [];
    expect(lines.map(({ source }) => source)).toContainEqual(expect.stringMatching(/each = \{/));
    expect(answer.origin?.incomplete).toBe(true);
  });

  test(
    "a call that was left out in part: what it returned, and nothing that another line did",
    slow,
    async () => {
      const answer = await asked(withFiles(files), ["test", "--name", sum, "--", ...words], {
        timeoutMs: 280_000,
      });
      expect(answer).toMatchObject({ state: "failed", notes: [] });
      expect(returned(answer)).toEqual(["summed 1004 return total + 1004"]);
      for (const { source, changes } of answer.origin?.lines ?? [])
        for (const { name } of changes) expect([source, source.includes(name)]).toEqual([source, true]);
    },
  );

  test("what is called last, after a call that was left out in part", slow, async () => {
    const answer = await asked(withFiles(files), ["test", "--name", stages, "--", ...words], {
      timeoutMs: 280_000,
    });
    expect(answer).toMatchObject({ state: "failed", notes: [] });
    expect(returned(answer)).toEqual([
      expect.stringMatching(/^staged 3005 return /),
      expect.stringMatching(/^rest_?[oO]f 3005 return rest /),
    ]);
    const lines = answer.origin?.lines ?? [];
    expect(lines.map(({ source, changes }) => [source, changes])).toContainEqual([
      expect.stringContaining("rest = total % 7"),
      [{ name: "rest", value: "3" }],
    ]);
  });
});
