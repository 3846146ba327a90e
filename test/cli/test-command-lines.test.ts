/** `sonde test` lists the lines that a failing line depends on: they ran, and wrote what it reads. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { asked } from "./test-answers.ts";

const OWN_PYTHON = join(resolve(import.meta.dirname, "../.."), ".adapters/pytest/bin/python");
const python = ["python3", OWN_PYTHON].find(
  (one) => spawnSync(one, ["-m", "pytest", "--version"]).status === 0,
);
const slow = { timeout: 120_000 };

/** `file:line` of each. */
async function places(sonde: Sonde, line: string[]): Promise<string[]> {
  const { origin } = await asked(sonde, ["test", "--", ...line]);
  return (origin?.lines ?? []).map(({ path, line: at }) => `${path.split("/").at(-1)}:${at}`);
}

describe.skipIf(python === undefined)("Python", () => {
  test("a key or a list on the failing line may hold any characters", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "lang.py",
      `def tokens(text):
    found = [text]
    return found


def counts():
    langs = {"C": 1}
    langs["C++"] = 3
    return langs
`,
    );
    sonde.write(
      "test_lang.py",
      `from lang import counts, tokens


def test_list():
    assert tokens("x") == ["("]


def test_key():
    langs = counts()
    assert langs["C++"] == 2
`,
    );
    const line = ["--", python ?? "", "-m", "pytest", "-q"];
    const list = await asked(sonde, ["test", "--name", "test_list", ...line]);
    expect(list.origin?.lines.map((one) => one.line)).toContain(3);
    // What pytest's own names hold is not the test's.
    const traced = await sonde.text(["trace", "--function", "test_list", ...line]);
    expect(traced).toContain("assert tokens(");
    expect(traced).not.toContain("@py_");
    const key = await asked(sonde, ["test", "--name", "test_key", ...line]);
    expect(key.origin?.lines.map((one) => one.line)).toContain(8);
  });

  test("an object that is changed under another name: where it got that", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "depot.py",
      `class Depot:
    def __init__(self, amounts):
        self.amounts = amounts

    def take(self, what, many):
        if self.amounts[what] < many:
            return False
        self.amounts[what] -= many
        return True


class Desk:
    def __init__(self, depot):
        self.depot = depot
        self.log = []

    def sell(self, what, many):
        self.log.append(what)
        return self.depot.take(what, many)


def day(amounts):
    desk = Desk(Depot(amounts))
    desk.sell("nut", 3)
    return desk
`,
    );
    sonde.write(
      "test_depot.py",
      'from depot import day\n\n\ndef test_day():\n    mine = {"nut": 5}\n    day(mine)\n    assert mine == {"nut": 5}\n',
    );
    const found = await places(sonde, [python ?? "", "-m", "pytest", "-q"]);
    expect(found.slice(0, 6)).toEqual(expect.arrayContaining(["depot.py:3", "depot.py:8"]));
    // What has nothing to do with it, and the test itself.
    expect(found).not.toContain("depot.py:18");
    expect(found.filter((one) => one.startsWith("test_"))).toEqual([]);
  });

  test("a variable called returned is a variable", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "back.py",
      "def back(items):\n    returned = len(items) + 40\n    more = returned + 1\n    return more\n",
    );
    sonde.write("test_back.py", "from back import back\n\n\ndef test_back():\n    assert back([1]) == 41\n");
    const line = ["test", "--", python ?? "", "-m", "pytest", "-q"];
    const text = await sonde.text(line, { timeoutMs: 90_000 });
    expect(text).toMatch(/\n +2 \| returned = len\(items\) \+ 40 {2}returned = 41\n/);
    const { origin } = await asked(sonde, line);
    const last = origin?.lines.find((one) => one.line === 4);
    expect(last).toMatchObject({ changes: [], returned: "42" });
  });

  test("a line that ran more often than was kept ran at least so often", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "many.py",
      "def many(count):\n    total = 0\n    for one in range(count):\n        total += 2\n        total -= 1\n    return total\n",
    );
    sonde.write(
      "test_many.py",
      "from many import many\n\n\ndef test_few():\n    assert many(3) == 4\n\n\ndef test_often():\n    assert many(60000) == 4\n",
    );
    const line = ["--", python ?? "", "-m", "pytest", "-q"];
    const many = await sonde.text(["test", "--name", "test_often", ...line], { timeoutMs: 90_000 });
    expect(many).toMatch(/4 \| total \+= 2 .*\(at least \d+ times\)\n/);
    expect(many).not.toMatch(/\(\d+ times\)/);
    const few = await sonde.text(["test", "--name", "test_few", ...line], { timeoutMs: 90_000 });
    expect(few).toMatch(/4 \| total \+= 2 .*\(3 times\)\n/);
  });

  test("of several values that a call returned only the one that is compared", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "sums.py",
      `def most(values):
    best = values[0]
    for value in values:
        best = max(best, value)
    return best


def least(values):
    low = 0
    for value in values:
        low = min(low, value)
    return low


def both(values):
    high = most(values)
    low = least(values)
    return high, low
`,
    );
    sonde.write(
      "test_sums.py",
      'from sums import both\n\n\ndef test_both():\n    high, low = both([3, 2, 4])\n    assert low == 2, f"not {low}"\n',
    );
    const found = await places(sonde, [python ?? "", "-m", "pytest", "-q"]);
    expect(found.slice(0, 6)).toEqual(expect.arrayContaining(["sums.py:17", "sums.py:11", "sums.py:9"]));
    for (const line of [2, 4, 5, 16]) expect(found).not.toContain(`sums.py:${line}`);
  });
});

