/** `sonde test` on failures that pytest and unittest take themselves before the test ends, and on tests in several processes. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

const OWN_PYTHON = join(resolve(import.meta.dirname, "../.."), ".adapters/xdist/bin/python");
const hasXdist = spawnSync(OWN_PYTHON, ["-c", "import pytest, xdist"]).status === 0;
const slow = { timeout: 120_000 };

const SHOP = `def total(prices, off):
    amount = 0
    for price in prices:
        amount += price
    return amount - off


def number(text):
    try:
        return int(text)
    except ValueError:
        return 0
`;

function withShop(): Sonde {
  const sonde = borrowSonde();
  sonde.write("shop.py", SHOP);
  return sonde;
}

const runners: [string, string[]][] = [
  ["unittest", ["python3", "-m", "unittest", "test_sub"]],
  ...(hasXdist ? ([["pytest", [OWN_PYTHON, "-m", "pytest"]]] as [string, string[]][]) : []),
];

describe.skipIf(spawnSync("python3", ["--version"]).status !== 0).each(runners)("%s", (runner, words) => {
  test("subTest: the first that fails, and its values, though the test goes on", slow, async () => {
    const sonde = withShop();
    sonde.write(
      "test_sub.py",
      `import unittest
from shop import number, total


class SubTest(unittest.TestCase):
    def check(self, prices, off, want):
        with self.subTest(f"{prices} -> {want}"):
            got = total(prices, off) + number("x")
            self.assertEqual(got, want)

    def test_total(self):
        self.check([1, 2], 0, 3)
        self.check([10, 20], 5, 30)
        self.check([1], 0, 2)
`,
    );
    const answer = await asked(sonde, ["test", "--", ...words]);
    expect(answer).toMatchObject({ runner, state: "failed", notes: [] });
    expect(answer.test?.message).toContain("25 != 30");
    expect(places(answer)).toEqual(["test_sub.py:9 check", "test_sub.py:13 test_total"]);
    expect(values(answer, 0)).toEqual({ got: "25", want: "30", off: "5", prices: "[10, 20]" });
    // Of the part that failed, not of the one after it.
    const amounts = answer.origin?.lines.filter(({ source }) => source === "amount += price") ?? [];
    expect(amounts.flatMap(({ changes }) => changes)).toEqual([{ name: "amount", value: "30" }]);
    expect(answer.next).toContain("sonde trace --function total");
  });
});

describe.skipIf(!hasXdist)("pytest-xdist", () => {
  const settings: [string, string, string[]][] = [
    ["in the project's settings", "addopts = -q -n 2", []],
    ["on the command line", "", ["-n", "2", "--dist", "loadfile"]],
    ["in one word", "", ["-n2"]],
  ];

  test.each(settings)("%s: the failing test is run alone, by its id", slow, async (_, line, options) => {
    const sonde = withShop();
    sonde.write("pytest.ini", `[pytest]\n${line}\n`);
    sonde.write(
      "test_shop.py",
      `import pytest
from shop import total


@pytest.mark.parametrize("prices,off", [([1, 2], 0), ([10, 20], 5)], ids=["small", "a/b::c [x] é"])
def test_total(prices, off):
    got = total(prices, off)
    assert got == sum(prices)
`,
    );
    const answer = await asked(sonde, ["test", "--", OWN_PYTHON, "-m", "pytest", ...options]);
    expect(answer).toMatchObject({
      counts: { failed: 1, passed: 1 },
      test: { name: "test_shop.py::test_total[a/b::c [x] \\xe9]" },
      notes: [],
    });
    expect(places(answer)).toEqual(["test_shop.py:8 test_total"]);
    expect(values(answer, 0)).toEqual({ got: "25", prices: "[10, 20]", off: "5" });
    expect(answer.next).toContain("sonde trace --function total");
    const again = await asked(sonde, [
      ...["test", "--name", answer.test?.name ?? "", "--", OWN_PYTHON, "-m", "pytest", ...options],
    ]);
    expect(places(again)).toEqual(["test_shop.py:8 test_total"]);
  });
});
