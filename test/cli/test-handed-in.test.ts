/** A helper that compares is given the wrong value: the answer goes on to the call that made it. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const UNITS = `class Amount:
    def __new__(cls, number, unit):
        made = object.__new__(cls)
        made.number, made.unit = number, unit
        return made

    def __repr__(self):
        return "<Amount %s %s>" % (self.number, self.unit)

    def to(self, unit):
        number = scaled(self.number, self.unit, unit)
        return Amount(number, unit)


def factor(unit):
    return {"g": 1, "kg": 1000, "t": 100000}[unit]


def scaled(number, source, target):
    share = factor(source) / factor(target)
    return number * share
`;
const CHECKS = `def both(first, second):
    return first.number, second.number


def same_amount(first, second):
    one, other = both(first, second)
    assert one == other, "amounts differ"
`;
const TEST = `from checks import same_amount
from units import Amount


def test_tons():
    tons = Amount(2, "t")
    same_amount(tons.to("kg"), Amount(2000.0, "kg"))
`;

test("pytest: past the helper, its getters and the constructor, to the calculation", async () => {
  await using sonde = borrowSonde();
  sonde.write("units.py", UNITS);
  sonde.write("checks.py", CHECKS);
  sonde.write("test_units.py", TEST);
  const text = await sonde.text(["test", "--", "python3", "-m", "pytest", "-q", "test_units.py"]);
  expect(text).toMatch(
    /came from\n(.*\n)*? {2}scaled returned 200\.0 {2}units\.py:21 \| return number \* share\n/,
  );
  expect(text).toMatch(/20 \| share = factor\(source\) \/ factor\(target\) {2}share = 100\.0/);
  expect(text).not.toMatch(/ {2}both returned/);
});
