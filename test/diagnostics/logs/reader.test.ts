import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Entry, entryLine, entryText } from "../../../src/util/log/entry.ts";
import { followLog } from "../../../src/util/log/follow.ts";
import { type LogPage, MOST_BYTES, MOST_LINES, PAGE_ENTRIES, readLog } from "../../../src/util/log/reader.ts";
import { parseSince } from "../../../src/util/log/since.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sonde-read-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const START = Date.parse("2026-11-16T10:00:00Z");

function entry(n: number, more: Partial<Entry> = {}): Entry {
  const time = new Date(START + n * 1000).toISOString();
  return { time, level: "info", pid: 100 + (n % 3), kind: "daemon", message: `entry ${n}`, ...more };
}

function write(name: string, from: number, to: number, of = entry): void {
  const lines = Array.from({ length: to - from }, (_, at) => entryLine(of(from + at)));
  appendFileSync(join(folder, name), lines.join(""));
}

const numbers = ({ entries }: LogPage) => entries.map(({ message }) => Number(message.split(" ")[1]));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe("reading the log", () => {
  it("INITIAL_LOG_CHUNK: the last 50", () => {
    write("sonde-2026-11-16.log", 0, 120);
    expect(PAGE_ENTRIES).toBe(50);
    expect(numbers(readLog(folder))).toEqual(range(70, 120));
  });

  it("LOAD_OLDER_CHUNK: fifties, and older chunks prepend in chronological order, across files and days", () => {
    write("sonde-2026-11-15.log", 0, 30);
    write("sonde-2026-11-16.log", 30, 75);
    write("sonde-2026-11-16.1.log", 75, 130);
    write("sonde-2026-11-16.10.log", 130, 135);
    write("sonde-2026-11-17.log", 135, 170);
    let all: number[] = [];
    const sizes: number[] = [];
    for (let before: string | undefined, more = true; more; ) {
      const page = readLog(folder, { before });
      all = [...numbers(page), ...all];
      sizes.push(page.entries.length);
      before = page.older;
      more = before !== undefined;
    }
    expect(all).toEqual(range(0, 170));
    expect(sizes.slice(0, 3)).toEqual([50, 50, 50]);
  });

  it("a cursor keeps its place while others write, and when its file is gone goes on with what is older", () => {
    write("sonde-2026-11-15.log", 0, 30);
    write("sonde-2026-11-16.log", 30, 100);
    const { older } = readLog(folder);
    write("sonde-2026-11-16.log", 100, 140);
    expect(numbers(readLog(folder, { before: older }))).toEqual(range(0, 50));
    rmSync(join(folder, "sonde-2026-11-16.log"));
    expect(numbers(readLog(folder, { before: older }))).toEqual(range(0, 30));
  });

  it("MAX_LOG_LINES: no more than 5,000 lines at a time", () => {
    expect(MOST_LINES).toBe(5000);
    write("sonde-2026-11-16.log", 0, 12_000, (n) => entry(n, { message: `e ${n}` }));
    const page = readLog(folder, { grep: "e 3" });
    expect(page.lines).toBe(5000);
    expect(page.entries).toEqual([]);
    const next = readLog(folder, { grep: "e 3999", before: page.older });
    expect(numbers(next)).toEqual([3999]);
    expect(readLog(folder, { most: 100_000 }).entries).toHaveLength(5000);
  });

  it("MAX_LOG_BYTES: no more than 2 MiB at a time, and every entry is reached in the end", () => {
    expect(MOST_BYTES).toBe(2 * 1024 * 1024);
    write("sonde-2026-11-15.log", 0, 150, (n) => entry(n, { message: `entry ${n} ${"x".repeat(20_000)}` }));
    write("sonde-2026-11-16.log", 150, 300, (n) => entry(n, { message: `entry ${n} ${"x".repeat(20_000)}` }));
    const all: number[] = [];
    for (let before: string | undefined, more = true; more; ) {
      const page = readLog(folder, { before, most: 5000 });
      expect(page.bytes).toBeLessThanOrEqual(MOST_BYTES);
      expect(page.tooLong).toBe(0);
      all.unshift(...numbers(page));
      before = page.older;
      more = before !== undefined;
    }
    expect(all).toEqual(range(0, 300));
  });

  it("a line without an end is passed over, counted, and not read whole", () => {
    write("sonde-2026-11-16.log", 0, 3);
    appendFileSync(join(folder, "sonde-2026-11-16.log"), `${"y".repeat(5 << 20)}\n`);
    write("sonde-2026-11-16.log", 3, 5);
    const first = readLog(folder);
    expect(numbers(first)).toEqual([3, 4]);
    let [page, tooLong] = [first, 0];
    for (let at = 0; at < 5 && page.older !== undefined; at++) {
      page = readLog(folder, { before: page.older });
      expect(page.bytes).toBeLessThanOrEqual(MOST_BYTES);
      tooLong += page.tooLong;
    }
    expect(numbers(page).slice(0, 3)).toEqual([0, 1, 2]);
    expect(tooLong).toBeGreaterThan(0);
  });

  it("filters by level, pid, text and time", () => {
    write("sonde-2026-11-16.log", 0, 200, (n) =>
      entry(n, n % 50 === 0 ? { level: n === 100 ? "error" : "warn" } : {}),
    );
    expect(numbers(readLog(folder, { level: "warn" }))).toEqual([0, 50, 100, 150]);
    expect(numbers(readLog(folder, { level: "error" }))).toEqual([100]);
    expect(numbers(readLog(folder, { pid: 101, most: 2 }))).toEqual([196, 199]);
    expect(numbers(readLog(folder, { grep: "ENTRY 19", most: 3 }))).toEqual([197, 198, 199]);
    expect(numbers(readLog(folder, { since: START + 195_000 }))).toEqual(range(195, 200));
    const page = readLog(folder, { since: START + 195_000 });
    expect(page.older).toBeUndefined();
  });

  it("what a process printed while it died is one entry", () => {
    write("sonde-2026-11-16.log", 0, 2);
    appendFileSync(
      join(folder, "sonde-2026-11-16.log"),
      "FATAL ERROR: out of memory\n 1: 0xb0 node\n 2: 0xb1\n",
    );
    write("sonde-2026-11-16.log", 2, 3);
    const { entries } = readLog(folder);
    expect(entries.map(({ message }) => message)).toEqual([
      "entry 0",
      "entry 1",
      "FATAL ERROR: out of memory\n 1: 0xb0 node\n 2: 0xb1",
      "entry 2",
    ]);
  });

  it("is text without control characters, whoever wrote it", () => {
    const text = entryText(
      entry(1, { message: "a\x1b[2Jb\u202ec\nd", session: "s\x1b]0;t\x07", kind: "k\nk" }),
    );
    expect(text).toBe(
      `${new Date(START + 1000).toISOString()} info  k\\nk 101 [s\\e]0;t\\x07]: a\\e[2Jb\\u202ec\n  d`,
    );
  });

  it("times", () => {
    const now = Date.parse("2026-11-17T12:00:00Z");
    expect(parseSince("10m", now)).toBe(now - 600_000);
    expect(parseSince("2h", now)).toBe(now - 7_200_000);
    expect(parseSince("2026-11-17T11:00:00Z", now)).toBe(now - 3_600_000);
    expect(parseSince("5", now)).toBeUndefined();
    expect(parseSince("soon", now)).toBeUndefined();
  });
});

