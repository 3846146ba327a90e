/** A place to record, as it is typed. */
import { expect, test } from "vitest";
import { splitPlace } from "../../src/commands/trace/arguments.ts";

test.each<[string, string[], string | undefined]>([
  ["f.py:33", [], undefined],
  ["f.py:33 if a > 700", [], "a > 700"],
  ["f.py:33=a,b", ["a", "b"], undefined],
  ["f.py:33=span.start,span.end if span.end > 700", ["span.start", "span.end"], "span.end > 700"],
  ["f.py:33=a if b else c", ["a if b else c"], undefined],
  ["f.py:33=a if b else c if d", ["a if b else c"], "d"],
  ["f.py:33=a if b else c, d if e", ["a if b else c", "d"], "e"],
  ["f.py:33=a if (b if c else d)", ["a"], "(b if c else d)"],
  ["f.py:33=a if b if c else d", ["a"], "b if c else d"],
  ["f.py:33=[x for x in y if x], 'what if' if z", ["[x for x in y if x]", "'what if'"], "z"],
  ["f.py:33=a if x in (1, 2), b", ["a"], "x in (1, 2), b"],
  ["f.js:33=o.if,elsewhere,notif", ["o.if", "elsewhere", "notif"], undefined],
  ["f.rs:33=if a { 1 } else { 2 } if b", ["if a { 1 } else { 2 }"], "b"],
  ["f.js:33=a if", ["a if"], undefined],
  ["f.js:33 if t[1] == x ? y:1", [], "t[1] == x ? y:1"],
])("%s", (text, expressions, condition) => {
  const location = text.slice(0, "f.py:33".length);
  expect(splitPlace(text)).toEqual({
    location,
    expressions,
    ...(condition === undefined ? {} : { condition }),
  });
});
