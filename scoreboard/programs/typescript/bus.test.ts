import assert from "node:assert";
import test from "node:test";
import { fits, scenario } from "./bus.ts";

test("what listeners see", async () => {
  const { seen, sums, errors, sent } = await scenario();
  assert.deepStrictEqual(seen, ["user.new=4", "user.left=5"]);
  assert.deepStrictEqual(sums, [16, 10, 0, 0]);
  assert.deepStrictEqual(errors, ["user.left: nobody"]);
  assert.strictEqual(sent, 4);
});

test("replays", async () => {
  const { count, replayed } = await scenario();
  assert.strictEqual(count, 2);
  assert.deepStrictEqual(replayed, ["user.left 5", "user.new 6"]);
});

test("patterns", () => {
  assert.strictEqual(fits("a.*", "a.b"), true);
  assert.strictEqual(fits("a.*", "a"), false);
  assert.strictEqual(fits("a.**", "a.b.c"), true);
  assert.strictEqual(fits("a.b", "a.b.c"), false);
  assert.strictEqual(fits("a.b", "a.c"), false);
});
