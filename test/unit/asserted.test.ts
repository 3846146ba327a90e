/** Which assertions are about one call alone. */
import { expect, test } from "vitest";
import { failsBy } from "../../src/trace/origin/asserted.ts";

test.each([
  ["    assert not nx.is_perfect_graph(G)", "True"],
  ["assert is_open(day, closed=[')'])", "False"],
  ['assert found(x), "none found"', "None"],
  ["assert found(x)  # as before", "[]"],
  ["self.assertTrue(check(1, (2, 3)))", "False"],
  ["self.assertFalse(check(1))", "[1]"],
  ["assert.ok(!check(0));", "true"],
  ["  assert(await check('a)', 2));", "undefined"],
  ["assert.ok(check(0), `no ${name}`);", "0"],
])("%s fails by %s", (statement, returned) => {
  expect(failsBy(statement, returned)).toBe(true);
});

test.each([
  ["assert check_ok(2) and lib.FLAG", "True"],
  ["assert x in allowed()", "[1, 2, 3]"],
  ["assert check_ok(2) or lib.FLAG", "False"],
  ["assert size(x) > 3", "2"],
  ["assert made(x).ready", "False"],
  ["assert made(x)[0]", "[False]"],
  ["assert not check(2)", "False"],
  ["assert check(2)", "True"],
  ["assert.ok(check(1) && check(2));", "true"],
  ["assert.equal(check(1), 2);", "3"],
  ["assert flag", "False"],
  ["check(1)", "False"],
  ["assert check(1)", undefined],
])("%s does not fail by %s", (statement, returned) => {
  expect(failsBy(statement, returned)).toBe(false);
});
