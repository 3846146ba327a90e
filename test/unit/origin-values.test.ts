/** Texts of values, compared whoever wrote them. */
import { expect, test } from "vitest";
import { isPart, isSameValue, isTelling } from "../../src/trace/origin/values.ts";

test.each([
  ["'a'", '"a"', true],
  ["a", "'a'", true],
  ["'a'", "'b'", false],
  ['"first"', '"second"', false],
  ["3.0", "3", true],
  ["{'a': \"b\"}", "{'a': 'b'}", true],
])("%s and %s", (one, other, expected) => {
  expect(isSameValue(one, other)).toBe(expected);
});

test("a quoted text says more than none, and is a part only of what has it", () => {
  expect(isTelling("'none of it'")).toBe(true);
  expect(isTelling("''")).toBe(false);
  expect(isPart("'ann'", '["ann", "bob"]')).toBe(true);
  expect(isPart("'eve'", '["ann", "bob"]')).toBe(false);
});
