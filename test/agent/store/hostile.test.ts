/** Folders that somebody else made, or that are broken: nothing outside is touched, nothing waits, nothing fills the memory. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredBlob } from "../../../src/agent/events.ts";
import { Blobs } from "../../../src/agent/store/blobs.ts";
import { gc } from "../../../src/agent/store/gc.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { lastEvents, readEvents } from "../../../src/agent/store/reader.ts";
import { endSession, findSession, listSessions } from "../../../src/agent/store/sessions.ts";
import { parseEvent } from "../../../src/agent/store/tail.ts";
import { Workbench } from "./workbench.ts";

async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "close");
  return child.pid ?? 0;
}

const HASH = "ab".repeat(32);

describe("the socket that a record names", () => {
  test("is left alone, whoever lists or removes the session: it may be anybody's", async () => {
    using bench = new Workbench();
    const path = join(bench.root, "agent_20260123_131000_abc1.sock");
    const server = createServer().listen(path);
    await once(server, "listening");
    try {
      const { id } = bench.session({ pid: await deadPid(), socket: path });
      expect(await listSessions(bench.root)).toMatchObject([{ id, ended: "died" }]);
      expect(findSession(bench.root).id).toBe(id);
      expect(lstatSync(path).isSocket()).toBe(true);
      expect((await gc(bench.root, { olderThanMs: -1 })).removed).toMatchObject([{ id }]);
      expect(lstatSync(path).isSocket()).toBe(true);
    } finally {
      server.close();
    }
  });
});

describe.skipIf(process.platform === "win32")("what is not a regular file", () => {
  const programs = new Workbench();
  let program: string;
  beforeAll(() => {
    program = programs.program(`
      import { Blobs } from "src/agent/store/blobs.ts";
      import { followLines } from "src/agent/store/follow.ts";
      import { EventLog } from "src/agent/store/log.ts";
      import { lastEvents, readEvents } from "src/agent/store/reader.ts";
      import { offsetBefore } from "src/agent/store/seek.ts";
      import { findSession } from "src/agent/store/sessions.ts";
      import { CommandFile } from "src/agent/inbox/command-file.ts";
      const [, , what, root] = process.argv;
      const { folder } = findSession(root);
      const ways = {
        last: () => lastEvents(folder.events, 5),
        read: async () => { for await (const _ of readEvents(folder.events)); },
        follow: async () => { for await (const _ of followLines(folder.events, { from: 0 })); },
        end: async () => { for await (const _ of followLines(folder.events, { from: "end" })); },
        seek: () => offsetBefore(folder.events, 3),
        own: () => EventLog.open(folder),
        commands: () => new CommandFile(folder.commands, { command: async () => {} }, { onBad() {} }),
        blob: () => new Blobs(folder.blobs).read("${HASH}"),
      };
      try {
        await ways[what]();
        console.log("nothing said");
      } catch (error) {
        console.log(error.name + ": " + error.message);
      }
      process.exit();
    `);
  });
  afterAll(() => programs[Symbol.dispose]());

  /** In a process of its own: what waits for a pipe holds up all of it. */
  const says = (what: string, root: string): string => {
    const { stdout, signal } = spawnSync(
      process.execPath,
      ["--max-old-space-size=200", program, what, root],
      {
        timeout: 20_000,
        killSignal: "SIGKILL",
        encoding: "utf8",
      },
    );
    return signal === null ? stdout.trim() : `ended by ${signal}`;
  };

  const makers: [string, (path: string) => void, string][] = [
    ["a pipe", (path) => execFileSync("mkfifo", [path]), "a pipe"],
    ["a link to a device without an end", (path) => symlinkSync("/dev/zero", path), "a link"],
  ];
  for (const [kind, make, said] of makers)
    test(`${kind} is refused in words wherever a file is read`, () => {
      using bench = new Workbench();
      const folder = bench.session();
      for (const path of [folder.events, folder.commands]) rmSync(path);
      mkdirSync(folder.blobs);
      for (const path of [folder.events, folder.commands, join(folder.blobs, HASH)]) make(path);
      const file: Record<string, string> = { commands: folder.commands, blob: join(folder.blobs, HASH) };
      for (const what of ["last", "read", "follow", "end", "seek", "own", "commands", "blob"])
        expect([what, says(what, bench.root)]).toEqual([
          what,
          `SondeError: ${file[what] ?? folder.events} is ${said}, not a file`,
        ]);
    }, 120_000);

  test("a record that is a pipe, a link or too long is none", async () => {
    using bench = new Workbench();
    const dirs = ["a", "b", "c"].map((id) => bench.foreign(id, { "events.jsonl": "" }));
    const [pipe = "", link = "", long = ""] = dirs.map((dir) => join(dir, "session.json"));
    const record = { pid: process.pid, route: "proxy", version: "1", startTime: new Date().toISOString() };
    const text = JSON.stringify({ ...record, name: "x".repeat(70_000) });
    execFileSync("mkfifo", [pipe]);
    writeFileSync(join(bench.root, "elsewhere.json"), JSON.stringify(record));
    symlinkSync(join(bench.root, "elsewhere.json"), link);
    writeFileSync(long, text);
    expect((await listSessions(bench.root)).map(({ foreign, pid }) => [foreign, pid])).toEqual(
      Array(3).fill([true, 0]),
    );
  });
});

