/** A program that sends itself a signal: what Node would say of its debugger is not in the program's output. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const DIES = `process.stderr.write("before\\n", () => process.kill(process.pid, "SIGTERM"));
setInterval(() => {}, 1000);
`;
const LIVES = `process.once("SIGTERM", () => console.log("heard"));
process.kill(process.pid, 0);
process.kill(process.pid, "SIGTERM");
const timer = setTimeout(() => {
  clearTimeout(timer); // @later
}, 200);
`;

test("it dies of it, with its own words alone", async () => {
  const sonde = borrowSonde();
  sonde.write("dies.js", DIES);
  const text = await sonde.text("start dies.js");
  expect(text).toMatch(/^exited: killed by SIGTERM/);
  expect(text).toContain("before");
  expect(text).not.toContain("Waiting for the debugger");
});

test("one that it handles leaves the debugger where it is", async () => {
  const sonde = borrowSonde();
  sonde.write("lives.js", LIVES);
  const text = await sonde.text("start lives.js --break lives.js:5");
  expect(text).toMatch(/^stopped: breakpoint 1/);
  expect(text).toContain("heard");
  await sonde.text("stop");
});