test("node: fields, captured variables and what is filled into a string", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("package.json", '{"type":"module"}');
  sonde.write(
    "meter.js",
    `export function createMeter() {
  const seen = new Map();
  return {
    note(name, count) {
      const before = seen.get(name) ?? 1;
      seen.set(name, before + count);
    },
    line(name) {
      const total = seen.get(name);
      return \`\${name}: \${total}\`;
    },
  };
}
`,
  );
  sonde.write(
    "meter.test.js",
    `import assert from "node:assert";
import test from "node:test";
import { createMeter } from "./meter.js";
test("a line", () => {
  const meter = createMeter();
  meter.note("a", 2);
  const line = meter.line("a");
  assert.equal(line, "a: 2");
});
`,
  );
  const found = await places(sonde, ["node", "--test"]);
  expect(found.slice(0, 6)).toEqual(
    expect.arrayContaining(["meter.js:10", "meter.js:9", "meter.js:6", "meter.js:5"]),
  );
});

test(
  "node: a loop or a condition that kept lines from running which would have given the value",
  slow,
  async () => {
    const sonde = borrowSonde();
    sonde.write(
      "widths.js",
      `exports.widths = function widths(rows) {
  const widest = [];
  for (const row of widest) {
    row.forEach((cell, at) => {
      widest[at] = Math.max(widest[at] ?? 0, cell.length);
    });
  }
  return widest;
};
exports.signs = function signs(numbers) {
  let text = "";
  if (numbers.length > 5) {
    text += "many";
  }
  if (numbers.length === 0) {
    console.log("none");
  }
  return text;
};
`,
    );
    sonde.write(
      "widths.test.js",
      `const test = require("node:test");
const assert = require("node:assert");
const { signs, widths } = require("./widths.js");
test("widths", () => assert.deepStrictEqual(widths([["ab", "c"]]), [2, 1]));
test("signs", () => assert.strictEqual(signs([1, 2, 3]), "many"));
`,
    );
    const linesOf = async (name: string) => {
      const { origin } = await asked(sonde, [
        "test",
        "--name",
        name,
        "--",
        "node",
        "--test",
        "widths.test.js",
      ]);
      return (origin?.lines ?? []).map(({ line }) => line).sort((one, other) => one - other);
    };
    expect(await linesOf("widths")).toEqual([2, 3, 8]);
    // The other condition has nothing to do with it.
    expect(await linesOf("signs")).toEqual([11, 12, 18]);
  },
);

test("node: code that cannot be read has its place in the answer", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("shelf.js", 'exports.add = (name) => {\n  const name = "x";\n  return name;\n};\n');
  sonde.write(
    "shelf.test.js",
    'const test = require("node:test");\nconst { add } = require("./shelf.js");\ntest("adds", () => add("a"));\n',
  );
  const text = await sonde.text(["test", "--", "node", "--test"], { timeoutMs: 90_000 });
  expect(text).toMatch(
    /\n {2}SyntaxError: Identifier 'name' has already been declared\n {2}\S*shelf\.js:2 \| const name = "x";\n/,
  );
});
