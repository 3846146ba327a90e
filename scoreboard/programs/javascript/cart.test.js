const test = require("node:test");
const assert = require("node:assert");
const { Cart, createStock, scenario } = require("./cart.js");

test("what is added and free", () => {
  const { added, free, ink } = scenario();
  assert.deepStrictEqual(added, [true, false, true, true]);
  assert.deepStrictEqual(free, [4, 1, 2]);
  assert.strictEqual(ink, 3);
});

test("totals", () => {
  const { before, after, rows } = scenario();
  assert.strictEqual(before, 1729);
  assert.strictEqual(after, 1254);
  assert.deepStrictEqual(rows, ["6 pen: 720", "2 ink: 1100", "2 pad: 600", "total: 2178"]);
});

test("a cart without rules", () => {
  const cart = new Cart(createStock([{ name: "pen", count: 2 }]), { pen: 10 });
  cart.add("pen", 2);
  assert.strictEqual(cart.total(), 20);
});
