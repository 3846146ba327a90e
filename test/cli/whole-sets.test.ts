/** A set that takes the place of another, a wait for what runs already, and an end of nothing. */
import { expect, test } from "vitest";
import { borrowSonde, createSonde } from "../support/sonde.ts";

const TICKS = "let n = 0;\nsetInterval(() => {\n  n += 1; // tick\n}, 20);\n";

test("catch --replace: the new set takes the place of the old, which stays if it is refused", async () => {
  const sonde = borrowSonde();
  sonde.write("ticks.js", TICKS);
  await sonde.ask("start ticks.js --break ticks.js:3");
  const names = (answer: { catches: { name: string }[] }) => answer.catches.map(({ name }) => name);
  type Rows = { catches: { name: string }[] };
  expect(names(await sonde.ask<Rows>("catch all --replace"))).toEqual(["all"]);
  expect(await sonde.refusal("catch uncaught,all,nonsense --replace")).toMatchObject({
    code: "BAD_ARGUMENT",
  });
  expect(names(await sonde.ask<Rows>("catch list"))).toEqual(["all"]);
  expect(names(await sonde.ask<Rows>("catch uncaught,all --replace"))).toEqual(["all", "uncaught"]);
  expect(await sonde.refusal("catch none")).toMatchObject({ message: "none alone removes nothing" });
  expect(names(await sonde.ask<Rows>("catch none --replace"))).toEqual([]);
});

test("continue of a program that runs waits for its next stop", async () => {
  const sonde = borrowSonde();
  sonde.write("ticks.js", TICKS);
  await sonde.ask("start ticks.js --no-wait");
  const stopped = await sonde.ask<{ state: string; snapshot: { breakpoints: { id: number }[] } }>(
    "continue --break ticks.js:3",
  );
  expect(stopped).toMatchObject({ state: "stopped", snapshot: { breakpoints: [{ id: 1 }] } });
});

test("stop with nothing to stop is an answer; by a name that is none it is refused", async () => {
  const sonde = createSonde();
  expect(await sonde.text("stop")).toBe("no session to stop\n");
  expect(await sonde.refusal("stop -s web")).toMatchObject({ code: "NO_SESSION" });
});
