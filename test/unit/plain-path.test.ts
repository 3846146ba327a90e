import { expect, test } from "vitest";
import { isOpenable, plainPath } from "../../src/session/values/plain-path.ts";

test.each([
  ["counter", []],
  ["&counter", []],
  ["$rsp", []],
  ["ns::f", []],
  ["main.main", []],
  ["main.(*T).Inc", []],
  ["self.pair.0", []],
  ["*p", ["p"]],
  ["p->x", ["p"]],
  ["&a.b[3]", ["a.b"]],
  ["p->next->t[1]", ["p", "p->next", "p->next->t"]],
  ["(*p).x", ["p"]],
  ["(char *)p", []],
  ["(const struct foo *) 0x1234", []],
])("%s only looks", (text, opened) => {
  expect(plainPath(text)).toEqual({ opened });
});

test.each([
  "(counter = 77, &counter)",
  "counter = 1",
  "counter++",
  "--counter",
  "add(1,2)",
  "(add)(1)",
  "p->f()",
  "a[f()]",
  "a[i++]",
  "a + b",
  "a, b",
  "x ? y : z",
  "a; b",
  "`memory write 0 1`",
  "a\nb",
  "",
])("%s may do more", (text) => {
  expect(plainPath(text)).toBeUndefined();
});

test("what [] and -> do with a class is the program's own code", () => {
  for (const type of [
    "int *",
    "int[3]",
    "char [8]",
    "Box *const",
    "Box *&",
    "[]int",
    "map[string]int",
    "[i32; 3]",
    "&[u8]",
  ])
    expect([type, isOpenable(type)]).toEqual([type, true]);
  for (const type of ["std::map<int, int>", "Box", "Box &", "std::vector<int *>", "int"])
    expect([type, isOpenable(type)]).toEqual([type, false]);
});
