import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { TraceStore } from "../../../src/trace/store.ts";
import { pointRecord } from "./records.ts";

function store(limits?: { count: number; bytes: number }): { store: TraceStore; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "sonde-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { store: new TraceStore(join(folder, "traces"), limits), folder: join(folder, "traces") };
}

test("what is saved is read back, by number or as the newest", async () => {
  const { store: traces } = store();
  const record = pointRecord(["x"], [["1"], ["2"]]);
  expect(traces.save(record).record.id).toBe("t1");
  traces.save({ ...record, title: "second" });
  expect(await traces.read("t1")).toEqual({ ...record, id: "t1" });
  expect(await traces.read()).toMatchObject({ id: "t2", title: "second" });
  expect((await traces.list()).map(({ id }) => id)).toEqual(["t2", "t1"]);
});

test("numbers are not used again while a later one is there", () => {
  const { store: traces } = store();
  for (let n = 0; n < 3; n++) traces.save(pointRecord([], []));
  traces.remove("t2");
  expect(traces.save(pointRecord([], [])).record.id).toBe("t4");
  expect(() => traces.remove("t2")).toThrow(/there is no trace t2/);
});

test("the oldest go when there are too many, or they are too large; the newest never", async () => {
  const { store: few } = store({ count: 3, bytes: 1e9 });
  for (let n = 0; n < 6; n++) few.save(pointRecord([], []));
  expect((await few.list()).map(({ id }) => id)).toEqual(["t6", "t5", "t4"]);
  const { store: small } = store({ count: 100, bytes: 1 });
  for (let n = 0; n < 3; n++) small.save(pointRecord([], []));
  expect((await small.list()).map(({ id }) => id)).toEqual(["t3"]);
});

test("what is not ours in the folder is left alone", async () => {
  const { store: traces, folder } = store();
  traces.save(pointRecord([], []));
  writeFileSync(join(folder, "t7.jsonl"), "not JSON\n");
  writeFileSync(join(folder, "notes.txt"), "x");
  expect((await traces.list()).map(({ id, ...one }) => [id, "head" in one])).toEqual([
    ["t7", false],
    ["t1", true],
  ]);
});

const RECORD = pointRecord(["x"], [["1"], ["a\u2028b"], ["3 €"]]);

test("cut at any byte of the last record, the others are read, and the loss is said", async () => {
  const { store: traces } = store();
  const { file } = traces.save(RECORD);
  const whole = readFileSync(file);
  const last = whole.lastIndexOf("\n", whole.length - 2) + 1;
  for (let end = last; end < whole.length - 1; end++) {
    writeFileSync(file, whole.subarray(0, end));
    const read = await traces.read("t1");
    expect(read).toMatchObject({ dropped: 1, partial: expect.stringContaining("the first 2 of 3 records") });
    expect(read.hits).toEqual(RECORD.hits.slice(0, 2));
    expect(await traces.list()).toMatchObject([
      { id: "t1", damage: { why: expect.stringContaining("truncated") } },
    ]);
  }
});

test("a byte that was changed anywhere is noticed", async () => {
  const { store: traces } = store();
  const { file } = traces.save(RECORD);
  const whole = readFileSync(file);
  // A trace of a version before this one has no digest: without that word it would pass for one.
  const word = whole.indexOf("stored");
  for (let at = 0; at < whole.length; at += 3) {
    if (at >= word && at < word + "stored".length) continue;
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(file, changed);
    const read = await traces.read("t1").catch((error: Error) => error);
    if (read instanceof Error) expect(read.message).toMatch(/^trace t1 (is damaged|was written by a newer)/);
    else expect(read.partial, `byte ${at}`).toContain("truncated");
  }
});

test("a file that is no trace, or a newer one, is named, and the others are listed", async () => {
  const { store: traces, folder } = store();
  traces.save(RECORD);
  const newer = JSON.stringify({ ...RECORD, version: 2 });
  for (const [n, text] of ["", "{}", "null", "[]", "7", "{", newer, `{"version":1}`].entries())
    writeFileSync(join(folder, `t${n + 2}.jsonl`), text);
  const all = await traces.list();
  expect(all.filter((one) => "head" in one).map(({ id }) => id)).toEqual(["t1"]);
  expect(all).toHaveLength(9);
  await expect(traces.read("t8")).rejects.toMatchObject({ code: "VERSION_SKEW" });
  for (const id of ["t2", "t3", "t4", "t5", "t6", "t7", "t9"])
    await expect(traces.read(id)).rejects.toMatchObject({ code: "REQUEST_FAILED" });
});

test("what a killed process left half written goes with the next trace", () => {
  const { store: traces, folder } = store();
  traces.save(RECORD);
  writeFileSync(join(folder, `new-${spawnSync("true").pid}-abc`), "");
  traces.save(RECORD);
  expect(readdirSync(folder).sort()).toEqual([".last-number", "t1.jsonl", "t2.jsonl"]);
});
