import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { followLines } from "../../../src/agent/store/follow.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { lastEvents, readEvents } from "../../../src/agent/store/reader.ts";
import { deferred } from "../../../src/util/wait.ts";
import { Workbench } from "./workbench.ts";

/** What a follower has seen, and a way to wait for it. */
function follow(path: string, from: number | "end" = 0) {
  const stop = new AbortController();
  const lines: string[] = [];
  let look = () => {};
  const done = (async () => {
    for await (const batch of followLines(path, { from, signal: stop.signal })) {
      lines.push(...batch);
      look();
    }
  })();
  return {
    lines,
    async until(count: number) {
      const { promise, resolve } = deferred<void>();
      look = () => lines.length >= count && resolve();
      look();
      await promise;
    },
    async end() {
      stop.abort();
      await done;
    },
  };
}

describe("following a file", () => {
  test("begins before the file is there, waits for the ends of lines, and stops when told", async () => {
    using bench = new Workbench();
    const path = join(bench.root, "lines");
    const follower = follow(path);
    appendFileSync(path, "one\ntw");
    await follower.until(1);
    appendFileSync(path, "o\n");
    await follower.until(2);
    expect(follower.lines).toEqual(["one", "two"]);
    await follower.end();
  });

  test("characters that are cut by a write arrive whole", async () => {
    using bench = new Workbench();
    const path = join(bench.root, "lines");
    const follower = follow(path);
    for (const byte of Buffer.from("zwölf €\n🙂\n")) appendFileSync(path, Buffer.of(byte));
    await follower.until(2);
    expect(follower.lines).toEqual(["zwölf €", "🙂"]);
    await follower.end();
  });

  test("a file that is cut or replaced is read from its beginning", async () => {
    using bench = new Workbench();
    const path = join(bench.root, "lines");
    writeFileSync(path, "a long first line\n");
    const follower = follow(path);
    await follower.until(1);
    writeFileSync(path, "cut\n");
    await follower.until(2);
    writeFileSync(`${path}.new`, "another file, which is longer than the other\n");
    renameSync(`${path}.new`, path);
    await follower.until(3);
    expect(follower.lines).toEqual([
      "a long first line",
      "cut",
      "another file, which is longer than the other",
    ]);
    await follower.end();
  });

  test("a 100 MB log is read, followed and its tail found without loading it whole; nothing lost, nothing doubled", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    const log = EventLog.open(folder);
    const content = "The quick brown fox jumps over the lazy dog. ".repeat(20);
    for (let at = 0; statSync(folder.events).size < 100e6; at++) {
      log.append("user_input", { at, content });
      if (at % 1000 === 0) log.flush();
    }
    log.close();
    const last = log.seq;
    (globalThis as { gc?: () => void }).gc?.();
    const before = process.memoryUsage();

    expect((await lastEvents(folder.events, 3)).map(({ seq }) => seq)).toEqual([last - 2, last - 1, last]);

    let next = 1;
    let external = 0;
    for await (const batch of readEvents(folder.events)) {
      for (const { seq } of batch) if (seq === next) next += 1;
      external = Math.max(external, process.memoryUsage().external);
    }
    expect(next).toBe(last + 1);
    expect(external - before.external).toBeLessThan(20e6);

    const stop = new AbortController();
    next = 1;
    const again = EventLog.open(folder);
    for await (const lines of followLines(folder.events, { from: 0, signal: stop.signal })) {
      for (const line of lines) if ((JSON.parse(line) as AgentEvent).seq === next) next += 1;
      // When all that was there has been seen, more is written.
      if (next === last + 1) for (let at = 0; at < 10; at++) again.append("turn_start", { at });
      if (next === last + 11) stop.abort();
    }
    expect(next).toBe(last + 11);
    again.close();
  }, 120_000);

  test("a hundred files are followed at once", async () => {
    using bench = new Workbench();
    const paths = Array.from({ length: 100 }, (_, at) => join(bench.root, `file-${at}`));
    const followers = paths.map((path) => follow(path));
    for (const path of paths) {
      const file = openSync(path, "a");
      for (let at = 0; at < 10; at++) writeSync(file, `${at}\n`);
      closeSync(file);
    }
    await Promise.all(followers.map((one) => one.until(10)));
    for (const { lines } of followers) expect(lines).toEqual([..."0123456789"]);
    await Promise.all(followers.map((one) => one.end()));
    for (const path of paths) rmSync(path);
  });
});
