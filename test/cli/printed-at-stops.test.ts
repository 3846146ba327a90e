/** What a program prints before a stop is in that stop's answer, however quickly it comes. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const ROUNDS = 30;

test("at each of many stops", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "ticks.js",
    `let sum = 0;\nfor (let i = 0; i < ${ROUNDS + 1}; i++) {\n  console.log("tick", i);\n  sum += i;\n}\n`,
  );
  expect(await sonde.text("start ticks.js --break ticks.js:4")).toContain("| tick 0\n");
  for (let i = 1; i <= ROUNDS; i++) expect(await sonde.text("continue")).toContain(`| tick ${i}\n`);
});