describe("following the log", () => {
  async function followed(
    count: number,
    act: (seen: (count: number) => Promise<void>) => Promise<void>,
  ): Promise<number[]> {
    const ended = new AbortController();
    const found: Entry[] = [];
    const waiting: { count: number; done: () => void }[] = [];
    const follow = followLog(folder, ended.signal);
    const reading = (async () => {
      for await (const entries of follow.entries()) {
        found.push(...entries);
        for (const one of waiting) if (found.length >= one.count) one.done();
        if (found.length >= count) ended.abort();
      }
    })();
    await act((seen) => new Promise((done) => waiting.push({ count: seen, done })));
    await reading;
    return numbers({ entries: found } as LogPage);
  }

  it("goes on in new files, of a new day and of a full one, and says nothing of what was there", async () => {
    write("sonde-2026-11-16.log", 0, 10);
    const found = await followed(6, async () => {
      write("sonde-2026-11-16.log", 10, 12);
      write("sonde-2026-11-16.1.log", 12, 14);
      write("sonde-2026-11-17.log", 14, 16);
    });
    expect(found).toEqual(range(10, 16));
  });

  it("and reading what was there before: each entry is in one of the two", () => {
    write("sonde-2026-11-16.log", 0, 10);
    const ended = new AbortController();
    const { ends } = followLog(folder, ended.signal);
    write("sonde-2026-11-16.log", 10, 12);
    write("sonde-2026-11-17.log", 12, 14);
    expect(numbers(readLog(folder, { ends }))).toEqual(range(0, 10));
    ended.abort();
  });

  it("begins again with a file that was cut or replaced", async () => {
    const name = "sonde-2026-11-16.log";
    write(name, 0, 10);
    const found = await followed(5, async (seen) => {
      write(name, 10, 11);
      await seen(1);
      truncateSync(join(folder, name), 0);
      write(name, 11, 13);
      await seen(3);
      rmSync(join(folder, name));
      writeFileSync(join(folder, name), "");
      write(name, 13, 15);
    });
    expect(found).toEqual(range(10, 15));
  });
});
