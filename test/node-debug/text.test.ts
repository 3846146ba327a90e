/** The pure parts: program text, log messages, forecasts, completion, steps. */
import { expect, test } from "vitest";
import { parseLogMessage } from "../../src/adapters/kit/log-message.ts";
import { nearestLines, targetOf } from "../../src/adapters/node/debug/binding.ts";
import { splitCompletion } from "../../src/adapters/node/debug/completions.ts";
import { conditionText } from "../../src/adapters/node/debug/condition.ts";
import { type Spot, Step } from "../../src/adapters/node/debug/stepping.ts";
import {
  lastCodeLine,
  linesWithCode,
  moduleAsBody,
  withoutComments,
} from "../../src/adapters/node/javascript/code-text.ts";
import { isInsideFinally, isInsideTry } from "../../src/adapters/node/javascript/enclosing-blocks.ts";

test("comments, strings, templates and regular expressions are blanked in place", () => {
  const same = (source: string, plain: string) => {
    expect(withoutComments(source)).toBe(plain);
    expect(plain.length).toBe(source.length);
  };
  same("a /* b */ c // d", "a         c     ");
  same('x = \'a//b\' + "c\\"d"', "x = '    ' + \"    \"");
  same("`a ${b + `c`} d`", "`  ${b + ` `}  `");
  same("x = /a\\/b[/]/g / 2", "x = /       /g / 2");
  same("#!/bin/node\nx", "           \nx");
  expect(() => withoutComments("'unterminated\n`also ${")).not.toThrow();
});

test("lines with code", () => {
  expect(linesWithCode("// a\n\nx();\n}\n/* b\nc */ y()\nelse\n")).toEqual([2, 5]);
});

test("a module as the body of a function keeps its positions", () => {
  const source = `import a, { b } from "x";\nimport "y"\nexport const c = 1;\nexport default function f() {}\nexport { c as d };\nexport * from "z";\nconst u = import.meta.url, v = import("w");\n`;
  const body = moduleAsBody(source);
  expect(body.length).toBe(source.length);
  expect(body.split("\n").length).toBe(source.split("\n").length);
  expect(() => new Function(`return async () => {${body}}`)).not.toThrow();
  expect(body).toContain('import("w")');
});

test("log messages", () => {
  expect(parseLogMessage("a {b} c")).toEqual([{ text: "a " }, { expression: "b" }, { text: " c" }]);
  expect(parseLogMessage("{ {a: 1}.a }{'}'}")).toEqual([{ expression: "{a: 1}.a" }, { expression: "'}'" }]);
  expect(parseLogMessage("\\{x\\} {} {open")).toEqual([{ text: "{x} {} {open" }]);
  expect(parseLogMessage("")).toEqual([{ text: "" }]);
});

test("no rule, no condition", () => {
  expect(conditionText(1, {})).toBeUndefined();
  expect(conditionText(1, { condition: "x // note" })).toContain("x // note\n)");
});

test("where a breakpoint goes", () => {
  const places = [
    { line: 4, column: 12 },
    { line: 4, column: 2 },
    { line: 9, column: 8 },
    { line: 9, column: 4 },
  ];
  expect(targetOf({ line: 4 }, places)).toEqual({ line: 4, column: 2 });
  expect(targetOf({ line: 4, column: 30 }, places)).toEqual({ line: 4, column: 12 });
  expect(targetOf({ line: 4, column: 6 }, places)).toEqual({ line: 4, column: 2 });
  expect(targetOf({ line: 5, column: 30 }, places)).toEqual({ line: 9, column: 4 });
  expect(targetOf({ line: 10 }, places)).toBeUndefined();
});

test("what to say of a line", () => {
  expect(nearestLines([1, 4, 9], 10)).toBe("the nearest lines with code are 2, 5 and 10");
  expect(nearestLines([], 3)).toBe("the file has no code");
});

test("the last line that may hold code", () => {
  expect(lastCodeLine("a();\n}\n\n// note\n/* more\n * and */\n")).toBe(1);
  expect(lastCodeLine("// note\n\n")).toBe(-1);
  expect(lastCodeLine("const a = <p>a ` b</p>;\nb();\n")).toBe(1);
});

test("completion splits at the last dot", () => {
  expect(splitCompletion("1 + a.b[0].c")).toEqual({ base: "a.b[0]", prefix: "c" });
  expect(splitCompletion("foo(ba")).toEqual({ base: "", prefix: "ba" });
  expect(splitCompletion("a?.")).toEqual({ base: "a", prefix: "" });
});

test("enclosing try and finally", () => {
  const source =
    "function f() { try { g(1) } catch { h(2) } finally { i(3) } try { j(4) } finally { k(5) } }";
  const at = (text: string) => source.indexOf(text);
  expect([1, 2, 3, 4, 5].map((n) => isInsideTry(source, at(`(${n})`)))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([1, 2, 3, 4, 5].map((n) => isInsideFinally(source, at(`(${n})`)))).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
});

test("steps", () => {
  const spot = (more: Partial<Spot> = {}): Spot => ({
    depth: 3,
    function: "f",
    place: "a.ts:1",
    mapped: true,
    internal: false,
    hasUserBelow: true,
    inFinally: false,
    isTail: false,
    ...more,
  });
  const over = new Step("over", spot());
  expect(over.next(spot())).toBe("over");
  expect(over.next(spot({ place: undefined }))).toBe("over");
  expect(over.next(spot({ place: "a.ts:2" }))).toBeUndefined();
  expect(new Step("over", spot({ mapped: false })).next(spot({ mapped: false }))).toBeUndefined();
  expect(new Step("over", spot()).next(spot({ depth: 2 }))).toBeUndefined();
  expect(new Step("over", spot()).next(spot({ internal: true, depth: 2 }))).toBe("land");
  expect(new Step("over", spot()).next(spot({ internal: true, depth: 2, hasUserBelow: false }))).toBe(
    "resume",
  );
  expect(new Step("into", spot()).next(spot({ internal: true, depth: 4 }))).toBe("into");
  const landing = new Step("out", spot());
  landing.letGo();
  expect(landing.next(spot())).toBe("resume");
  expect(landing.next(spot({ depth: 2, function: "g" }))).toBeUndefined();
  const endless = new Step("over", spot());
  let moves = 0;
  while (endless.next(spot()) !== undefined) moves++;
  expect(moves).toBeLessThan(1000);
});
