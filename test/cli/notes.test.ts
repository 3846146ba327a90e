/** What Sonde says of a run is never among the lines that the program printed. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";

const PROGRAM = "console.log('mine');\nlet n = 1;\nn += 1;\nconsole.log(n);\n";
const LEFT_OUT = /^ignored: `nice`; the debugger starts `node app\.js` itself$/;

interface Printed {
  lines: { text: string }[];
  notes: string[];
}

test("the next answer carries them, once; `output` shows them apart from the program's lines", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", PROGRAM);
  const started = await sonde.ask<MoveResult>("start --break app.js:3 -- nice node app.js");
  expect(started.state === "stopped" && started.snapshot.notes).toEqual([expect.stringMatching(LEFT_OUT)]);
  const printed = await sonde.ask<Printed>("output");
  expect(printed.lines.map(({ text }) => text)).toEqual(["mine"]);
  expect(printed.notes).toEqual([expect.stringMatching(LEFT_OUT)]);
  expect(await sonde.text("output")).toMatch(/^ {2}\| mine\nnote: ignored: .*\ncursor 1\n$/);
  expect((await sonde.ask<Printed>("output --since 0")).notes).toEqual([]);
  expect(await sonde.text("continue")).not.toContain("ignored");
});

test("what nobody was told yet stands in `status`, until an answer carries it", async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", "let n = 0;\nsetInterval(() => {\n  n += 1;\n}, 10);\n");
  await sonde.ask(["start", "app.js", "--no-wait", "--break", "app.js:3 if nowhere.to.be.found"]);
  await expect.poll(() => sonde.text("status"), { timeout: 10_000 }).toMatch(/\n {2}note: .*nowhere/);
  const stopped = await sonde.ask<MoveResult>("pause");
  expect(stopped.state === "stopped" && stopped.snapshot.notes).toEqual([expect.stringContaining("nowhere")]);
  expect(await sonde.text("status")).not.toContain("note:");
  expect((await sonde.ask<Printed>("output")).lines).toEqual([]);
});
