import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findText, parseBreak, parseLocation } from "../../src/commands/breakpoints/location.ts";

const folder = mkdtempSync(join(tmpdir(), "sonde-location-"));
mkdirSync(join(folder, "src"));
writeFileSync(join(folder, "src/app.js"), "const a = 1;\n\nconsole.log(a);\n// end\n");
afterAll(() => rmSync(folder, { recursive: true }));

const failing = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return `${(error as Error).message} / ${(error as { hint?: string }).hint}`;
  }
  throw new Error("accepted");
};

test("places are relative to the caller's folder", () => {
  expect(parseLocation("src/app.js:3", folder)).toEqual({
    path: join(folder, "src/app.js"),
    line: 3,
    asked: "src/app.js:3",
  });
  expect(parseLocation("app.js:1:7", join(folder, "src"))).toMatchObject({ line: 1, column: 7 });
  expect(parseLocation("3", folder, join(folder, "src/app.js"))).toMatchObject({ line: 3 });
});

test("a condition may follow", () => {
  expect(parseBreak("src/app.js:3 if a > 1 && b")).toEqual({
    location: "src/app.js:3",
    condition: "a > 1 && b",
  });
  expect(parseBreak("src/app.js:3")).toEqual({ location: "src/app.js:3" });
});

test("a line past the end names the lines that hold code", () => {
  expect(failing(() => parseLocation("src/app.js:99", folder))).toBe(
    "src/app.js has 4 lines; there is no line 99 / the nearest lines with code: 1, 3",
  );
});

test("a missing file is looked for nearby", () => {
  expect(failing(() => parseLocation("app.js:3", folder))).toContain("did you mean src/app.js:3?");
  expect(failing(() => parseLocation("src/apq.js:3", folder))).toContain("did you mean src/app.js:3?");
  expect(failing(() => parseLocation("nonsense", folder))).toContain("file:line");
});

test("a breakpoint by the line's text", () => {
  expect(findText("src/app.js", "console.log", folder)).toMatchObject({ line: 3 });
  expect(failing(() => findText("src/app.js", "a", folder))).toContain("lines of src/app.js hold `a`");
  expect(failing(() => findText("src/app.js", "zebra", folder))).toContain("no line");
});
