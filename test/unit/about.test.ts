import { expect, test } from "vitest";
import { about, byNearness } from "../../src/session/values/about.ts";
import { statementOf, writes } from "../../src/trace/origin/reading.ts";
import { isPart, isSameValue, isTelling } from "../../src/trace/origin/values.ts";

const named = (...names: string[]) => names.map((name) => ({ name }));

test("what the line names comes first, then what is around it, then the rest as it was", () => {
  const lines = ["far = 1", "", "near = 2", "", "total += price  # tax", "", "", "also_far()"];
  const ordered = byNearness(named("far", "near", "price", "other", "total"), about(lines, 5));
  expect(ordered.map(({ name }) => name)).toEqual(["price", "total", "near", "far", "other"]);
  expect(byNearness(named("b", "a"), about(undefined, 3)).map(({ name }) => name)).toEqual(["b", "a"]);
});

test.each<[string, string[]]>([
  ["self.total += item.price", ["self.total", "item.price"]],
  ["self.items.append(x)", ["self.items"]],
  ["return self.sum()", []],
  ["if (node->next->value > this.limit)", ["node.next.value", "this.limit"]],
  ["print(a)  # self.hidden", []],
  ["const n = this.#count;", ["this.#count"]],
])("the fields that `%s` reads", (line, paths) => {
  expect(about([line], 1).paths.map((path) => path.join("."))).toEqual(paths);
});

test.each<[string, string, boolean]>([
  ["total", "self.total += 1", true],
  ["total", "this.total = x;", true],
  ["total", "a->total++;", true],
  ["items", "self.items.append(x)", true],
  ["items", "self.items[0] = x", true],
  ["state", 'order["state"] = "paid"', true],
  ["state", 'return {"state": "open"}', true],
  ["total", "return { total: 1 };", true],
  ["total", "if self.total == 3:", false],
  ["total", "return self.total", false],
  ["total", "self.subtotal = 3", false],
  ["items", "self.items.index(x)", false],
])("whether %s is written by `%s`", (name, text, is) => {
  expect(writes(name, text)).toBe(is);
});

test("values as runners and recorders write them", () => {
  expect(isSameValue("'ab'", '"ab"')).toBe(true);
  expect(isSameValue("10.0", "10")).toBe(true);
  expect(isSameValue("10", "11")).toBe(false);
  expect(isPart("626.32", "[626.32]")).toBe(true);
  expect(isPart("26.32", "[626.32]")).toBe(false);
  expect([isTelling("None"), isTelling("1"), isTelling("31")]).toEqual([false, false, true]);
});

test("a statement with the names and fields that it reads", () => {
  expect(statementOf(["assert total(", "    cart.items,", ') == order["sum"]'], 1)).toMatchObject({
    first: 1,
    last: 3,
    fields: ["items", "sum"],
  });
});
