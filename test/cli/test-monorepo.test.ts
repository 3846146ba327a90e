/** pytest whose root folder lies below the current one: its node ids are not paths from here. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutColours } from "../../src/runners/colours.ts";
import { borrowSonde } from "../support/sonde.ts";

test("a test of a package in a monorepo is run alone, also by a parametrised id", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  for (const folder of ["pkg/src", "pkg/tests"]) mkdirSync(join(sonde.project, folder), { recursive: true });
  sonde.write("pkg/pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["src"]\n');
  sonde.write("pkg/src/calc.py", "def add(a, b):\n    return a - b\n");
  sonde.write(
    "pkg/tests/test_calc.py",
    `import pytest
from calc import add
@pytest.mark.parametrize("a,b", [(1, 0), (2, 3)], ids=["one zero", "two::three"])
def test_add(a, b):
    assert add(a, b) == a + b
`,
  );
  for (const words of [["pkg"], ["-q", "pkg/tests/test_calc.py"]]) {
    const { stdout } = await sonde.run(["test", "--", "python3", "-m", "pytest", ...words], {
      timeoutMs: 60_000,
    });
    expect(stdout).toContain("failed: pkg/tests/test_calc.py::test_add[two::three]");
    expect(stdout).toContain("at pkg/tests/test_calc.py:5 in test_add");
  }
});

test("whatever moves a terminal's cursor is left out of what a reporter prints", () => {
  const printed =
    "\u001b[31mred\u001b[0m \u001b[2K\u001b[1Gx \u001b]8;;http://a\u0007link\u001b]8;;\u0007 \u001b[?25lh\u001b(B";
  expect(withoutColours(printed)).toBe("red x link h");
});
