/** `sonde test` leads from the failing assertion to the code under test: the command it names is run, and shows it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { splitWords } from "../../src/util/shell-words.ts";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { asked } from "./test-answers.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const OWN_PYTHON = join(ROOT, ".adapters/pytest/bin/python");
const slow = { timeout: 120_000 };
const python = ["python3", OWN_PYTHON].find(
  (one) => spawnSync(one, ["-m", "pytest", "--version"]).status === 0,
);

/** The answer's own next step, as it stands. */
async function followed(sonde: Sonde, next: string | undefined, cwd: string): Promise<string> {
  const [program, ...words] = splitWords(next ?? "");
  expect(program).toBe("sonde");
  return sonde.text(words, { cwd, timeoutMs: 90_000 });
}

describe.skipIf(python === undefined)("Python", () => {
  test("pytest: from the assertion to the function that gave the value", slow, async () => {
    const sonde = borrowSonde();
    sonde.fixture("python/testing-cart");
    const line = ["test", "--", python ?? "", "-m", "pytest", "test_cart.py"];
    const { next } = await asked(sonde, line, { cwd: "testing-cart" });
    expect(next).toBe(
      `sonde trace --function total -- ${python} -m pytest -p no:xdist 'test_cart.py::TestCart::test_discount[5]'`,
    );
    const text = await followed(sonde, next, "testing-cart");
    expect(text).toContain("\ntotal(prices=[10, 20], discount=5)  cart.py:1\n");
    expect(text).toContain("\n  returned 25\n");
    expect(await sonde.text(line, { cwd: "testing-cart", timeoutMs: 90_000 })).toContain(
      `
came from
  total returned 25  cart.py:5 | return amount - discount
may depend on these lines, which ran: the nearest function first, with what each line wrote
  cart.py in total
    2 | amount = 0  amount = 0
    3 | for price in prices:  price = 20  (3 times)
    4 | amount += price  amount = 30  (2 times)
next: \`${next}\` shows total line by line
`,
    );
  });

  test(
    "a method, called in a statement of several lines; nothing where there is nothing to show",
    slow,
    async () => {
      const sonde = borrowSonde();
      sonde.write("shop.py", "class Cart:\n    def sum_up(self, off):\n        return 3 - off\n");
      sonde.write(
        "test_shop.py",
        `from shop import Cart


def test_method():
    cart = Cart()
    assert cart.sum_up(
        len("a"),
    ) == 3


def test_plain():
    values = sorted([3, 1])
    assert values == [3, 1]
`,
      );
      const line = [python ?? "", "-m", "pytest"];
      const { next } = await asked(sonde, ["test", "--name", "test_method", "--", ...line]);
      expect(next).toMatch(/^sonde trace --function Cart.sum_up -- .* test_shop\.py::test_method$/);
      expect(await followed(sonde, next, ".")).toContain("\n  returned 2\n");
      expect(await asked(sonde, ["test", "--name", "test_plain", "--", ...line])).not.toHaveProperty("next");
    },
  );

  test("a failing line without locals shows what it names of its module", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "test_day.py",
      `import json

DAY = "ann 09:00"
OTHER = 1


def first(text):
    return json.loads('"' + text.split()[0] + '"')


def test_first():
    assert first(DAY) == json.loads('"bob"')
`,
    );
    const { stop } = await asked(sonde, ["test", "--", python ?? "", "-m", "pytest"]);
    expect(stop?.frames[0]?.values).toEqual([
      { name: "DAY", value: "'ann 09:00'", type: "str", scope: "Globals" },
    ]);
  });

  test("an exception in the code under test: the function it left, line by line", slow, async () => {
    const sonde = borrowSonde();
    sonde.fixture("python/testing-cart");
    const line = ["test", "--name", "test_parse", "--", python ?? "", "-m", "pytest", "test_cart.py"];
    const { next } = await asked(sonde, line, { cwd: "testing-cart" });
    expect(next).toMatch(/^sonde trace --function parse -- /);
    expect(await followed(sonde, next, "testing-cart")).toContain("\n  threw ");
  });

  test("unittest, from another folder and with an environment", slow, async () => {
    const sonde = borrowSonde();
    sonde.fixture("python/testing-cart");
    const options = ["--cwd", "testing-cart", "--env", "SHOP=1"];
    const line = ["test", ...options, "--", "python3", "-m", "unittest", "cart_unittest"];
    const { next } = await asked(sonde, line);
    expect(next).toMatch(
      /^sonde trace --function total --cwd testing-cart --env SHOP=1 -- python3 -m unittest /,
    );
    expect(await followed(sonde, next, ".")).toContain("\n  returned 2\n");
  });
});

