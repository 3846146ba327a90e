/** `sonde test`: state that was filled as files were loaded, exceptions that came of others, texts within texts. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { asked, places } from "./test-answers.ts";

const slow = { timeout: 120_000 };
const OWN_PYTHON = join(resolve(import.meta.dirname, "../.."), ".adapters/pytest/bin/python");
const python = ["python3", OWN_PYTHON].find(
  (one) => spawnSync(one, ["-m", "pytest", "--version"]).status === 0,
);

test("the line that filled a table as the file was loaded", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "escape.js",
    `const known = new Array(128);
for (let i = 0; i < 128; i++) {
  known[i] = letters(i + 1);
}

function letters(code) {
  return code === 110 ? "\\n" : "";
}

exports.unescape = (code) => {
  const found = known[code];
  return found;
};
`,
  );
  sonde.write(
    "escape.test.js",
    `const test = require("node:test");
const assert = require("node:assert");
const { unescape } = require("./escape.js");
test("a line break", () => {
  const made = unescape(110);
  assert.equal(made, "\\n");
});
`,
  );
  const { origin } = await asked(sonde, ["test", "--", "node", "--test", "escape.test.js"]);
  expect(origin?.lines.map(({ line, function: name }) => `${name}:${line}`)).toContain("<module>:3");
});

describe.skipIf(python === undefined)("pytest", () => {
  test("what the only call of an assertion returned, though the runner names no values", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "days.py",
      `def plain(function):
    def call(*given):
        return function(*given)

    return call


def is_weekend(day):
    return day in ("fri", "sat")


@plain
def is_open(day, closed):
    if day in closed:
        return False
    return not is_weekend(day)
`,
    );
    sonde.write(
      "test_days.py",
      `from days import is_open


def test_sunday():
    closed = ["mon"]
    assert not is_open("sun", closed)
`,
    );
    const { origin } = await asked(sonde, ["test", "--", python ?? "", "-m", "pytest", "-q"]);
    expect(origin?.calls.map((one) => `${one.function} ${one.line} ${one.value}`)).toEqual([
      "plain.call 3 True",
      "is_open 16 True",
    ]);
    expect(origin?.lines.map(({ line }) => line)).toContain(9);
  });

  test("what an exception came of is not who called the test", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "shop.py",
      `def price(row):
    return row["price"]


def total(rows):
    try:
        return sum(price(row) for row in rows)
    except KeyError as error:
        raise ValueError("bad row") from error
`,
    );
    sonde.write(
      "test_shop.py",
      `from shop import total


def rows():
    return [{"price": 3}, {"prize": 4}]


def test_total():
    assert total(rows()) == 7
`,
    );
    const answer = await asked(sonde, ["test", "--", python ?? "", "-m", "pytest", "-q"]);
    expect(places(answer)).toEqual(["shop.py:9 total", "test_shop.py:9 test_total"]);
    expect(answer.stop?.exception?.causes.join()).toContain("price");
    expect(answer.notes).toEqual([]);
    expect(answer.origin?.lines.map(({ line }) => line)).toContain(2);
  });

  test("a text with line breaks in it, in an assertion's text", slow, async () => {
    const sonde = borrowSonde();
    sonde.write("lines.py", `def joined(parts):\n    return "\\n".join(reversed(parts))\n`);
    sonde.write(
      "test_lines.py",
      `from lines import joined\n\n\ndef test_joined():\n    assert joined(["a", "b"]) == 'a\\n"b"'\n`,
    );
    const answer = await asked(sonde, ["test", "--", python ?? "", "-m", "pytest", "-q"]);
    expect(answer.notes).toEqual([]);
    expect(answer.origin?.calls.map((one) => one.function)).toEqual(["joined"]);
  });
});
