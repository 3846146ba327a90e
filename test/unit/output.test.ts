import fc from "fast-check";
import { expect, test } from "vitest";
import { Output } from "../../src/session/output.ts";

test("head and tail survive, the loss is counted, memory stays bounded", () => {
  const output = new Output({ maxEvents: 100, maxBytes: 1000 });
  for (let i = 0; i < 500; i++) output.append("stdout", `line ${String(i).padStart(4, "0")}\n`);
  const slice = output.read();
  const text = slice.events.map((event) => event.text).join("");
  expect(text).toContain("line 0000");
  expect(text).toContain("line 0499");
  expect(text.length).toBeLessThanOrEqual(1000);
  expect(slice.droppedEvents + slice.events.length).toBe(500);
  expect(slice.droppedBytes).toBe(slice.droppedEvents * 10);
});

test("one event larger than everything is kept alone", () => {
  const output = new Output({ maxEvents: 10, maxBytes: 100 });
  output.append("stdout", "x".repeat(5000));
  expect(output.read().events).toHaveLength(1);
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

test("what is kept is always in order and within the limits", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 50 }), { maxLength: 200 }), (texts) => {
      const output = new Output({ maxEvents: 20, maxBytes: 400 });
      for (const text of texts) output.append("stdout", text);
      const { events, droppedEvents } = output.read();
      expect(events.map((event) => event.cursor)).toEqual(
        [...events.map((event) => event.cursor)].sort((a, b) => a - b),
      );
      expect(events.length + droppedEvents).toBe(texts.length);
      expect(events.length).toBeLessThanOrEqual(21);
      expect(events.at(-1)?.text).toBe(texts.at(-1));
    }),
  );
});
