/** What `sonde test` shows is the failure that was reported, and what it tells of causes comes from a run that failed in the same way. */
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

test("of exceptions that pass through the same awaiting lines, the reported one", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "mail.js",
    `const pause = () => new Promise((go) => setTimeout(go, 1));

async function send(to, tries) {
  await pause();
  if (tries < 2) throw new Error("busy " + to);
  return to;
}

async function deliver(to) {
  for (let tries = 0; ; tries++) {
    try {
      return await send(to, tries);
    } catch {}
  }
}

exports.all = async (list) => {
  const sent = await Promise.all(list.map(deliver));
  return sent.filter((one) => one.lenght > total);
};
`,
  );
  sonde.write(
    "mail.test.js",
    `const test = require("node:test");
const { all } = require("./mail.js");
test("sends", async () => {
  await all(["a", "b"]);
});
`,
  );
  const answer = await asked(sonde, ["test", "--", "node", "--test", "mail.test.js"]);
  expect(answer.test?.message).toContain("total is not defined");
  expect(answer.stop?.exception?.message).toContain("total is not defined");
  expect(places(answer)[0]).toMatch(/^mail\.js:19 /);
});

test("not one that was caught on the same line, nor its type with the other's words", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "all.test.js",
    `const test = require("node:test");
function handle(value) {
  if (value > 0) throw new Error("bad value " + value);
}
function all(list) {
  for (const text of list) {
    try {
      handle(JSON.parse(text));
    } catch (error) {
      if (error instanceof SyntaxError) continue;
      throw error;
    }
  }
}
test("all", () => all(["x", "1"]));
`,
  );
  const line = ["test", "--", "node", "--test", "all.test.js"];
  const answer = await asked(sonde, line);
  expect(answer.stop?.exception).toMatchObject({ type: "Error", message: "bad value 1" });
  expect(places(answer)[0]).toBe("all.test.js:3 handle");
  expect(await sonde.text(line, { timeoutMs: 90_000 })).not.toContain("SyntaxError:");
});

describe("an exception that says something else than what it was made of", () => {
  const code = `class Bad(Exception):
    def __init__(self, code):
        self.code = code
    def __str__(self):
        return "status was %d, wanted 200" % self.code

def load(path):
    name = path + ".cfg"
    return open(name).read()

def fetch(more):
    code = 400 + more
    if code != 200:
        raise Bad(code)
`;
  test.each([
    ["load('nothere')", "No such file", "name"],
    ["fetch(4)", "status was 404", "code"],
  ])("%s is the same when it is recorded", slow, async (called, words, name) => {
    const sonde = borrowSonde();
    sonde.write("parts.py", code);
    sonde.write(
      "test_parts.py",
      `import unittest
from parts import load, fetch
class T(unittest.TestCase):
    def test_it(self):
        ${called}
`,
    );
    const answer = await asked(sonde, ["test", "--", "python3", "-m", "unittest", "test_parts"]);
    expect(answer.test?.message).toContain(words);
    expect(answer.notes).toEqual([]);
    expect(answer.origin?.lines.flatMap(({ changes }) => changes.map((one) => one.name))).toContain(name);
  });

  test("one of another type is not", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "test_flaky.py",
      `import os, unittest
def pick(row):
    return row["id"]
def check(width):
    half = width - 9
    if half < 0:
        raise ValueError("invalid width")
def run():
    with open("runs.txt", "a") as runs:
        runs.write("x")
    return pick({}) if os.path.getsize("runs.txt") < 3 else check(3)
class T(unittest.TestCase):
    def test_it(self):
        run()
`,
    );
    const answer = await asked(sonde, ["test", "--", "python3", "-m", "unittest", "test_flaky"]);
    expect(answer).not.toHaveProperty("origin");
    expect(answer.notes.join("\n")).toContain(
      "the test failed in another way when it was run again to be recorded (ValueError('invalid width'))",
    );
  });
});

describe("a test that does not fail in the same way when it is recorded", () => {
  /** The first two runs, without a debugger and under it, fail with 5. */
  const counting = (third: string) => `const { appendFileSync, readFileSync } = require("node:fs");
exports.value = () => {
  appendFileSync("runs.txt", "x");
  const runs = readFileSync("runs.txt", "utf8").length;
  return runs < 3 ? 5 : ${third};
};
`;
  const tests = `const test = require("node:test");
const assert = require("node:assert");
const { value } = require("./value.js");
test("value", () => {
  const got = value();
  assert.strictEqual(got, 2);
});
`;

  test.each([
    [
      "2",
      "the test passed when it was run again to be recorded, so it is not known where its value came from",
    ],
    ["7", "the test failed in another way when it was run again to be recorded (AssertionError"],
  ])("%s", slow, async (third, note) => {
    const sonde = borrowSonde();
    sonde.write("value.js", counting(third));
    sonde.write("value.test.js", tests);
    const answer = await asked(sonde, ["test", "--", "node", "--test", "value.test.js"]);
    expect(answer.test?.message).toContain("5 !== 2");
    expect(answer).not.toHaveProperty("origin");
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes.join("\n")).toContain(note);
  });

  test("and one that does is explained", slow, async () => {
    const sonde = borrowSonde();
    sonde.write("value.js", counting("5"));
    sonde.write("value.test.js", tests);
    const answer = await asked(sonde, ["test", "--", "node", "--test", "value.test.js"]);
    expect(answer.origin?.calls.map(({ value }) => value)).toEqual(["5"]);
    expect(answer.notes).toEqual([]);
  });
});

test("the command for the other failing tests is the one that was typed, word by word", slow, async () => {
  const sonde = borrowSonde();
  const one = (name: string) => `test("${name}", () => { throw new Error("${name}"); });\n`;
  sonde.write(
    "two words.test.js",
    `const test = require("node:test");\n${one("first thing")}${one("second thing")}`,
  );
  const line = ["test", "--", "node", "--test", "two words.test.js"];
  const text = await sonde.text(line, { timeoutMs: 90_000 });
  expect(text).toContain("`sonde test --name <test> -- node --test 'two words.test.js'`");
});

test.skipIf(python === undefined)(
  "a function that is several tests: the one that failed, not the last",
  slow,
  async () => {
    const sonde = borrowSonde();
    sonde.write(
      "words.py",
      `FOUND = []


def words(text):
    found = FOUND
    found.extend(text.split())
    return list(found)
`,
    );
    sonde.write(
      "test_words.py",
      `import pytest
from words import words


@pytest.mark.parametrize("text, expected", [("a", ["a"]), ("b c", ["b", "c"]), ("d", ["d"])])
def test_words(text, expected):
    assert words(text) == expected
`,
    );
    const answer = await asked(sonde, ["test", "--", python ?? "", "-m", "pytest", "-q", "test_words.py"]);
    expect(answer.test?.name).toContain("test_words[b c-expected1]");
    expect(answer.notes).toEqual([
      "run alone, this test passes; this is a run of it together with the tests before it",
    ]);
    expect(answer.origin?.lines.map(({ line }) => line)).toContain(6);
  },
);
