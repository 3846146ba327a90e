/** Parts of a trace as columns: against the hits themselves, with an index and without. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { BucketBuilder, merged } from "../../src/trace/columns/columns.ts";
import { columnsOf } from "../../src/trace/columns/read.ts";
import type { PointHit } from "../../src/trace/record.ts";
import { TraceStore } from "../../src/trace/store.ts";
import type { Traced } from "../../src/trace/trace.ts";
import { borrowSonde } from "../support/sonde.ts";

const folder = mkdtempSync(join(tmpdir(), "sonde-columns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two places by turns; a text of several bytes, so that bytes and characters differ. */
function traced(count: number): Traced {
  const hits: PointHit[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const point = seq % 3 === 0 ? 1 : 0;
    const hit = point === 1 ? seq / 3 : seq - Math.floor(seq / 3);
    const values = point === 1 ? [String(hit)] : [String(hit % 1000), hit % 500 === 0 ? '"grün"' : '"rot"'];
    hits.push({ kind: "point", seq, ms: seq / 10, thread: "main", point, hit, values, frames: [] });
  }
  return {
    version: 1,
    title: "made up",
    cwd: "/",
    began: "2026-01-01T00:00:00.000Z",
    seconds: 1,
    plan: {
      points: [
        { key: "a.js:1", path: "/a.js", line: 1, expressions: ["x", "s"] },
        { key: "a.js:2", path: "/a.js", line: 2, expressions: ["y"] },
      ],
      frames: 0,
      valueChars: 120,
      maxHits: count,
    },
    adapter: "node",
    collector: "stops",
    bindings: [],
    counts: [count - Math.floor(count / 3), Math.floor(count / 3)],
    seen: count,
    dropped: 0,
    end: { how: "exited", exitCode: 0 },
    notes: [],
    hits,
  };
}

test.each([1000, 40_000])("of %d hits: rows and ranges are those of the hits", async (count) => {
  const store = new TraceStore(join(folder, String(count)));
  const { record } = store.save(traced(count));
  expect(existsSync(store.indexPath(record.id))).toBe(count >= 20_000);
  const own = record.hits.filter((hit): hit is PointHit => hit.kind === "point" && hit.point === 0);
  for (const from of [0, 63, 64, 500, own.length - 5]) {
    const { rows } = await columnsOf(store, record.id, { buckets: 0, rows: 100, from });
    expect(rows).toEqual(own.slice(from, from + 100));
  }
  const { rows: others } = await columnsOf(store, record.id, { at: "a.js:2", buckets: 0, rows: 3, from: 70 });
  expect(others?.map(({ values }) => values)).toEqual([["71"], ["72"], ["73"]]);

  for (const [from, to, buckets] of [
    [0, own.length, 10],
    [0, 200, 50],
    [128, 192, 64],
  ] as const) {
    const { buckets: found } = await columnsOf(store, record.id, { from, to, buckets, rows: 0 });
    expect(found?.from.length).toBeLessThanOrEqual(buckets);
    expect(found?.from[0]).toBe(own[from]?.hit);
    expect(found?.to.at(-1)).toBe(own[to - 1]?.hit);
    for (const [at, first] of (found?.from ?? []).entries()) {
      const inside = own.filter(({ hit }) => hit >= first && hit <= (found?.to[at] ?? 0));
      const numbers = inside.map(({ values }) => Number(values[0]));
      expect(found?.columns[0]?.min[at]).toBe(Math.min(...numbers));
      expect(found?.columns[0]?.max[at]).toBe(Math.max(...numbers));
      const texts = new Set(inside.map(({ values }) => values[1]));
      const text = found?.columns[1]?.text[at] ?? null;
      expect(texts.size === 1 ? found?.columns[1]?.texts[text ?? 0] : text).toBe(
        texts.size === 1 ? [...texts][0] : -1,
      );
    }
  }
});

test("an index that is damaged or of another trace is made again", async () => {
  const store = new TraceStore(join(folder, "again"));
  const { record } = store.save(traced(30_000));
  const whole = await columnsOf(store, record.id, { buckets: 20, rows: 0 });
  for (const text of ["{", JSON.stringify({ version: 1, bytes: 1, began: "", points: [] })]) {
    writeFileSync(store.indexPath(record.id), text);
    expect(await columnsOf(store, record.id, { buckets: 20, rows: 0 })).toEqual(whole);
  }
  store.remove(record.id);
  expect(existsSync(store.indexPath(record.id))).toBe(false);
});

test("numbers and texts of one expression are kept apart; buckets become one", () => {
  const builder = new BucketBuilder(2, 1);
  for (const [at, value] of ["1", "-2.5", '"7"', '"7"', "3", '"8"'].entries())
    builder.add({ hit: at + 1, values: [value] });
  expect(builder.buckets.columns[0]).toEqual({
    min: [-2.5, null, 3],
    max: [1, null, 3],
    text: [null, 0, 1],
    texts: ['"7"', '"8"'],
  });
  const [one] = merged(builder.buckets, 0, 3, 3).columns;
  expect(one).toMatchObject({ min: [-2.5], max: [3], text: [-1] });
});

test("of a program: what it printed is what the columns say", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "sum.js",
    "let sum = 0;\nfor (let i = 1; i <= 50; i++) {\n  sum += i * i;\n}\nconsole.log(sum);\n",
  );
  const { trace } = await sonde.ask<{ trace: { id: string } }>("trace --at sum.js:3=sum,i -- node sum.js");
  interface Answer {
    buckets: { from: number[]; to: number[]; columns: { min: number[]; max: number[] }[] };
    rows: { hit: number; values: string[] }[];
  }
  const found = await sonde.ask<Answer>(`trace columns ${trace.id} --buckets 5 --rows 2 --from 48`);
  expect(found.rows.map(({ hit, values }) => [hit, ...values])).toEqual([
    [49, "38024", "49"],
    [50, "40425", "50"],
  ]);
  const matching = await sonde.ask<Answer & { found: number }>([
    ...["trace", "columns", trace.id, "--rows", "10"],
    ...["--where", "sum > 40000"],
  ]);
  expect(matching.found).toBe(1);
  expect(await sonde.refusal(`trace columns ${trace.id} --at sum.js:9`)).toMatchObject({
    code: "BAD_ARGUMENT",
    hint: "it has: sum.js:3",
  });
});
