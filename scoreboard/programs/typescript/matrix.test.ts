import assert from "node:assert";
import test from "node:test";
import { determinant, GRID, multiply, power, scaled, spiral } from "./matrix.ts";

test("products", () => {
  assert.deepStrictEqual(multiply(GRID, [[1], [0], [2]]), [[7], [16], [27]]);
  assert.deepStrictEqual(power([[1, 1], [1, 0]], 9), [[55, 34], [34, 21]]);
});

test("determinants", () => {
  assert.strictEqual(determinant(GRID), -3);
  assert.strictEqual(determinant([[3, 1], [4, 2]]), 2);
});

test("spirals", () => {
  assert.deepStrictEqual(spiral(GRID), [1, 2, 3, 6, 10, 8, 7, 4, 5]);
  assert.deepStrictEqual(spiral([[1, 2, 3], [4, 5, 6]]), [1, 2, 3, 6, 5, 4]);
});

test("scaled leaves the old one alone", () => {
  assert.deepStrictEqual(scaled(GRID, 2)[2], [14, 16, 20]);
  assert.deepStrictEqual(GRID[0], [1, 2, 3]);
});
