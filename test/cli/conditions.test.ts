/** What is asked of a breakpoint in words that mean nothing: told at once, before the program runs past it. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const APP = `function f(x) {
  const y = x + 1;
  return y * 2; // @here
}
for (let i = 0; i < 3; i++) f(i);
console.log("ran");
`;

test("a condition, a count or a message that is none is refused, and nothing runs", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", APP);
  const started = await sonde.run(["start", "app.js", "--break", "app.js:3 if x ="]);
  expect(started.stderr).toMatch(/^error BAD_ARGUMENT: app\.js:3 if x =: condition: SyntaxError: /);
  expect(started.stderr).toMatch(/\nhint: give an expression /);
  expect(started.stdout + started.stderr).not.toContain("ran");
  await sonde.text("start app.js --stop-on-entry");
  for (const words of [
    ["--condition", "x ="],
    ["--hit-count", "often"],
    ["--log", "x is {x +}"],
  ]) {
    const refused = await sonde.run(["break", "app.js:3", ...words]);
    expect(refused.stderr).toMatch(/^error BAD_ARGUMENT: /);
  }
  const set = await sonde.text(["break", "app.js:3", "--condition", "x > 1"]);
  expect(set).toContain("bound");
  expect(await sonde.text("breakpoint list")).not.toMatch(/often|x =|x \+/);
  expect(await sonde.text("continue")).toMatch(/^stopped: breakpoint/);
  await sonde.text("stop");
});

test("a condition that fails as it runs stops there and says so", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", APP);
  const stopped = await sonde.text(["start", "app.js", "--break", "app.js:3 if nosuch > x"]);
  expect(stopped).toMatch(/^stopped: breakpoint 1 \(hit 1\)/);
  expect(stopped).toContain("condition failed: ReferenceError: nosuch is not defined");
  expect(stopped).toContain("x = 0");
  await sonde.text("stop");
});
