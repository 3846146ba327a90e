/** A file that has grown past this is usually two things. */
import { expect, test } from "vitest";
import { sourceFiles } from "./support/sources.ts";

const MOST_LINES = 400;

test("no hand-written source file is long", () => {
  const long = sourceFiles()
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  expect(long.map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([]);
});
