import assert from "node:assert";
import test from "node:test";
import { createPool, scenario } from "./pool.mjs";

test("results", async () => {
  const { good, bad, most, done, running } = await scenario();
  assert.deepStrictEqual(good, ["a=3", "b=2", "d=12", "e=1"]);
  assert.deepStrictEqual({ bad, most, done, running }, { bad: 1, most: 2, done: 5, running: 0 });
});

test("the log", async () => {
  const { log } = await scenario();
  assert.strictEqual(log.filter((line) => line.endsWith("failed")).length, 6);
  assert.strictEqual(log.at(-1), "d done");
});

test("batches", async () => {
  const { sent } = await scenario();
  assert.deepStrictEqual(sent, ["1+2", "3+4", "5"]);
});

test("one at a time", async () => {
  const pool = createPool(1);
  await Promise.all([pool.run(async () => 1), pool.run(async () => 2)]);
  assert.deepStrictEqual(pool.stats, { running: 0, most: 1, done: 2 });
});
