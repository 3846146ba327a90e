/** TypeScript by every way there is to run it: the breakpoint is on the line of the source, and so is the stop. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
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

const SHADOW = `let total: number = 100;
function half(total: number): number {
  const out = total / 2;
  return out;
}
console.log(half(8), half(10), total);
`;

test("a name that the compiler had to change is the source's in every answer", {
  timeout: 60_000,
}, async () => {
  const sonde = project();
  sonde.write("shadow.ts", SHADOW);
  const command = ["--", "node_modules/.bin/tsx", "shadow.ts"];
  const words = (...argv: string[]) => sonde.text(argv);
  await words("start", "--break", "shadow.ts:3 if total == 10", ...command);
  const locals = await words("locals");
  expect(locals).toMatch(/^ *total = 10\b/m);
  expect(locals).not.toContain("total2");
  expect(await words("print", "total + 1")).toContain("= 11");
  expect(await words("args")).toMatch(/^ *total = 10\b/m);
  await words("set", "total", "42");
  expect(await words("print", "({ total })")).toContain("total: 42");
  await words("stop");
  expect(await words("probe", "shadow.ts:4", "--eval", "total", ...command)).toMatch(/total = 8\b/);
  const calls = await words("trace", "--function", "half", ...command);
  expect(calls).toContain("half(total=10)");
});
