/** Reading a log in chunks says the same as reading it whole, wherever its lines begin and end. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { type ReadProgress, readEvents } from "../../../src/agent/store/reader.ts";
import { parseEvent } from "../../../src/agent/store/tail.ts";
import { Workbench } from "./workbench.ts";

const CHUNK = 1 << 17;

const eventOf = (seq: number, content: string) =>
  JSON.stringify({ type: "user_input", timestamp: "", sessionId: "x", seq, at: seq, data: { content } });

/** An event that is so many bytes long, without its newline. */
function sized(seq: number, bytes: number): string {
  return eventOf(seq, "x".repeat(bytes - Buffer.byteLength(eventOf(seq, ""))));
}

async function read(path: string, from = 0) {
  const progress: ReadProgress = { offset: 0, skipped: 0 };
  const events: AgentEvent[] = [];
  for await (const batch of readEvents(path, { from, progress })) events.push(...batch);
  return { events, progress };
}

function readWhole(path: string, from: number) {
  const bytes = readFileSync(path).subarray(from);
  const end = bytes.lastIndexOf(10) + 1;
  const lines = bytes.subarray(0, end).toString("utf8").split("\n");
  const events = lines.flatMap((line) => parseEvent(line) ?? []);
  const skipped = lines.filter((line) => line.trim() !== "" && parseEvent(line) === undefined).length;
  return { events, progress: { offset: from + end, skipped } };
}

test("lines that end at, just before and just behind the end of a chunk, and lines longer than several", async () => {
  using bench = new Workbench();
  const path = join(bench.root, "events.jsonl");
  for (const first of [CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 5 * CHUNK + 7]) {
    for (const end of ["", "\n", `\n${eventOf(9, "not whole")}`]) {
      const lines = [sized(1, first), eventOf(2, "ä€😀"), "no event", sized(3, CHUNK - 300), eventOf(4, "")];
      writeFileSync(path, lines.join("\n") + end);
      expect(await read(path), `${first} ${JSON.stringify(end)}`).toEqual(readWhole(path, 0));
    }
  }
  writeFileSync(path, "");
  expect(await read(path)).toEqual({ events: [], progress: { offset: 0, skipped: 0 } });
});

test("lines of any length, from the beginning and from the middle", async () => {
  using bench = new Workbench();
  const path = join(bench.root, "events.jsonl");
  let at = 11;
  const random = (below: number) => {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    return (at >>> 8) % below;
  };
  const line = (seq: number) => {
    const kind = random(40);
    if (kind === 0) return "";
    if (kind === 1) return '{"type":"user_input","data":{';
    return eventOf(seq, "aä😀".repeat(kind === 2 ? random(25_000) : random(400)));
  };
  const lines = Array.from({ length: 2_000 }, (_, index) => line(index + 1));
  writeFileSync(path, `${lines.join("\n")}\n`);
  expect(readFileSync(path).length).toBeGreaterThan(10 * CHUNK);
  const middle = Buffer.byteLength(`${lines.slice(0, 1_000).join("\n")}\n`);
  for (const from of [0, middle]) expect(await read(path, from)).toEqual(readWhole(path, from));
});

test("who stops in the middle is not ahead of what was given", async () => {
  using bench = new Workbench();
  const path = join(bench.root, "events.jsonl");
  const lines = Array.from({ length: 2_000 }, (_, index) => eventOf(index + 1, "x".repeat(index % 500)));
  writeFileSync(path, `${lines.join("\n")}\n`);
  const progress: ReadProgress = { offset: 0, skipped: 0 };
  const given: AgentEvent[] = [];
  for await (const batch of readEvents(path, { progress })) {
    given.push(...batch);
    if (given.length > 500) break;
  }
  expect(given.length).toBeLessThan(2_000);
  const { events } = await read(path, progress.offset);
  expect([...given, ...events].map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
});
