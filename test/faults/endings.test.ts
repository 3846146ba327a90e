/** Programs that end before anyone could look: their exit code and last words are the answer, and nothing hangs. */
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { nothingLeft, sessions } from "./world.ts";

type Exited = Extract<MoveResult, { state: "exited" }>;
const words = (result: MoveResult) =>
  result.state === "stopped" ? "" : result.output.lines.map(({ text }) => text).join("\n");

describe("with no wish to stop at exceptions", () => {
  test.each([
    ["a syntax error", "let = ;\n", 1, /SyntaxError: Unexpected token/],
    ["a throw on its first line", "throw new TypeError('at once')\n", 1, /TypeError: at once/],
    ["an exit on its first line", "process.exit(7)\n", 7, /^$/],
    ["an empty file", "", 0, /^$/],
    ["a missing module", "require('./nowhere')\n", 1, /Cannot find module '.\/nowhere'/],
    ["a rejection", "Promise.reject(new Error('unheard'))\n", 1, /Error: unheard/],
    [
      "last words on both streams",
      "console.log('out'); console.error('err'); process.exitCode = 2;\n",
      2,
      /out[\s\S]*err/,
    ],
    ["an abort", "process.abort()\n", 134, /.*/],
  ])("%s", async (_name, text, exitCode, said) => {
    const sonde = borrowSonde();
    sonde.write("app.js", text);
    const result = await sonde.ask<MoveResult>("start app.js --catch none");
    expect(result).toMatchObject({ state: "exited", how: "exited", exitCode });
    expect(words(result)).toMatch(said);
    expect((await sessions(sonde))[0]).toMatchObject({ state: "terminated" });
    await nothingLeft(sonde);
  });
});

describe("by default", () => {
  test("an uncaught exception stops, and then the program ends with its own code", async () => {
    const sonde = borrowSonde();
    sonde.write("app.js", "throw new TypeError('at once')\n");
    expect(await sonde.ask<MoveResult>("start app.js")).toMatchObject({
      state: "stopped",
      snapshot: {
        reason: "exception",
        exception: { uncaught: true, message: expect.stringContaining("at once") },
      },
    });
    const end = await sonde.ask<Exited>("continue");
    expect(end).toMatchObject({ state: "exited", exitCode: 1 });
    expect(words(end)).toContain("TypeError: at once");
  });

  test("a syntax error has no place to stop at: it is the end, with what Node says about it", async () => {
    const sonde = borrowSonde();
    sonde.write("app.js", "let = ;\n");
    const end = await sonde.ask<Exited>("start app.js");
    expect(end).toMatchObject({ state: "exited", exitCode: 1 });
    expect(words(end)).toMatch(/app\.js:1\nlet = ;[\s\S]*SyntaxError: Unexpected token/);
  });
});

test("a breakpoint that was never reached is named at the end, with the exit", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", "if (process.argv.length > 9) {\n  console.log('never');\n}\n");
  const text = await sonde.text("start app.js --break app.js:2");
  expect(text).toMatch(/^exited: code 0/);
  expect(text).toContain("never hit: breakpoint 1 app.js:2");
});

test.each([
  ["no such file", ["start", "nowhere.js"], "BAD_ARGUMENT", /no file nowhere.js/],
  ["a folder", ["start", "."], "BAD_ARGUMENT", /folder/],
  ["no such command", ["start", "--", "no-such-command"], "BAD_ARGUMENT", /no-such-command/],
  [
    "a command that is no Node program",
    ["start", "--adapter", "node", "--", "sh", "-c", "echo why >&2; exit 4"],
    "LAUNCH_FAILED",
    /exit code 4[\s\S]*why/,
  ],
  [
    "a folder to run in that is not there",
    ["start", "app.js", "--cwd", "gone"],
    "BAD_ARGUMENT",
    /gone does not exist/,
  ],
  ["a bad flag for Node", ["start", "--", "node", "--no-such-flag", "app.js"], "LAUNCH_FAILED", /bad option/],
])("%s is a failure with the reason, and no session stays", async (_name, args, code, message) => {
  const sonde = borrowSonde();
  sonde.write("app.js", "");
  const refusal = await sonde.refusal(args);
  expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(refusal.status).toBeGreaterThan(0);
  expect(await sessions(sonde)).toEqual([]);
  await nothingLeft(sonde);
});

test("a program that ends while it is paused for a long question does not wedge the session", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", "setTimeout(() => process.exit(6), 300);\nsetInterval(() => {}, 10);\n");
  await sonde.ask("start app.js --no-wait");
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ state: "exited", exitCode: 6 });
  expect(await sonde.text("output")).toContain("no output");
  expect(await sonde.ask<MoveResult>("restart --no-wait")).toMatchObject({ state: "running" });
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ exitCode: 6 });
});