describe("sizes", () => {
  test("a command line of any length leaves a record that can be read", async () => {
    using bench = new Workbench();
    const words = [
      "claude",
      "-p",
      "x".repeat(100_000),
      ...Array.from({ length: 5000 }, (_, at) => `word-${at}`),
    ];
    const { id, record } = bench.session({ argv: words });
    const [row] = await listSessions(bench.root);
    expect(row).toMatchObject({ id, foreign: false, alive: true });
    expect(row?.argv?.slice(0, 2)).toEqual(["claude", "-p"]);
    expect(lstatSync(record).size).toBeLessThan(32_000);
  });

  test("a blob beyond all measure is refused, also in pieces", () => {
    using bench = new Workbench();
    const folder = bench.session();
    mkdirSync(folder.blobs);
    writeFileSync(join(folder.blobs, HASH), "");
    truncateSync(join(folder.blobs, HASH), 2 ** 34);
    const blobs = new Blobs(folder.blobs);
    expect(() => blobs.read(HASH)).toThrow(/is larger than 67108864 bytes$/);
    truncateSync(join(folder.blobs, HASH), 2 ** 25);
    const pieces = blobs.put(`${HASH}\n`.repeat(100)).blob;
    expect(() => blobs.readBody({ pieces, bytes: 1, preview: "" })).toThrow(/larger than/);
  });

  test("the end of a log is looked for within bounds, however long its last line is", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    truncateSync(folder.events, 2 ** 40);
    const progress = { offset: 0, skipped: 0 };
    expect(await lastEvents(folder.events, 5, progress)).toEqual([]);
    expect(progress.offset).toBe(2 ** 40);
  });
});

describe("events that are not what they should be", () => {
  test("what is no event is passed over and counted; what is half one is made whole", async () => {
    expect(parseEvent('{"type":7,"data":{}}')).toBeUndefined();
    expect(parseEvent("null")).toBeUndefined();
    for (const data of ["null", "3", '"x"', "[1]"])
      expect(
        parseEvent(`{"type":"error","timestamp":null,"sessionId":4,"seq":"1","at":1e999,"data":${data}}`),
      ).toEqual({
        type: "error",
        timestamp: "",
        sessionId: "",
        data: {},
      });
    expect(parseEvent('{"type":"error"}')).toEqual({ type: "error", timestamp: "", sessionId: "", data: {} });
    const whole = { type: "paused", timestamp: "t", sessionId: "s", seq: 2, at: 1.5, data: { stop: null } };
    expect(parseEvent(JSON.stringify(whole))).toEqual(whole);
    using bench = new Workbench();
    const { events } = bench.session();
    writeFileSync(events, '{"type":null}\n{"data":{}}\n{"type":"error","data":null,"seq":null}\n');
    const progress = { offset: 0, skipped: 0 };
    const found = [];
    for await (const batch of readEvents(events, { progress })) found.push(...batch);
    expect(found).toEqual([{ type: "error", timestamp: "", sessionId: "", data: {} }]);
    expect(progress.skipped).toBe(2);
  });
});

describe("a text that is gone", () => {
  test("is shown as missing, with its size; who needs it exactly gets an error", () => {
    using bench = new Workbench();
    const blobs = new Blobs(join(bench.root, "blobs"));
    const gone: StoredBlob = { blob: HASH, bytes: 12_345, preview: "how it began" };
    expect(blobs.shown(gone)).toBe("[missing: 12,345 bytes]");
    expect(blobs.shown({ pieces: HASH, bytes: 1_234_567, preview: "" })).toBe("[missing: 1,234,567 bytes]");
    expect(blobs.shown({ ...gone, blob: "../../secret" })).toBe("[missing: 12,345 bytes]");
    const list = blobs.put(`${HASH}\n`).blob;
    expect(blobs.shown({ pieces: list, bytes: 99, preview: "" })).toBe("[missing: 99 bytes]");
    expect(blobs.shown({ ...gone, bytes: Number.NaN })).toBe("[missing]");
    expect(blobs.shown(blobs.put("there"))).toBe("there");
    expect(blobs.shown("plain")).toBe("plain");
    for (const read of [() => blobs.text(gone), () => blobs.readBody(gone), () => blobs.read(gone)])
      expect(read).toThrow(/a part of this recording is missing/);
  });
});

describe("a session folder that is a link", () => {
  test("is read, and nothing is written through it", async () => {
    using bench = new Workbench();
    const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
    try {
      const { id, dir, record } = bench.session({ pid: await deadPid() });
      renameSync(dir, join(elsewhere, id));
      symlinkSync(join(elsewhere, id), dir);
      const before = readFileSync(record, "utf8");
      writeFileSync(join(bench.root, "index.json"), "as it was");
      expect(await listSessions(bench.root)).toMatchObject([{ id, alive: false, ended: "died" }]);
      expect(readFileSync(record, "utf8")).toBe(before);
      expect(readFileSync(join(bench.root, "index.json"), "utf8")).toBe("as it was");
      endSession(findSession(bench.root).folder);
      expect(readFileSync(record, "utf8")).toBe(before);
      expect(() => EventLog.open(findSession(bench.root).folder)).toThrow(/is a link/);
      const result = await gc(bench.root, { olderThanMs: -1 });
      expect(result).toMatchObject({ removed: [{ id, bytes: 0 }] });
      expect(existsSync(dir)).toBe(false);
      expect(readFileSync(join(elsewhere, id, "session.json"), "utf8")).toBe(before);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });
});
