/** What is said of the stack: the same at a stop and in a backtrace. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";

test("a backtrace counts the frames that it hides as the stop does, without the marks between async parts", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.mjs",
    "async function leaf() {\n  await null;\n  debugger;\n}\nasync function outer() {\n  await leaf();\n}\nawait outer();\n",
  );
  const move = await sonde.ask<MoveResult>("start app.mjs");
  if (move.state !== "stopped") throw new Error(`not stopped: ${JSON.stringify(move)}`);
  const { snapshot } = move;
  expect(snapshot.moreFrames).toBeGreaterThan(0);
  const { hidden } = await sonde.ask<{ hidden: number }>("backtrace");
  expect(hidden).toBe(snapshot.moreFrames);
  const all = await sonde.ask<{ frames: { label?: true }[]; total: number; hidden: number }>(
    "backtrace --limit 100 --all",
  );
  const real = all.frames.filter(({ label }) => !label);
  expect(all.frames.length).toBeGreaterThan(real.length);
  expect(all).toMatchObject({ total: real.length, hidden: 0 });
});

test("a frame is not compared with another call of its function that was shown at the same stop", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "deep.js",
    "function down(n) {\n  if (n === 0) debugger;\n  return n === 0 ? 0 : 1 + down(n - 1);\n}\ndown(600);\n",
  );
  await sonde.ask("start deep.js");
  for (const frame of [45, 90, 500]) {
    const text = await sonde.text(`frame ${frame}`);
    expect(text).toContain(`n = ${frame}  (number)\n`);
  }
});

test("a function's source is that of the file which the program is in; others of its name are named, and that it has changed", async () => {
  const sonde = borrowSonde();
  const text = "function shared(n) {\n  return n + 1;\n}\nshared(1);\n";
  sonde.write("a.js", text.replace("+ 1", "+ 2"));
  sonde.write("b.js", text);
  await sonde.ask("start b.js --break b.js:2");
  const listed = await sonde.text("list shared");
  expect(listed).toMatch(/^b\.js /);
  expect(listed).toContain("there is also a function of that name at a.js:1");
  sonde.write("b.js", `// new\n${text}`);
  expect(await sonde.text("list b.js:2")).toContain("this file changed after the program started");
});
