/** `sonde test`: a suite that does not end in its time. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const OWN_PYTHON = join(resolve(import.meta.dirname, "../.."), ".adapters/pytest/bin/python");
const python = ["python3", OWN_PYTHON].find(
  (one) => spawnSync(one, ["-m", "pytest", "--version"]).status === 0,
);

test.skipIf(python === undefined)(
  "what pytest has until then is told: those that failed, and none that did not end",
  { timeout: 120_000 },
  async () => {
    const sonde = borrowSonde();
    sonde.write(
      "test_cut.py",
      `import time


def total(number):
    return number + 1


def test_good():
    assert total(1) == 2


def test_bad():
    assert total(1) == 3


def test_slow():
    time.sleep(600)


def test_never():
    assert total(1) == 4
`,
    );
    const command = ["test", "--timeout", "12", "--", python ?? "", "-m", "pytest", "-q"];
    const text = await sonde.text(command, { timeoutMs: 90_000 });
    expect(text.split("\n")[0]).toBe(
      "failed: test_cut.py::test_bad  · pytest: 1 failed, 1 passed  · cut off after 12 s, with tests still to run (--timeout <seconds> gives it more time)",
    );
    expect(text).toContain("total returned 2");
  },
);
