/** One session, several who look at it and change it: each gets what it asked for, and nobody's work is lost. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde } from "../support/sonde.ts";
import { startMcp } from "./mcp.ts";

const NESTED = `function inner(c) {
  const own = "inner";
  debugger;
  return own + c;
}
function middle(b) {
  const own = "middle";
  return inner(b) + own;
}
function outer(a) {
  const own = "outer";
  return middle(a) + own;
}
outer(1);
outer(2);
`;

test("who names a frame moves nobody's look", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("nested.js", NESTED);
  await sonde.text("start nested.js");
  await sonde.text("frame 1");
  const [one, two] = [await startMcp(sonde), await startMcp(sonde)];
  const own = async (mcp: typeof one, frame_id?: number) => {
    const args = { action: "evaluate", expression: "own", context: "watch" };
    return (await mcp.ok("debug", frame_id === undefined ? args : { ...args, frame_id })).text.trim();
  };
  const asked = await Promise.all([
    own(one, 0),
    own(two, 2),
    own(one),
    own(two),
    own(one, 1),
    own(two, 0),
    sonde.text("print own"),
    sonde.text("print own --frame 2"),
  ]);
  expect(asked.map((text) => /"(\w+)"/.exec(text)?.[1])).toEqual([
    "inner",
    "outer",
    "middle",
    "middle",
    "middle",
    "inner",
    "middle",
    "outer",
  ]);
  const context = await one.ok("inspect", { action: "context", frame_id: 2 });
  expect(context.data).toMatchObject({ frame: { index: 2, function: "outer" } });
  expect(
    (await two.ok("debug", { action: "set_variable", name: "a", value: "7", frame_id: 2 })).text,
  ).toMatch(/^a = 7/);
  expect((await one.ok("inspect", { action: "scopes", frame_id: 0 })).data).toMatchObject({
    scopes: expect.arrayContaining([expect.objectContaining({ name: "Local" })]),
  });
  expect(await sonde.ask("frame")).toMatchObject({ frame: { index: 1, function: "middle" } });
  expect(await one.refused("inspect", { action: "context", frame_id: 99 })).toMatchObject({
    code: "BAD_ARGUMENT",
    message: expect.stringContaining("there is no frame 99"),
  });
  expect(await one.refused("inspect", { action: "stack_trace", thread_id: 9 })).toMatchObject({
    code: "BAD_ARGUMENT",
    message: "no thread 9",
  });
});

test("a change that is refused leaves the breakpoint that was there", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("nested.js", NESTED);
  const mcp = await startMcp(sonde);
  await mcp.ok("debug", { action: "launch", program: "nested.js" });
  const place = { action: "set_breakpoint", file: "nested.js", line: 8 };
  await mcp.ok("debug", { ...place, condition: "b === 2" });
  const before = await sonde.ask("breakpoint list");
  expect(await mcp.refused("debug", { ...place, condition: "b ===" })).toMatchObject({
    message: expect.stringMatching(/^nested\.js:8: condition: SyntaxError/),
    hint: "breakpoint 1 is unchanged",
  });
  expect(await sonde.ask("breakpoint list")).toEqual(before);
  expect(await sonde.refusal(["break", "nested.js:8", "--replace", "-c", "("])).toMatchObject({
    code: "REQUEST_FAILED",
  });
  expect((await mcp.ok("debug", { action: "continue" })).text).toMatch(
    /^stopped: breakpoint 1 \(hit 1\) {2}nested\.js:8/,
  );
  // A good one takes its place.
  await mcp.ok("debug", place);
  expect(await sonde.ask("breakpoint list")).toMatchObject({ breakpoints: [{ line: 8, state: "bound" }] });
});

const RECURSIVE = `static int down(int n) {
  int own = n;
  if (n > 0)
    own += down(n - 1);
  return own;
}
int main(void) { return down(3); }
`;

test.skipIf(compilerVersion("c") === undefined)(
  "of two watches on one expression the one that is meant is removed",
  { timeout: 60_000 },
  async () => {
    const sonde = borrowSonde();
    sonde.write("down.c", RECURSIVE);
    execFileSync("cc", ["-g", "-O0", "-o", "down", "down.c"], { cwd: sonde.project });
    const mcp = await startMcp(sonde);
    const debug = (action: string, args = {}) => mcp.ok("debug", { action, ...args });
    await debug("launch", { program: "./down", adapter: "lldb", breakpoints: ["down.c:3 if n == 1"] });
    for (const data_id of ["0:own", "1:own", "2:own"]) await debug("set_data_breakpoint", { data_id });
    const left = async () => {
      const { watches } = await sonde.ask<{ watches: { id: number; value: string }[] }>("watch list");
      return watches.map(({ value }) => value);
    };
    expect(await left()).toEqual(["1", "2", "3"]);
    expect((await debug("remove_data_breakpoint", { data_id: "1:own" })).text).toMatch(
      /^removed: watch 3 own/,
    );
    expect(await left()).toEqual(["1", "3"]);
    const remove = { action: "remove_data_breakpoint", data_id: "3:own" };
    expect(await mcp.refused("debug", remove)).toMatchObject({
      message: "2 watches are on own; which?",
      hint: "give its number: 2 (own = 1, write), 4 (own = 3, write)",
    });
    expect(await mcp.refused("debug", { ...remove, access_type: "read" })).toMatchObject({
      message: "there is no watch on own for read",
    });
    await debug("remove_data_breakpoint", { data_id: "4" });
    expect(await left()).toEqual(["1"]);
  },
);

test.skipIf(compilerVersion("c") === undefined)(
  "of a debugger that keeps one at a function, the one that is there is kept",
  { timeout: 60_000 },
  async () => {
    const sonde = borrowSonde();
    sonde.write("down.c", RECURSIVE);
    execFileSync("cc", ["-g", "-O0", "-o", "down", "down.c"], { cwd: sonde.project });
    await sonde.text("start ./down --adapter lldb --stop-on-entry");
    await sonde.text(["break", "--function", "down", "-c", "n == 2"]);
    expect(await sonde.refusal(["break", "--function", "down", "-c", "n == 99"])).toMatchObject({
      code: "UNSUPPORTED",
      message: "breakpoint 1 is already at down, and the debugger keeps only one per place",
      hint: expect.stringContaining("`sonde break --condition 'n == 99' --function down --replace`"),
    });
    expect(await sonde.text(["continue", "--eval", "n"])).toMatch(
      /^stopped: breakpoint 1 \(hit 1\)[\s\S]*\nn = 2/,
    );
    await sonde.text(["break", "--function", "down", "--replace", "-c", "n == 0"]);
    expect(await sonde.ask("breakpoint list")).toMatchObject({ breakpoints: [{ condition: "n == 0" }] });
    expect(await sonde.text(["continue", "--eval", "n"])).toMatch(/\nn = 0/);
  },
);
