import { existsSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gc } from "../../../src/agent/store/gc.ts";
import { readRecord, type SessionRecord, writeRecord } from "../../../src/agent/store/record.ts";
import { type CreatedSession, endSession, listSessions } from "../../../src/agent/store/sessions.ts";
import { Workbench } from "./workbench.ts";

const DAY = 86_400_000;

/** Ended so many days ago, with a log of so many bytes. */
function ended(bench: Workbench, days: number, bytes: number): CreatedSession {
  const session = bench.session();
  writeFileSync(session.events, "x".repeat(bytes));
  endSession(session);
  const record = readRecord(session) as SessionRecord;
  const time = new Date(Date.now() - days * DAY).toISOString();
  writeRecord(session, { ...record, startTime: time, endTime: time });
  return session;
}

describe("gc", () => {
  test("by age and by size never removes a live one", async () => {
    using bench = new Workbench();
    const live = bench.session();
    writeFileSync(live.events, "x".repeat(100_000));
    writeRecord(live, { ...live.session, startTime: new Date(0).toISOString() });
    const old = ended(bench, 40, 1000);
    const big = ended(bench, 3, 50_000);
    const recent = ended(bench, 1, 2000);
    expect(
      (await gc(bench.root, { olderThanMs: 30 * DAY, maxBytes: 110_000, dryRun: true })).removed,
    ).toHaveLength(2);
    expect(existsSync(old.dir)).toBe(true);
    const result = await gc(bench.root, { olderThanMs: 30 * DAY, maxBytes: 110_000 });
    expect(result.removed).toMatchObject([
      { id: old.id, why: "age" },
      { id: big.id, why: "size" },
    ]);
    expect(result.bytes).toBeGreaterThan(51_000);
    expect(result.kept).toMatchObject({ sessions: 2, alive: 1 });
    expect((await listSessions(bench.root)).map(({ id }) => id).sort()).toEqual([live.id, recent.id].sort());
    await gc(bench.root, { olderThanMs: 0, maxBytes: 0 });
    expect((await listSessions(bench.root)).map(({ id }) => id)).toEqual([live.id]);
    expect(readlinkSync(join(bench.root, "current"))).toBe(`sessions/${live.id}`);
  });

  test("finds nothing where nothing is", async () => {
    using bench = new Workbench();
    expect(await gc(join(bench.root, "none"), { olderThanMs: 0 })).toMatchObject({ removed: [], bytes: 0 });
  });
});
