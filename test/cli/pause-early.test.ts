/** A pause that comes while its program is being started. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

test("waits until there is something to stop", async () => {
  const sonde = borrowSonde();
  sonde.write("endless.js", "let n = 0;\nsetInterval(() => {\n  n += 1;\n}, 5);\n");
  const started = sonde.run(["start", "endless.js", "--timeout", "60"]);
  let paused = await sonde.run(["pause"]);
  // Until the session is on the table.
  while (/NO_SESSION/.test(paused.stderr)) paused = await sonde.run(["pause"]);
  expect(paused.stderr).toBe("");
  expect(paused.stdout).toMatch(/^stopped: pause/);
  expect((await started).stdout).toMatch(/^stopped: pause/);
});
