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
