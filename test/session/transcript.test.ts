import { expect, test } from "vitest";
import { LONGEST_MESSAGE, MOST_BYTES, MOST_MESSAGES, Transcript } from "../../src/session/transcript.ts";
import { collectGarbage } from "../../src/util/collect-garbage.ts";

const event = (body: unknown) => ({ seq: 1, type: "event", event: "custom", body });

test("keeps the last 1,000 messages, numbered, and counts the others", () => {
  const transcript = new Transcript();
  for (let n = 1; n <= 3500; n++) transcript.add(n % 2 ? "in" : "out", event({ n }));
  expect(MOST_MESSAGES).toBe(1000);
  expect(transcript).toMatchObject({ length: 1000, total: 3500, dropped: 2500 });
  const all = [...transcript.newestFirst()];
  expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 1000 }, (_, at) => 3500 - at));
  expect(JSON.parse(all[0]?.text ?? "")).toEqual(event({ n: 3500 }));
  expect(all[0]).toMatchObject({ direction: "out", cut: false });
});

test("keeps 64,000 characters of a message, and says that it was cut", () => {
  expect(LONGEST_MESSAGE).toBe(64_000);
  const transcript = new Transcript();
  transcript.add("in", event({ text: "x".repeat(63_000) }));
  transcript.add("in", event({ text: "y".repeat(200_000) }));
  transcript.add(
    "in",
    event(Array.from({ length: 50_000 }, (_, at) => ({ name: `v${at}`, value: undefined }))),
  );
  transcript.add("in", event({ quotes: '"'.repeat(60_000) }));
  const [escaped, list, long, short] = [...transcript.newestFirst()];
  expect(short).toMatchObject({ cut: false });
  expect(short?.text.length).toBeLessThan(64_000);
  expect(long).toMatchObject({ cut: true });
  expect(long?.text).toHaveLength(64_000);
  expect(long?.text).toMatch(/^\{"seq":1,"type":"event","event":"custom","body":\{"text":"y+$/);
  expect(list).toMatchObject({ cut: true });
  expect(list?.text).toHaveLength(64_000);
  expect(list?.text).toContain('[{"name":"v0"},{"name":"v1"},');
  // Its text is longer than what was weighed.
  expect(escaped).toMatchObject({ cut: true });
  expect(escaped?.text).toHaveLength(64_000);
});

test("the beginning that is kept of a long one is the beginning of its JSON", () => {
  const long = event({ a: [1, "two", null, true, { b: "é\n\u2028" }], rest: "z".repeat(100_000) });
  const transcript = new Transcript();
  transcript.add("out", long);
  const [{ text } = { text: "" }] = [...transcript.newestFirst()];
  expect(JSON.stringify(long).startsWith(text)).toBe(true);
});

test("is bounded as a whole: large messages push the older ones out, and are counted", () => {
  const transcript = new Transcript();
  for (let n = 0; n < 1000; n++) transcript.add("in", event({ n, text: "x".repeat(60_000) }));
  expect(transcript.bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(transcript.length).toBeGreaterThan(50);
  expect(transcript.length).toBeLessThan(70);
  expect(transcript.dropped).toBe(1000 - transcript.length);
});

test("holds no more memory than it says, whatever came", () => {
  const transcript = new Transcript();
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  // As objects each of these is more than a megabyte.
  for (let n = 0; n < 60; n++)
    transcript.add("in", event(Array.from({ length: 20_000 }, (_, at) => ({ name: `v${at}`, n }))));
  expect(used() - before).toBeLessThan(12 << 20);
  expect(transcript).toMatchObject({ length: 60, dropped: 0 });
});

test("a program's output is not kept by it", () => {
  const transcript = new Transcript();
  transcript.add("in", { type: "event", event: "output", body: { output: "o".repeat(5000) } });
  const [{ text } = { text: "" }] = [...transcript.newestFirst()];
  expect(text).toContain("… (5000 characters)");
  expect(text.length).toBeLessThan(300);
});
