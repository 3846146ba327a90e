import assert from "node:assert/strict";
import { test } from "node:test";
import { BoxOffice } from "./seats.js";

test("one customer gets neighbouring seats", async () => {
  const office = new BoxOffice({ A: 4 });
  assert.equal(await office.sell("Ada", "A", 2), true);
  assert.deepEqual((await office.plan("A")).taken, ["A1:Ada", "A2:Ada"]);
});

test("a full row refuses", async () => {
  const office = new BoxOffice({ A: 1 });
  assert.equal(await office.sell("Ada", "A", 2), false);
  assert.deepEqual(office.refused, ["Ada"]);
});

test("an evening's orders share a row", async () => {
  const office = new BoxOffice({ A: 4, B: 2 });
  const orders = [
    { customer: "Ada", row: "A", count: 2 },
    { customer: "Bob", row: "A", count: 1 },
    { customer: "Cy", row: "B", count: 1 },
  ];
  assert.equal(await office.evening(orders), 3);
  const { free, taken } = await office.plan("A");
  assert.deepEqual({ free, taken }, { free: 1, taken: ["A1:Ada", "A2:Ada", "A3:Bob"] });
});
