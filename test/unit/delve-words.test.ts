import { expect, test } from "vitest";
import { plainValue } from "../../src/adapters/delve/plain-texts.ts";

test("values as Go would write them", () => {
  expect(plainValue("5 = 0x5", "uint64")).toBe("5");
  expect(plainValue('map[string][]int ["a": [1,2], ]', "map[string][]int")).toBe(
    'map[string][]int ["a": [1,2]]',
  );
  expect(plainValue('main.S {m: map[string]int ["x, ]": 1, ], t: ", ]"}', "main.S")).toBe(
    'main.S {m: map[string]int ["x, ]": 1], t: ", ]"}',
  );
});
