import { describe, expect, test } from "vitest";
import { calledFor, GO, type Language, PYTHON, SCRIPT } from "../../src/runners/callees.ts";

/** The line that ends in `!`. */
function leads(text: string): string[] {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.endsWith("!"));
  return calledFor(
    lines.map((line) => line.replace(/!$/, "")),
    at + 1,
  );
}

describe("what a failing line leads to", () => {
  test.each([
    ["a call on the line", "assert total(1, 2) == 3!", ["total"]],
    ["a method", "  expect(cart.sumUp(1)).toBe(3);!", ["expect", "sumUp", "toBe"]],
    ["what its name was given", "got = total(1)\nother = parse(2)\nassert got == 30!", ["total"]],
    ["the nearest of two", "got = first()\ngot = second()\nassert got!", ["second"]],
    ["two steps back", "a = read()\nb = a + 1\nassert b == 2!", ["read"]],
    ["both of a pair", "n, err := Parse(text)\nif n != 1 {!", ["Parse"]],
    ["const", "const { sum } = add(1);\nassert.equal(sum, 2);!", ["equal", "add"]],
    ["not a string, not a comment", 'assert x == "total(1)"  # parse(2)!', []],
    ["not a keyword", "if (a && (b)) return (c);!", []],
    ["not a comparison", "ok = a == total(1)\nassert a!", []],
    ["not another function's", "def other():\n  got = wrong()\ndef test():\n  assert got!", []],
    ["all lines of its statement", "assert cart.sum_up(\n  one(),\n) == 3!", ["sum_up", "one"]],
    ["also from its last line", "expect(\n  total(1),\n).toBe(2);!", ["expect", "total", "toBe"]],
  ])("%s", (_, text, names) => {
    expect(leads(text)).toEqual(names);
  });
});

describe("who defines a function", () => {
  test.each<[Language, string, string, string | undefined]>([
    [PYTHON, "total", "def total(a):\n", "total"],
    [PYTHON, "total", "class A:\n    async def total(self):\n", "total"],
    [PYTHON, "total", "def subtotal(a):\n    total(a)\n", undefined],
    [SCRIPT, "total", "export function total(a) {}", "total"],
    [SCRIPT, "total", "export const total = async (a: number): Promise<number> => a;", "total"],
    [SCRIPT, "total", "const total = a => a;", "total"],
    [SCRIPT, "total", "class A {\n  static async total(a) {\n  }\n}", "total"],
    [SCRIPT, "total", "const total = 3;\nuse(total(3));", undefined],
    [GO, "Total", "func Total(a int) int {", "Total"],
    [GO, "Total", "func Total[T any](a T) T {", "Total"],
    [GO, "Sum", "func (c *Cart) Sum(off int) int {", "Cart.Sum"],
    [GO, "Sum", "x := Sum(1)", undefined],
  ])("%#: %s %s", (language, name, text, found) => {
    expect(language.defined(name, text)).toBe(found);
  });
});
