/** Which lines of a program's output are shown: those that say why it died before those of its runtime. */
import { expect, test } from "vitest";
import { keptFrom, type OutputLine, outputEnd } from "../../src/session/output/tail.ts";

const toLines = (texts: readonly string[]): OutputLine[] => texts.map((text) => ({ stream: "stderr", text }));
const many = (text: string, count: number) => Array.from({ length: count }, (_, at) => `${text}${at}`);
const internal = many("    at Module.load (node:internal/modules/cjs/loader:", 8).map((one) => `${one}:1)`);
const ours = (text: string) => text.includes("/ours/");

function shown(texts: readonly string[], most: number, moreLines = 0) {
  const { lines, ...left } = outputEnd({ lines: toLines(texts), moreLines }, most, ours);
  return { texts: lines.map(({ text }) => text), ...left };
}

test("a few lines more are shown, not counted", () => {
  expect(shown(many("x", 13), 8)).toEqual({ texts: many("x", 13), earlier: 0, frames: 0 });
  expect(shown(many("x", 14), 8)).toEqual({ texts: many("x", 14).slice(6), earlier: 6, frames: 0 });
  expect(shown(many("x", 8), 8, 3)).toMatchObject({ earlier: 3 });
});

test("frames of the runtime and ours go first", () => {
  const own = ["Error: no", "    at f (/app/a.js:1:2)"];
  const texts = [...many("x", 10), ...own, "    at g (/ours/t.cjs:1:2)", ...internal, "", "Node.js v20"];
  expect(shown(texts, 8)).toEqual({
    texts: [...texts.slice(6, 12), "", "Node.js v20"],
    earlier: 6,
    frames: 9,
  });
});

test("a long stack keeps its message and its inner frames", () => {
  const frames = many("    at f (/app/a.js:", 30).map((one) => `${one}:1)`);
  const texts = ["before", "Error: no", ...frames, "", "Node.js v20"];
  expect(shown(texts, 8)).toEqual({
    texts: ["Error: no", ...frames.slice(0, 5), "", "Node.js v20"],
    earlier: 1,
    frames: 25,
  });
  expect(keptFrom(toLines(texts), 8)).toBe(1);
  expect(keptFrom(toLines(many("x", 20)), 8)).toBe(12);
  expect(keptFrom([], 8)).toBe(0);
});

test("a heading between them is no message", () => {
  const frames = many("   ", 20).flatMap((one) => [`${one}: app::f`, "             at ./a.rs:1:2"]);
  const texts = [...many("x", 9), "it is broken", "stack backtrace:", ...frames];
  expect(shown(texts, 8).texts).toEqual(["it is broken", "stack backtrace:", ...frames.slice(0, 6)]);
});
