import assert from "node:assert";
import test from "node:test";
import { best, sorted, TEXTS } from "./versions.ts";

test("ranges", () => {
  assert.strictEqual(best(TEXTS, "^1.2.0"), "1.10.1");
  assert.strictEqual(best(TEXTS, "~1.2.0"), "1.2.5");
  assert.strictEqual(best(TEXTS, "^0.3.4"), "0.3.9");
  assert.strictEqual(best(TEXTS, ">=1.2.1 <2.0.0"), "2.0.0-beta");
  assert.strictEqual(best(TEXTS, "1.2.0"), "1.2.0");
  assert.strictEqual(best(TEXTS, "^2.0.0-alpha"), "2.0.0");
  assert.strictEqual(best(TEXTS, "^3.0.0"), undefined);
});

test("sorted", () => {
  const first = TEXTS[0];
  assert.deepStrictEqual(sorted(TEXTS), [
    "0.3.4",
    "0.3.9",
    "1.2.0",
    "1.2.5",
    "1.10.1",
    "2.0.0-alpha",
    "2.0.0-beta",
    "2.0.0",
  ]);
  assert.strictEqual(TEXTS[0], first);
});
