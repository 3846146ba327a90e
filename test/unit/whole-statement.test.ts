/** Short statements of several lines, read as a whole. */
import { expect, test } from "vitest";
import { wholeStatement } from "../../src/trace/whole-statement.ts";

const read = (path: string, text: string) => wholeStatement(path, text.split("\n"), 1);

test.each([
  ["a.py", "total = price(\n    count,\n    rate,  # per piece\n)", "total = price(\ncount,\nrate,\n)"],
  ["a.py", "total = a + \\\n    b", "total = a + \\\nb"],
  ["a.py", "if (a and\n        b):\n    c()", "if (a and\nb):"],
  ["a.py", "if a:\n    c()", "if a:"],
  ["a.py", 'text = """a\nb"""', 'text = """a'],
  ["a.py", "x = f(a)\ny = 2", "x = f(a)"],
  [
    "a.js",
    "const total = items\n  .filter(isOpen)\n  .length;\nnext();",
    "const total = items\n.filter(isOpen)\n.length;",
  ],
  ["a.ts", "const all =\n  one + two;", "const all =\none + two;"],
  ["a.ts", "return {\n  a: 1,\n  b: f(2),\n};", "return {\na: 1,\nb: f(2),\n};"],
  ["a.js", "if (a && // both\n    b) {\n  c();\n}", "if (a && // both"],
  ["a.js", "items.forEach((one) => {\n  f(one);\n});", "items.forEach((one) => {"],
  ["a.js", "if (a) {\n  b();\n}", "if (a) {"],
  ["a.js", "a();\nb();", "a();"],
  ["a.js", "const s = `a\nb`;", "const s = `a"],
  ["a.js", "f(\n1,\n2,\n3,\n4);", "f("],
  ["a.go", "f(\n1)", "f("],
])("%s %j", (path, text, expected) => {
  expect(read(path, text)).toBe(expected);
});

test("one that is too long is its first line", () => {
  expect(read("a.py", `f(\n${"x".repeat(200)}\n)`)).toBe("f(");
});
