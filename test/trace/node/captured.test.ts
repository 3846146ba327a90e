/** Variables that a callback works on, and what a block declares, in a record line by line. */
import { expect, test } from "vitest";
import { borrowSonde } from "../../support/sonde.ts";

const TOTAL = `function total(items, by) {
  let sum = 0;
  const skipped = [];
  items.forEach((one) => {
    if (one < 0) {
      skipped.push(one);
      return;
    }
    sum += one * by;
  });
  for (const one of items) {
    const double = one * 2;
  }
  if (sum > 0) {
    const half = sum / 2;
  }
  return sum;
}
const later = (read) => read();
function early() {
  const value = later(() => 1);
  const value2 = later(() => {
    try {
      return value2;
    } catch {
      return 7;
    }
  });
  return value2;
}
console.log(total([2, -1, 4], 3), early());
`;

test("captured variables and a block's own are told with the line that made them", async () => {
  const sonde = borrowSonde();
  sonde.write("total.js", TOTAL);
  const text = await sonde.text(["trace", "--function", "total", "--depth", "1", "--", "node", "total.js"]);
  expect(text).toMatch(/9 \| sum \+= one \* by; +sum = 6\n/);
  expect(text).toMatch(/9 \| sum \+= one \* by; +sum = 18\n/);
  expect(text).toMatch(/6 \| skipped\.push\(one\); +skipped = \[-1\]\n/);
  expect(text).toMatch(/12 \| const double = one \* 2; +double = 8\n/);
  expect(text).toMatch(/15 \| const half = sum \/ 2; +half = 9\n/);
  expect(text).toMatch(/returned 18\n/);
});

test("one that has no value yet is left out, and the program does what it does", async () => {
  const sonde = borrowSonde();
  sonde.write("total.js", TOTAL);
  const text = await sonde.text(["trace", "--function", "early", "--depth", "2", "--", "node", "total.js"]);
  expect(text).toMatch(/\| 18 7\n/);
  expect(text).toMatch(/early\(\)/);
});

test("one that has no value yet hides none of the others", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "early.js",
    `function early(items) {
  let sum = 0;
  items.forEach((one) => {
    sum += one;
    if (one > 99) console.log(late);
  });
  const late = sum;
  return late;
}
class Parts {
  #one = 1;
  #two = this.fill();
  #three = 3;
  fill() {
    this.#one = 7;
    return this.#one;
  }
  get all() { return [this.#one, this.#two, this.#three]; }
}
console.log(early([2, 3]), new Parts().all);
`,
  );
  const text = await sonde.text(["trace", "--function", "early", "--depth", "1", "--", "node", "early.js"]);
  expect(text).toMatch(/4 \| sum \+= one; +sum = 2\n/);
  expect(text).toMatch(/4 \| sum \+= one; +sum = 5\n/);
  expect(text).toMatch(/\| 5 \[ 7, 7, 3 \]\n/);
  const parts = await sonde.text(["trace", "--function", "fill", "--", "node", "early.js"]);
  expect(parts).toMatch(/this\.#one = 7/);
});

test("diff names the line of a callback, by the variable it changes", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("a/total.js", TOTAL);
  sonde.write("b/total.js", TOTAL.replace("sum += one * by", "sum += one + by"));
  const text = await sonde.text(["diff", "--a", "node a/total.js", "--b", "node b/total.js"]);
  expect(text).toMatch(/^first divergence: line a\/total\.js:9 in \(anonymous\): sum differs .*changed line/);
});
