/** More events than are kept: what is told of the rest, by the binary. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

test("a gap is shown where it is, and counts say that they may be more", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.cjs",
    `function add(a, b) {
  const c = a + b;
  return c;
}
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum = add(sum, i);
  }
  return sum;
}
console.log(work(300));
`,
  );
  const said = (name: string) =>
    sonde.text(["trace", "--function", name, "--max-hits", "60", "--", "node", "app.cjs"]);
  const work = await said("work");
  expect(work.match(/its head ran at least \d+ times/g)).toHaveLength(2);
  expect(work).not.toMatch(/its head ran \d/);
  expect(work).toMatch(
    /^ {2}… gap: 545 events not kept, so what ran here is not known; then (?:i|sum) = \d+$/m,
  );
  expect(work).toMatch(/round 2 after the gap\n/);
  expect(work).toContain("returned 44850");
  const add = await said("add");
  expect(add).toContain("… gap: 1140 events not kept");
  expect(add).toContain("(its end was not kept)");
});
