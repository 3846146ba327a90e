/** Several commands on one session at the same moment: each is answered as if it had come alone, in some order. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { startMcp } from "../mcp/mcp.ts";
import { builtFolder } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, FIXTURES, type Sonde } from "../support/sonde.ts";

const rows = [
  { language: "js", file: "calls.js", open: (s: Sonde) => s.fixture("js/calls.js") },
  { language: "python", file: "calls.py", open: (s: Sonde) => s.fixture("python/calls.py") },
  { language: "c", file: "calls.c", open: () => join(builtFolder("c"), "calls") },
  { language: "go", file: "calls.go", open: () => join(builtFolder("go"), "calls") },
];

const slow = { timeout: 60_000 };

describe.each(rows)("$language", ({ language, file, open }) => {
  test("steps are made one after the other, and what is read belongs to a stop", slow, async () => {
    const sonde = borrowSonde();
    const program = open(sonde);
    const at = marker(join(FIXTURES, language, file), "main-call");
    const folder = language === "js" || language === "python" ? sonde.project : builtFolder(language as "c");
    await sonde.ask(["start", program, "--break", `${join(folder, file)}:${at}`]);
    const [first, second, stack, value] = await Promise.all([
      sonde.ask<MoveResult>("next"),
      sonde.ask<MoveResult>("next"),
      sonde.ask<{ frames: unknown[] }>("backtrace"),
      sonde.ask<{ value: string }>(["print", "1 + 1"]),
    ]);
    const lines = [first, second].map((one) => one.state === "stopped" && one.snapshot.frame?.line);
    expect(lines.toSorted()).toEqual([at + 1, at + 2]);
    expect(stack.frames.length).toBeGreaterThan(0);
    expect(value.value).toMatch(/^2/);
    expect(await sonde.ask("context")).toMatchObject({ frame: { line: at + 2 } });
  });
});

const WAITS = `let n = 0;
const tick = () => {
  n += 1;
};
setTimeout(() => setInterval(tick, 20), 1);
`;

test("a pause ends the wait of the move that is under way, and both tell the stop", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("waits.js", WAITS);
  await sonde.ask("start waits.js --stop-on-entry");
  const moving = sonde.ask<MoveResult>("continue --timeout 50");
  await expect.poll(() => sonde.text("status"), { timeout: 10_000 }).toMatch(/running/);
  expect(await sonde.ask(["break", "waits.js:3", "--condition", "n < 0"])).toBeDefined();
  expect(await sonde.text("output")).toBeDefined();
  expect(await sonde.ask("pause")).toMatchObject({ state: "stopped", snapshot: { reason: "pause" } });
  expect(await moving).toMatchObject({ state: "stopped", snapshot: { reason: "pause" } });
});

test("behind a move that takes long, the answer is that the program runs", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("waits.js", WAITS);
  await sonde.ask("start waits.js --stop-on-entry");
  const moving = sonde.ask<MoveResult>("continue --timeout 50");
  await expect.poll(() => sonde.text("status"), { timeout: 10_000 }).toMatch(/running/);
  const refusals = await Promise.all([sonde.refusal("next"), sonde.refusal("locals")]);
  expect(refusals.map(({ code }) => code)).toEqual(["NOT_STOPPED", "NOT_STOPPED"]);
  expect(await sonde.ask(["eval", "1 + 1"])).toMatchObject({ value: "2" });
  await sonde.ask("stop");
  expect(await moving).toMatchObject({ state: "exited" });
});

test("the same by MCP", slow, async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/loop.js");
  const at = marker(join(FIXTURES, "js/loop.js"), "loop-first");
  const mcp = await startMcp(sonde);
  await mcp.ok("debug", { action: "launch", program: "loop.js", breakpoints: [`loop.js:${at}`] });
  const answers = await Promise.all([
    mcp.ok("debug", { action: "step_over" }),
    mcp.ok("debug", { action: "step_over" }),
    mcp.ok("debug", { action: "evaluate", expression: "1 + 1" }),
    mcp.ok("inspect", { action: "stack_trace" }),
  ]);
  expect(answers.map(({ text }) => /^running/.test(text))).toEqual([false, false, false, false]);
  expect(answers[1]?.data).toMatchObject({ state: "stopped", snapshot: { frame: { line: at - 1 } } });
});
