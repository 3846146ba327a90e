import { expect, test } from "vitest";
import { assigns } from "../../src/session/values/assigning.ts";

test.each([
  ...["x = 7", "x=7", "x += 1", "x <<= 1", "a[i] = 5", "p->n = 3", "(counter = 77, &counter)", "(x := 7)"],
  ...["x++", "a[0]--", "++x", "f(1).y = 2"],
])("%s writes", (expression) => expect(assigns(expression)).toBe(true));

test.each([
  ...[
    "x == 7",
    "x != 7",
    "x <= 7",
    "x >= 7",
    "a === b",
    "a !== b",
    "a =~ /b/",
    "a ~= b",
    "xs.map(x => x + 1)",
  ],
  ...["sorted(xs, key=len)", "f(g(a=1), b=2)[0]", "'a = b'", '"x++"', "a - -1", "p->n", "lambda x=1: x"],
  ...["vec<int>(3).size()", "x + y", "a ? b : c"],
])("%s only reads", (expression) => expect(assigns(expression)).toBe(false));
