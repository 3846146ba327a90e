/** Functions with more variables than are followed: what a line names is told all the same. */
import { expect, test } from "vitest";
import { borrowSonde } from "../../support/sonde.ts";

const FILLER = Array.from({ length: 70 }, (_, at) => `v${at} = ${at}`);

test("of many variables those that the lines name, in a function and in a module", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  const body = [...FILLER, "total = v0 + n", "v0 = total * 2", "late = v0", "return late"];
  sonde.write(
    "many.py",
    `${FILLER.join("\n")}\n\ndef work(n):\n${body.map((line) => `    ${line}`).join("\n")}\n\nresult = work(1)\nmore = result + v69\nprint(more)\n`,
  );
  const text = await sonde.text([
    "trace",
    "--function",
    "work",
    "--max-hits",
    "200",
    "--",
    "python3",
    "many.py",
  ]);
  expect(text).toMatch(/total = v0 \+ n +total = 1\n/);
  expect(text).toMatch(/v0 = total \* 2 +v0 = 2\n/);
  expect(text).toMatch(/late = v0 +late = 2\n/);
});
