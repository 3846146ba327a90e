/** TypeScript by every way there is to run it: the breakpoint is on the line of the source, and so is the stop. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/shapes.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const MODULES = resolve(import.meta.dirname, "../../node_modules");

const WAYS: Record<string, string[]> = {
  "tsx, as its own command": ["--", "node_modules/.bin/tsx", "ts/app.ts"],
  // ts-node works through the compiler's API, which TypeScript 7 no longer has.
  "ts-node, with the last compiler that has an API": [
    "--",
    "node_modules/.bin/ts-node",
    "-T",
    "-C",
    "typescript5",
    "ts/app.ts",
  ],
  "npm run": ["--", "npm", "run", "app"],
};

function project(): Sonde {
  const sonde = borrowSonde();
  sonde.fixture("js/ts");
  sonde.write("package.json", JSON.stringify({ scripts: { app: "tsx ts/app.ts" } }));
  symlinkSync(MODULES, join(sonde.project, "node_modules"));
  return sonde;
}

test.each(Object.entries(WAYS))("%s", { timeout: 60_000 }, async (_, command) => {
  const sonde = project();
  const path = join(sonde.project, "ts/app.ts");
  const line = marker(path, "mean-add");
  const result = await sonde.ask<MoveResult>(["start", "--break", `ts/app.ts:${line}`, ...command]);
  if (result.state !== "stopped") throw new Error(JSON.stringify(result));
  expect(result.snapshot.frame).toMatchObject({ path, line, function: "mean" });
  expect(result.snapshot.values).toContainEqual(expect.objectContaining({ name: "total", value: "0" }));
});
