import fc from "fast-check";
import { expect, test } from "vitest";
import { fenced } from "../../src/commands/answers/text.ts";
import { Output } from "../../src/session/output/output.ts";
import { takeTail } from "../../src/session/output/tail.ts";
import { keptOutput } from "../../src/session/output/whole.ts";
import { wholeCharacters } from "../../src/util/utf8.ts";

test("head and tail survive, the loss is counted, memory stays bounded", () => {
  const output = new Output({ maxEvents: 100, maxBytes: 1000 });
  for (let i = 0; i < 500; i++) output.append("stdout", `line ${String(i).padStart(4, "0")}\n`);
  const slice = output.read();
  const text = slice.events.map((event) => event.text).join("");
  expect(text).toContain("line 0000");
  expect(text).toContain("line 0499");
  expect(text.length).toBeLessThanOrEqual(1000);
  expect(slice.dropped.events + slice.events.length).toBe(500);
  expect(slice.dropped).toMatchObject({ bytes: slice.dropped.events * 10 });
});

test("of one event larger than everything the end is kept, in whole characters, and the loss is counted", () => {
  const output = new Output({ maxEvents: 10, maxBytes: 100 });
  output.append("stdout", `${"ä".repeat(5000)}!`);
  const { events, dropped } = output.read();
  expect(events.map((event) => event.text)).toEqual([`${"ä".repeat(44)}!`]);
  expect(dropped).toEqual({ events: 0, bytes: 10_001 - 89 });
});

test.each([
  ["all of it fits", 50, { maxEvents: 100, maxBytes: 100_000 }],
  ["more than one answer holds", 1500, { maxEvents: 10_000, maxBytes: 1_000_000 }],
  ["more than is read", 5000, { maxEvents: 10_000, maxBytes: 1_000_000 }],
  ["some was dropped", 500, { maxEvents: 100, maxBytes: 100_000 }],
])("the end that is kept and the lines before it are all there were: %s", (_what, count, limits) => {
  const output = new Output(limits);
  for (let i = 0; i < count; i++) output.append("stdout", `line ${i}\n`);
  const { lines, moreLines } = keptOutput(output);
  expect(lines.at(-1)?.text).toBe(`line ${count - 1}`);
  expect(lines.length + moreLines).toBe(count);
  expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThanOrEqual(24 * 1024 + 2);
});

test("a cursor gives exactly what came after it, by category", () => {
  const output = new Output({ maxEvents: 1000, maxBytes: 100_000 });
  output.append("stdout", "one\n");
  const { cursor } = output.read();
  output.append("stderr", "two\n");
  output.append("stdout", "three\n");
  expect(output.read(cursor).events.map((event) => event.text)).toEqual(["two\n", "three\n"]);
  expect(output.read(cursor, new Set(["stderr"])).events.map((event) => event.text)).toEqual(["two\n"]);
  expect(output.read(output.cursor).events).toEqual([]);
});

test("cleared output does not come back, later output does", () => {
  const output = new Output({ maxEvents: 10, maxBytes: 1000 });
  output.append("stdout", "old\n");
  output.clear();
  output.append("stdout", "new\n");
  expect(output.read().events.map((event) => event.text)).toEqual(["new\n"]);
});

test("what is kept is always as it was, in order and within the limits", () => {
  const anyText = fc.string({ minLength: 1, maxLength: 50, unit: "binary" });
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 200 }), (texts) => {
      const output = new Output({ maxEvents: 20, maxBytes: 400 });
      for (const text of texts) output.append("stdout", text);
      const { events, dropped } = output.read();
      expect(events.map((event) => event.cursor)).toEqual(
        [...events.map((event) => event.cursor)].sort((a, b) => a - b),
      );
      expect(events.length + dropped.events).toBe(texts.length);
      expect(events.length).toBeLessThanOrEqual(21);
      expect(events.at(-1)?.text).toBe(texts.at(-1));
      for (const { cursor, text } of events) expect(text).toBe(texts[cursor - 1]);
    }),
  );
});

test("lines are counted whether kept or not, and from the mark on", () => {
  const output = new Output({ maxEvents: 10, maxBytes: 100 });
  for (let i = 0; i < 1000; i++) output.append("stdout", "a\nb\n");
  expect(output.linesSinceShown).toBe(2000);
  output.markShown();
  for (let i = 0; i < 100; i++) output.append("stdout", "c\n");
  const tail = takeTail(output, 3);
  expect(tail).toEqual({ lines: Array(3).fill({ stream: "stdout", text: "c" }), moreLines: 97 });
  expect(takeTail(output, 3)).toEqual({ lines: [], moreLines: 0 });
});

test("a flood of bytes is kept as its text would be: head, tail, lines and the loss", () => {
  const whole = Array.from({ length: 1000 }, (_, at) => `${at} ä€😀\n`).join("");
  const bytes = Buffer.from(whole);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9000 }), (size) => {
      const output = new Output({ maxEvents: 1000, maxBytes: 5000 });
      for (let at = 0; at < bytes.length; ) {
        const piece = bytes.subarray(at, at + Math.max(4, size));
        const length = wholeCharacters(piece);
        output.append("stdout", piece.subarray(0, length));
        at += length;
      }
      const { events, dropped } = output.read();
      const texts = events.map(({ text }) => text);
      const kept = Buffer.byteLength(texts.join(""));
      expect(kept + dropped.bytes).toBe(bytes.length);
      expect(kept).toBeLessThanOrEqual(5000);
      expect(output.linesSinceShown).toBe(1000);
      expect(texts[0]).toBe(whole.slice(0, texts[0]?.length));
      expect(whole.endsWith(texts.at(-1) ?? "?")).toBe(true);
      expect(texts.join("")).not.toContain("\ufffd");
    }),
    { numRuns: 30 },
  );
});

test("a line that the other stream's came in between is whole, and stands where it began", () => {
  const output = new Output({ maxEvents: 100, maxBytes: 10_000 });
  output.append("stdout", "one\nhalf of ");
  output.append("stderr", "a warn");
  output.append("stdout", "a line\n");
  output.append("stderr", "ing\n");
  output.append("stdout", "a child's\n", "child");
  output.append("stdout", "end");
  const tail = takeTail(output, 20);
  expect(tail).toEqual({
    lines: [
      { stream: "stdout", text: "one" },
      { stream: "stdout", text: "half of a line" },
      { stream: "stderr", text: "a warning" },
      { stream: "stdout", text: "a child's", from: "child" },
      { stream: "stdout", text: "end" },
    ],
    moreLines: 0,
  });
  expect(tail.lines.map(fenced)).toEqual([
    "  | one",
    "  | half of a line",
    "  err | a warning",
    "  child | a child's",
    "  | end",
  ]);
});
