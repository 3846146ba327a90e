/** A breakpoint as a line: where it went is said once. */
import { expect, test } from "vitest";
import { breakpointLine } from "../../src/commands/breakpoints/text.ts";
import { typedWords } from "../support/typed-words.ts";

const ROW = { id: 1, kind: "line", at: "a.py:40", path: "/p/a.py", line: 40, hits: 0 } as const;
const OPTIONS = { cwd: "/p", limits: {}, say: typedWords } as Parameters<typeof breakpointLine>[1];

test.each([
  [{ state: "bound" }, "bound"],
  [{ state: "bound", boundLine: 41 }, "bound to line 41"],
  [{ state: "bound", boundLine: 41, hits: 2 }, "bound to line 41, 2 hits"],
  [
    { state: "bound", boundLine: 41, message: "line 40 has no code; bound to line 41" },
    "line 40 has no code; bound to line 41",
  ],
  [{ state: "disabled", boundLine: 41 }, "disabled, bound to line 41"],
  [{ state: "not bound", message: "no such line" }, "not bound: no such line"],
] as const)("%j", (more, said) => {
  expect(breakpointLine({ ...ROW, ...more }, OPTIONS)).toBe(`breakpoint 1  a.py:40  ${said}`);
});