test("node:test", slow, async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/testing-node");
  const line = ["test", "--", "node", "--test", "cart.test.js"];
  const { next } = await asked(sonde, line, { cwd: "testing-node" });
  expect(next).toMatch(/^sonde trace --function total -- node '--test-name-pattern=/);
  const text = await followed(sonde, next, "testing-node");
  expect(text.match(/^total\(/gm)).toHaveLength(1); // of this test alone
  expect(text).toContain("\n  returned 25\n");
});

test(
  "node:test: what a table calls is shown, by a path as one types it; a diff is shown whole",
  slow,
  async () => {
    const sonde = borrowSonde();
    sonde.write("package.json", '{"type":"module"}');
    sonde.write(
      "src/desk.js",
      `export function run(events) {
  const rows = [];
  const handlers = { add: (event) => rows.push(event.row), drop: () => rows.pop() };
  for (const event of events) handlers[event.type](event);
  return rows;
}
`,
    );
    const rows = Array.from({ length: 30 }, (_, at) => `row ${at}`);
    sonde.write(
      "test/desk.test.js",
      `import assert from "node:assert/strict";
import test from "node:test";
import { run } from "../src/desk.js";
test("rows", () => {
  const rows = run([{ type: "add", row: "a" }, { type: "drop" }]);
  assert.deepEqual(rows, ${JSON.stringify(rows)});
});
`,
    );
    const line = ["test", "--", "node", "--test"];
    const { next, test: told } = await asked(sonde, line);
    expect(next).toMatch(/^sonde trace --function run --depth 1 -- node '.*' test\/desk\.test\.js$/);
    expect(await followed(sonde, next, ".")).toMatch(
      /^ +(handlers\.)?add\(event=\{type: "add", row: "a"\}\)/m,
    );
    const text = await sonde.text(line, { timeoutMs: 90_000 });
    expect(text).toContain(`\nnext: \`${next}\` shows run line by line, with what it calls\n`);
    for (const said of told?.message?.split("\n").filter((one) => one.trim() !== "") ?? [])
      expect(text).toContain(said);
  },
);

test("of a message longer than an answer the reader is told what is missing", slow, async () => {
  const sonde = borrowSonde();
  const message = Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\\n");
  sonde.write(
    "long.test.js",
    `const test = require("node:test");\ntest("long", () => {\n  throw new Error("${message}");\n});\n`,
  );
  const text = await sonde.text(["test", "--", "node", "--test"], { timeoutMs: 90_000 });
  expect(text).toMatch(/\n {2}line 59\n {2}\(\+140 more lines of the message: --json has them\)\n/);
});

test("vitest, which only the project has", slow, async () => {
  const sonde = borrowSonde();
  const folder = join(sonde.fixture("js/testing-vitest"), "node_modules");
  mkdirSync(join(folder, ".bin"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules/vitest"), join(folder, "vitest"));
  symlinkSync("../vitest/vitest.mjs", join(folder, ".bin/vitest"));
  const inside = { cwd: "testing-vitest" };
  const { next } = await asked(sonde, ["test", "vitest", "run"], inside);
  expect(next).toMatch(/^sonde trace --function total -- npx vitest run .*cart\.spec\.ts /);
  expect(await followed(sonde, next, "testing-vitest")).toContain("\n  returned 25\n");
});

describe.skipIf(compilerVersion("go") === undefined)("go test", () => {
  test("past a helper that only reports, to the function that it was given the value of", slow, async () => {
    const sonde = borrowSonde();
    sonde.fixture("go/testing-cart");
    const { next } = await asked(sonde, ["test", "--", "go", "test", "./..."], { cwd: "testing-cart" });
    expect(next).toMatch(
      /^sonde trace --function cart\.Total -- go test .*-run '\^TestDiscount\$\/\^five_off\$' /,
    );
    expect(await followed(sonde, next, "testing-cart")).toContain("\ncart.Total(prices=[]int len: 2");
  });

  test("a method by its type", slow, async () => {
    const sonde = borrowSonde();
    sonde.write("go.mod", "module shop\n\ngo 1.20\n");
    sonde.write(
      "shop.go",
      "package shop\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Sum(off int) int {\n\treturn c.n - off\n}\n",
    );
    sonde.write(
      "shop_test.go",
      'package shop\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tc := Cart{3}\n\tgot := c.Sum(1)\n\tif got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
    );
    const { next } = await asked(sonde, ["test", "--", "go", "test", "."]);
    expect(next).toMatch(/^sonde trace --function Cart\.Sum -- go test /);
    expect(await followed(sonde, next, ".")).toContain("\nshop.(*Cart).Sum(");
  });
});
