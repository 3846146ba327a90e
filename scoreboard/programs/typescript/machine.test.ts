import assert from "node:assert";
import test from "node:test";
import { Machine, scenario } from "./machine.ts";

test("the log", () => {
  assert.deepStrictEqual(scenario().log, [
    "idle choose idle 0",
    "idle coin paying 50",
    "paying coin paying 60",
    "paying choose paying 60",
    "paying coin paying 110",
    "tea and 20+20",
    "paying choose idle 0",
    "idle coin paying 100",
    "gum and 50+10+5",
    "paying choose idle 0",
    "idle coin paying 20",
    "back 20",
    "paying cancel idle 0",
    "idle coin paying 100",
    "paying choose paying 100",
    "paying choose paying 100",
    "paying coin paying 105",
  ]);
});

test("the coins", () => {
  assert.deepStrictEqual(scenario().coins, [
    [50, 2],
    [20, 0],
    [10, 1],
    [5, 2],
    [100, 2],
  ]);
});

test("change", () => {
  const machine = new Machine({}, [
    [5, 1],
    [20, 1],
    [10, 3],
  ]);
  assert.deepStrictEqual(machine.change(45), [20, 10, 10, 5]);
  assert.strictEqual(machine.change(20), undefined);
  assert.deepStrictEqual(machine.change(10), [10]);
});
