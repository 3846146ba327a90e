const test = require("node:test");
const assert = require("node:assert");
const { wrap, table, ranked, sums } = require("./table.js");

const rows = () => [
  ["apples", 12, 3.5],
  ["figs", 150, 1],
  ["plum jam", 7, 20.25],
];

test("wrap", () => {
  assert.deepStrictEqual(wrap("the quick brown fox jumps over an extraordinarily long hedge", 11), [
    "the quick",
    "brown fox",
    "jumps over",
    "an",
    "extraordina",
    "rily long",
    "hedge",
  ]);
});

test("table", () => {
  assert.deepStrictEqual(table(["what", "count", "each"], rows()), [
    "what    |count|each ",
    "--------+-----+-----",
    "apples  |   12|  3.5",
    "figs    |  150|    1",
    "plum jam|    7|20.25",
    "--------+-----+-----",
    "        |  169|24.75",
  ]);
  assert.deepStrictEqual(sums(rows()), ["", 169, 24.75]);
});

test("ranked", () => {
  const all = rows();
  assert.deepStrictEqual(ranked(all, 1), ["1. figs", "2. apples", "3. plum jam"]);
  assert.strictEqual(all[0][0], "apples");
});
