/** What people who know other debuggers type first. */
import { expect, test } from "vitest";
import { startMcp } from "../mcp/mcp.ts";
import { borrowSonde } from "../support/sonde.ts";

const PROGRAM = `function add(a, b) {
  const sum = a + b;
  return sum;
}
let total = 0;
for (let i = 0; i < 3; i++) total = add(total, i);
console.log(total);
`;

test("a function's name is a place to stop at and to look at", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", PROGRAM);
  expect(await sonde.text(["start", "app.js", "--adapter", "js", "--break", "add if a > 0"])).toMatch(
    /^stopped: breakpoint 1 .*app\.js:2 in add/,
  );
  expect(await sonde.text("list add")).toMatch(/^app\.js .*\n +1 \| function add/);
  expect(await sonde.refusal("list nothing_of_this_name")).toMatchObject({ code: "BAD_LOCATION" });
});

test("what is removed is gone, and what is left is told", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", PROGRAM);
  await sonde.text("start app.js --break app.js:2 --break app.js:7");
  expect(await sonde.ask("breakpoint remove 1")).toMatchObject({
    removed: [{ id: 1, kind: "line", at: "app.js:2" }],
    breakpoints: [{ id: 2, state: "bound" }],
  });
  expect(await sonde.text("breakpoint remove 2")).toBe("removed: breakpoint 2 app.js:7\n");
});

test("an MCP client lists breakpoints, and ends nothing without a mistake", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", PROGRAM);
  const mcp = await startMcp(sonde);
  expect(await mcp.ok("debug", { action: "terminate" })).toMatchObject({ text: "no session to stop\n" });
  await mcp.ok("debug", { action: "launch", program: "app.js", breakpoints: ["app.js:2"] });
  expect((await mcp.ok("inspect", { action: "breakpoints" })).data).toMatchObject({
    breakpoints: [{ id: 1, at: "app.js:2" }],
  });
});

test("a suite that was cut off says so beside its counts", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "slow.test.js",
    `const test = require("node:test"); const assert = require("node:assert");
test("good", () => {});
test("bad", () => assert.strictEqual(1, 2));
test("never ends", () => new Promise((done) => setTimeout(done, 600_000)));
`,
  );
  const text = (await sonde.run(["test", "--timeout", "4", "--", "node", "--test", "slow.test.js"])).stdout;
  expect(text).toMatch(/^failed: bad .*1 passed .*· cut off after 4 s, with tests still to run/);
});
