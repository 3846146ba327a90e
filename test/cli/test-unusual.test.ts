/** `sonde test`: lines that the failing tests ran, and few of those that pass. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { type Answer, asked } from "./test-answers.ts";

const slow = { timeout: 120_000 };
const OWN_PYTHON = join(resolve(import.meta.dirname, "../.."), ".adapters/pytest/bin/python");
const python = ["python3", OWN_PYTHON].find(
  (one) => spawnSync(one, ["-m", "pytest", "--version"]).status === 0,
);

function told({ origin }: Answer) {
  const { failed, passed, lines = [] } = origin?.unusual ?? {};
  return { failed, passed, lines: lines.map(({ line, failed, passed }) => `${line}: ${failed} ${passed}`) };
}

test("node:test, with tests that wait at the same time", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "words.js",
    `exports.words = async (text) => {
  await null;
  const parts = text.split(" ");
  if (text.includes("-")) {
    return joined(parts);
  }
  return parts.length;
};

function joined(parts) {
  return parts.length - 1;
}
`,
  );
  sonde.write(
    "words.test.js",
    `const { describe, it } = require("node:test");
const assert = require("node:assert");
const { words } = require("./words.js");
describe("words", { concurrency: true }, () => {
  it("one", async () => assert.equal(await words("a"), 1));
  it("dash", async () => {
    assert.equal(await words("a -"), 2);
  });
  it("two", async () => assert.equal(await words("a b"), 2));
  it("three", async () => assert.equal(await words("a b c"), 3));
});
`,
  );
  const answer = await asked(sonde, ["test", "--", "node", "--test", "words.test.js"]);
  expect(told(answer)).toEqual({ failed: 1, passed: 3, lines: ["11: 1 0", "5: 1 0"] });
  expect(JSON.stringify(answer.next)).toContain("joined");
});

describe.skipIf(python === undefined)("pytest", () => {
  test("several that fail, an expected exception, and a fixture", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "stock.py",
      `def take(stock, name, count):
    if name not in stock:
        raise KeyError(name)
    if count > stock[name]:
        count = part(stock, name)
    stock[name] -= count
    return count


def part(stock, name):
    return stock[name] + 1
`,
    );
    sonde.write(
      "test_stock.py",
      `import pytest
from stock import take


@pytest.fixture
def stock():
    yield {"a": 3}


def test_all(stock):
    assert take(stock, "a", 3) == 3


def test_more(stock):
    assert take(stock, "a", 4) == 3


def test_some(stock):
    assert take(stock, "a", 1) == 1


def test_unknown(stock):
    with pytest.raises(KeyError):
        take(stock, "b", 1)


def test_many(stock):
    assert take(stock, "a", 9) == 3
`,
    );
    const answer = await asked(sonde, ["test", "--", python ?? "", "-m", "pytest", "-q"]);
    expect(told(answer)).toEqual({ failed: 2, passed: 3, lines: ["11: 2 0", "5: 2 0"] });
    expect(JSON.stringify(answer.next)).toContain("part");
  });
});
