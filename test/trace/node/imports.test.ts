/** Imports in tests that vitest runs, where each is written as a member of its module: against what the program prints. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Programs } from "./rig.ts";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");
const NAMES = ["rate", "count", "bounds", "bounds.high", "all.rate", "word", "sum"];
const SAY = (line: string) =>
  `console.log("truth ${line} " + JSON.stringify([rate, count, bounds, bounds.high, all.rate, word, sum]));`;

function project(): Programs {
  const programs = new Programs({
    "shop.test.ts": `import { test } from "vitest";
import { total } from "./shop";
test("shop", () => { total([1, 2]); });
`,
    "shop.ts": `import word, { rate, count, bump, limits as bounds } from "./rates";
import * as all from "./rates";
export function total(items: number[]) {
  let sum = 0;
  for (const item of items) {
    const rate = item * 100;
    const bounds = { high: rate };
    sum += rate; ${SAY("inner")} // @inner
  }
  bump();
  sum += rate + count; ${SAY("outer")} // @outer
  return ((count: number) => {
    const word = count + 1;
    return word; ${SAY("never")}
  })(sum) + items.map((rate) => {
    sum += rate; ${SAY("arrow")} // @arrow
    return rate;
  }).length;
}
`,
    "rates.ts": `export const rate = 7;
export let count = 0;
export function bump() { count++; }
export const limits = { low: 1, high: 9 };
export default "word";
`,
  });
  symlinkSync(MODULES, join(programs.folder, "node_modules"));
  return programs;
}

test("a name means the import, or the local variable that hides it", { timeout: 60_000 }, async () => {
  const programs = project();
  const command = [process.execPath, join(MODULES, "vitest/vitest.mjs"), "run", "--root", programs.folder];
  const at = ["inner", "outer", "arrow"];
  const watched = at.map((marker) => ({ file: "shop.ts", at: marker, watch: NAMES }));
  const { points, stdout } = await programs.points(watched, { launch: { command } });
  for (const [index, marker] of at.entries()) {
    const said = [...stdout.matchAll(new RegExp(`truth ${marker} (.*)`, "g"))].map(([, json]) =>
      JSON.parse(json ?? ""),
    );
    const seen = points.filter(({ point }) => point === index).map(({ values }) => values);
    expect(said.length).toBe(2 - (marker === "outer" ? 1 : 0));
    // The line has not run yet when it is recorded.
    for (const [hit, values] of seen.entries())
      expect(values.slice(0, -1).map(plain)).toEqual(said[hit].slice(0, -1));
    expect(seen.length).toBe(said.length);
  }
});

const plain = (text: string) => JSON.parse(text.replace(/(\w+): /g, '"$1":'));

test("functions that vitest puts in for each export are nobody's lines", { timeout: 60_000 }, async () => {
  const programs = project();
  const command = [process.execPath, join(MODULES, "vitest/vitest.mjs"), "run", "--root", programs.folder];
  const events = await programs.lines([], { launch: { command } });
  // vitest has the module itself in a function without a name.
  const first = events.filter(({ path, kind }) => path.endsWith("rates.ts") && kind === "call");
  expect(first.map(({ function: name }) => name)).toEqual(["(anonymous)", "bump"]);
});
