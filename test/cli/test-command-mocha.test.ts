/** `sonde test` on mocha, today's and one of long ago, and on jest: assertions, errors that are handed over, and where the value came from. */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { splitWords } from "../../src/util/shell-words.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

const INSTALLED = join(resolve(import.meta.dirname, "../.."), ".adapters/test-runners/node_modules");
const slow = { timeout: 120_000 };

const CART = `exports.total = function total(prices, off) {
  let amount = 0;
  for (const price of prices) amount += price;
  return amount - off;
};
exports.later = function later(prices, then) {
  setTimeout(() => {
    const sum = exports.total(prices, 5);
    if (sum < 30) then(new RangeError(\`too little: \${sum}\`));
    else then(null, sum);
  }, 1);
};
`;

const TESTS = `const assert = require("assert");
const { total, later } = require("../cart.js");
describe("cart", () => {
  it("adds (5)", () => {
    const got = total([10, 20], 5);
    assert.equal(got, 30);
  });
  it("adds nothing", () => {
    assert.equal(total([], 0), 0);
  });
  it("calls back", (done) => {
    later([1000], () => {
      later([10, 20], (error) => done(error));
    });
  });
});
`;

function withCart(): Sonde {
  const sonde = borrowSonde();
  sonde.write("cart.js", CART);
  sonde.write("package.json", "{}\n");
  sonde.write("test/cart.test.js", TESTS);
  mkdirSync(join(sonde.project, "node_modules"));
  for (const name of ["mocha", "mocha-old", "jest"])
    symlinkSync(join(INSTALLED, name), join(sonde.project, "node_modules", name));
  return sonde;
}

const runners: [string, string, string[]][] = [
  ["mocha", "mocha", ["node", "node_modules/mocha/bin/mocha.js"]],
  ["mocha 4", "mocha", ["node", "node_modules/mocha-old/bin/_mocha"]],
  ["jest", "jest", ["node", "node_modules/jest/bin/jest.js"]],
];

describe.skipIf(!existsSync(join(INSTALLED, "jest"))).each(runners)("%s", (_, runner, words) => {
  test("an assertion, and what gave the value", slow, async () => {
    const sonde = withCart();
    const answer = await asked(sonde, ["test", "--", ...words]);
    expect(answer).toMatchObject({
      runner,
      counts: { failed: 2, passed: 1, skipped: 0 },
      test: { name: "cart adds (5)" },
      others: ["cart calls back"],
      notes: [],
      origin: { calls: [{ function: "total", value: "25", source: "return amount - off;" }] },
    });
    expect(places(answer)).toEqual(["cart.test.js:6 (anonymous)"]);
    expect(values(answer, 0)).toEqual({ got: "25" });
    const [program, ...next] = splitWords(answer.next ?? "");
    expect([program, ...next.slice(0, 3)]).toEqual(["sonde", "trace", "--function", "total"]);
    const text = await sonde.text(next, { timeoutMs: 90_000 });
    expect(text).toContain("total(prices=[10, 20], off=5)  cart.js:1\n");
    expect(text).toContain("returned 25");
  });

  test("done(error): the line that made the error, and its values", slow, async () => {
    const answer = await asked(withCart(), ["test", "--name", "cart calls back", "--", ...words]);
    expect(answer).toMatchObject({
      test: { name: "cart calls back", type: "RangeError", message: "too little: 25" },
      notes: [
        "the error was passed on as a value, not thrown; this is the last time that the line that created it ran",
      ],
    });
    expect(places(answer)[0]).toBe("cart.js:9 (anonymous)");
    expect(values(answer, 0)).toEqual({ sum: "25" });
  });
});
