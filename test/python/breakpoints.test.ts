/** That what is said of a breakpoint is so. */
import { expect, test } from "vitest";
import type { BreakpointRow } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { ends, output, pythonSonde, stops, value } from "./programs.ts";

const PROGRAM = `"""Of a module,
two lines."""
import json

def work(n):
    """Of a function,
    two lines."""
    # a remark
    if n > 1:
        kind = "many"
    else:
        kind = "one"
    text = """not a
docstring"""

    return [
        kind,
        text,
    ]

class Cart:
    def total(self):
        return 7

class Other:
    def total(self):
        return 8

work(1)
Other().total()
Cart().total()
print(json.dumps("end"))
# nothing after this
`;

test.each([
  { asked: 2, bound: 3 },
  { asked: 6, bound: 9 },
  { asked: 8, bound: 9 },
  { asked: 11, bound: 12 },
  { asked: 15, bound: 16 },
])("line $asked has no code: it is bound to line $bound, and stops there", async ({ asked, bound }) => {
  const sonde = borrowSonde();
  sonde.write("app.py", PROGRAM);
  const snapshot = await stops(sonde, ["start", "app.py", "--break", `app.py:${asked}`]);
  expect(snapshot.frame?.line).toBe(bound);
  expect(snapshot.breakpoints).toMatchObject([{ id: 1, hit: 1 }]);
  const { breakpoints } = await sonde.ask<{ breakpoints: BreakpointRow[] }>("breakpoint list");
  expect(breakpoints[0]).toMatchObject({ line: asked, boundLine: bound });
});

test("after the last code, and in library code, it is not bound, and the reason is given", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", PROGRAM);
  await stops(sonde, "start app.py --stop-on-entry");
  const library = await sonde.ask<{ value: string }>(["eval", "__import__('json').__file__"]);
  const add = async (place: string) =>
    (await sonde.ask<{ breakpoints: BreakpointRow[] }>(["break", place])).breakpoints[0];
  expect(await add("app.py:33")).toMatchObject({
    state: "not bound",
    message: expect.stringContaining("no code"),
  });
  const file = library.value.replace(/^'|'$/g, "");
  expect(await add(`${file}:183`)).toMatchObject({
    state: "not bound",
    message: expect.stringContaining("justMyCode"),
  });
});

test("a method by its class's name, and not another's", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", PROGRAM);
  const snapshot = await stops(sonde, "start app.py --function-break Cart.total");
  expect(snapshot.frame).toMatchObject({ function: "total", line: 22 });
  expect(snapshot.breakpoints).toMatchObject([{ id: 1, hit: 1 }]);
  await ends(sonde);
});

test("a function breakpoint whose name no file of the program defines is not bound, and the nearest name is told", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", PROGRAM);
  const ended = await sonde.run("start app.py --function-break totl --function-break Bag.total");
  expect(ended.stdout).toContain(
    "never bound: breakpoint 1 totl: no function totl in the program's files; did you mean total?",
  );
  expect(ended.stdout).toMatch(/breakpoint 2 Bag\.total: no class or module Bag in the program's files/);
});

test("a function by its module's name, also where the module is the program; one of another folder is bound when it is hit", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import sys, shop\n\ndef clock(n):\n    return n\n\nprint(clock(1), shop.clock(2))\nsys.path.append('.other')\nimport other\nother.made()\n",
  );
  sonde.write("shop.py", "def clock(n):\n    return n + 1\n");
  sonde.write(".other/other.py", "def made():\n    return 3\n");
  const first = await stops(sonde, "start app.py --function-break app.clock --function-break made");
  expect(first.frame).toMatchObject({ function: "clock", line: 3 });
  const list = async () => (await sonde.ask<{ breakpoints: BreakpointRow[] }>("breakpoints")).breakpoints;
  expect(await list()).toMatchObject([{ state: "bound", hits: 1 }, { state: "not bound" }]);
  expect((await stops(sonde, "continue")).frame).toMatchObject({ function: "made" });
  expect(await list()).toMatchObject([
    { state: "bound", hits: 1 },
    { state: "bound", hits: 1 },
  ]);
  await ends(sonde);
  const other = await stops(sonde, "start app.py --function-break shop.clock");
  expect(other.frame).toMatchObject({ function: "clock", path: expect.stringMatching(/shop\.py$/) });
});

test("a condition that fails is told once, with its reason; one that is no Python before anything runs", async () => {
  const sonde = pythonSonde();
  const failing = ["start", "loop.py", "--break", "loop.py:5 if nonsense.x"];
  const { stdout } = await sonde.run(failing);
  expect(stdout.match(/condition failed: nonsense\.x: NameError/g)).toHaveLength(1);
  const refused = await sonde.run([...failing, "--break", "loop.py:7 if 1 +"]);
  expect(refused.stderr).toMatch(/^error BAD_ARGUMENT: loop\.py:7 if 1 \+: condition: SyntaxError/);
  expect(refused.stdout).toBe("");
});

test("a log message with an expression that fails shows its error in its place", async () => {
  const sonde = pythonSonde();
  await stops(sonde, "start loop.py --break loop.py:3");
  await sonde.ask(["break", "loop.py:6", "--log", "i {i} of {nothing} is {{1: square + 1}[1]}, 100%"]);
  await ends(sonde);
  expect(await output(sonde)).toContain("i 2 of <NameError: name 'nothing' is not defined> is 5, 100%");
});

test.each([
  ["4", "3"],
  [">= 4", "3"],
  ["% 3", "2"],
])("hit count %s", async (count, i) => {
  const sonde = pythonSonde();
  await stops(sonde, "start loop.py --break loop.py:3");
  await sonde.ask(["break", "loop.py:5", "--hit-count", count]);
  expect(value(await stops(sonde, "continue"), "i")).toBe(i);
});

test("what debugpy cannot do is refused, with another way, and the session lives on", async () => {
  const sonde = pythonSonde();
  await stops(sonde, "start loop.py --break loop.py:5");
  for (const command of ["sources", "watch i", "memory read i", "disassemble", "restart-frame"]) {
    const refused = await sonde.refusal(command);
    expect(refused).toMatchObject({ code: "UNSUPPORTED", hint: expect.stringMatching(/sonde/) });
  }
  for (const request of ["loadedSources", "breakpointLocations", "cancel", "restart", "stepBack"])
    expect(await sonde.refusal(["request", request])).toMatchObject({ code: "REQUEST_FAILED" });
  expect(await sonde.ask("print i")).toMatchObject({ value: "0" });
});

test("a second one on a line is refused, since debugpy would drop the first; --replace takes its place", async () => {
  const sonde = pythonSonde();
  await stops(sonde, "start loop.py --break loop.py:3");
  await sonde.ask(["break", "loop.py:5", "--condition", "i == 2"]);
  expect(await sonde.refusal(["break", "loop.py:5", "--condition", "i == 4"])).toMatchObject({
    code: "UNSUPPORTED",
    hint: expect.stringContaining("--replace"),
  });
  expect(value(await stops(sonde, "continue"), "i")).toBe("2");
  await sonde.ask(["break", "loop.py:5", "--condition", "i == 4", "--replace"]);
  expect(value(await stops(sonde, "continue"), "i")).toBe("4");
});
