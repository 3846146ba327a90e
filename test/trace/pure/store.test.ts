import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  expect((await traces.list()).map(({ id }) => id)).toEqual(["t1"]);
});
