import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/adapters/languages.ts";
import { callsAt, callsFor, isMadeHere, type Language, languageOf } from "../../src/trace/callees.ts";

function known(name: string): Language {
  const language = LANGUAGES.find((one) => one.name === name);
  if (language?.defined === undefined) throw new Error(`nobody says how ${name} defines functions`);
  return { sources: language.sources, defined: language.defined };
}

const [C, GO, PHP, PYTHON] = [known("c"), known("go"), known("php"), known("python")];
const [RUBY, RUST, SCRIPT] = [known("ruby"), known("rust"), known("javascript")];

/** The line that ends in `!`. */
function leads(text: string): string[] {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.endsWith("!"));
  const calling = callsFor(
    lines.map((line) => line.replace(/!$/, "")),
    at + 1,
  );
  return [...new Set(calling.flatMap(({ names }) => names))];
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
    [RUST, "total", "    pub fn total<T>(a: T) -> T {", "total"],
    [RUST, "total", "let x = total(1);", undefined],
    [C, "total", "static int total(int a) {", "total"],
    [C, "total", "int\ntotal (int a,\n       int b)\n{", "total"],
    [C, "total", "unsigned *total(int a,\n    int b)\n{", "total"],
    [C, "total", "int Cart::total(int a) const {", "total"],
    [C, "total", "int total(int a);\nint x(void) {", undefined],
    [C, "total", "  return total(a);\n}\nint x(void) {", undefined],
    [RUBY, "total", "  def total(a)\n", "total"],
    [RUBY, "total", "  def self.total\n", "total"],
    [RUBY, "total", "total(1)\n", undefined],
    [PHP, "total", "public function total($a)", "total"],
    [PHP, "total", "total($a);", undefined],
  ])("%#: %s %s", (language, name, text, found) => {
    expect(language.defined(name, text)).toBe(found);
  });
});

test("a statement with its lines, and each of those that lead to it", () => {
  const lines = ["a = read(", "  1,", ")", "b = wrap(a)", "return b"];
  expect(callsFor(lines, 5)).toEqual([
    { first: 5, last: 5, names: [] },
    { first: 4, last: 4, names: ["wrap"] },
    { first: 1, last: 3, names: ["read"] },
  ]);
  expect(callsAt(lines, 2)).toEqual({ first: 2, last: 2, names: [] });
  expect(callsAt(lines, 3)).toEqual({ first: 1, last: 3, names: ["read"] });
});

test("a language by the name of a file", () => {
  expect(languageOf("/p/a.tsx")).toMatchObject(SCRIPT);
  expect(languageOf("/p/a.hpp")).toMatchObject(C);
  expect(languageOf("/p/a.txt")).toBeUndefined();
});

test("whether a line works with what its function made", () => {
  const lines = ["def path(nodes, name):", "    node = find(nodes, name)", "    return node.parent + name"];
  expect(isMadeHere(lines, 3)).toBe(true);
  expect(isMadeHere(["def at(items, index):", "    return items[index]"], 2)).toBe(false);
});
