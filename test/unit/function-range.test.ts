/** The function around a line, whichever of its lines that is. `[` and `]` in a comment mark its first and its last one. */
import { describe, expect, test } from "vitest";
import { functionRange } from "../../src/session/stack/function-range.ts";

const SOURCES: Record<string, { name: string; text: string }> = {
  "loop.c": {
    name: "main",
    text: `#include <stdio.h>
#define OPEN {
static int add(int a, int b) { return a + b; }
struct point { int x; };

int main(int argc, char **argv) { // [
  struct point p = { 3 };
  const char *text = "} // {";
  for (int i = 0; i < 10; i++) {
    if (i == '{') {
      puts(text);
    }
  }
  while (p.x-- > 0) {
    switch (argc) {
    case 1: break;
    }
  }
  return 0;
} // ]
int after(void) { return 1; }
`,
  },
  "box.cpp": {
    name: "shop::Box<int>::total(int) const",
    text: `namespace shop {
template <typename T>
class Box {
public:
  Box() : n(0) {}
 protected:
  int total(int k) const { // [
    auto twice = [&](int v) -> int { return v * 2; };
    for (auto x : items) {
      sum += twice(x);
    }
    try {
      run();
    } catch (const std::exception &e) {
      throw;
    }
    return sum;
  } // ]
  int n;
};
}
`,
  },
  "cart.js": {
    name: "total",
    text: `const rate = /[{"]/g;
class Cart {
  total(items) { // [
    const options = { deep: { more: 1 } };
    let sum = 0;
    for (const { price } of items) {
      sum += price;
    }
    return \`\${sum} {\`;
  } // ]
}
function other() {
  return 1;
}
`,
  },
  "arrow.ts": {
    name: "<anonymous>",
    text: `export const run = (a: number, b: { c: number }): number => { // [
  const made = call({ a, b });
  if (made) {
    return 1;
  }
  return 2;
}; // ]
`,
  },
  "main.go": {
    name: "main.(*Shop).Total",
    text: `package main

type Shop struct{ items []int }

func (s *Shop) Total(f map[string]struct{}) (sum int, err error) { // [
	for _, i := range s.items {
		sum += i
	}
	select {
	default:
	}
	return sum, nil
} // ]

func main() {}
`,
  },
  "lib.rs": {
    name: "shop::Cart::total",
    text: `impl<'a> Cart<'a> {
    pub fn total(&'a self, c: char) -> u32 { // [
        let mut sum = 0;
        match c {
            '{' => { sum += 1; }
            _ => {}
        }
        loop { break; }
        sum
    } // ]
}
`,
  },
  "shop.py": {
    name: "total",
    text: `import os

class Shop:
    @property # [
    def total(
        self,
    ):
        sum = 0
        for one in self.items:
            if one:
                sum += one

        # a remark
        return sum # ]

    def other(self):
        return 1

x = 1
`,
  },
};

describe.each(Object.entries(SOURCES))("%s", (path, { name, text }) => {
  const lines = text.split("\n").slice(0, -1);
  const first = lines.findIndex((line) => line.includes(path.endsWith(".py") ? "# [" : "// [")) + 1;
  const last = lines.findIndex((line) => line.includes(path.endsWith(".py") ? "# ]" : "// ]")) + 1;
  const inner = Array.from({ length: last - first - 1 }, (_, index) => first + 1 + index);

  test.each(inner)("from line %i", (line) => {
    expect(functionRange(lines, line, { path, name })).toEqual({ first, last });
  });
});

test("outside of every function there is none", () => {
  const lines = (SOURCES["shop.py"]?.text ?? "").split("\n");
  expect(functionRange(lines, 1, { path: "shop.py", name: "<module>" })).toBeUndefined();
  expect(functionRange(lines, 19, { path: "shop.py", name: "<module>" })).toBeUndefined();
  expect(functionRange(["let a = 1;", "for (;;) {", "  a++;", "}"], 3, { path: "a.js" })).toBeUndefined();
});
