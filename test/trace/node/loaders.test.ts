/** Code that does not come by Node's own loaders. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Programs } from "./rig.ts";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");

const OWN_LOADER = `const vm = require("node:vm");
const { readFileSync } = require("node:fs");
const filename = require.resolve("./code.js");
const code = readFileSync(filename, "utf8");
vm.runInThisContext(code, { filename });
new vm.Script(code, { filename }).runInContext(vm.createContext({ console, who: "context" }));
vm.compileFunction(code, ["who"], { filename })("function");
console.log(new vm.Script("1 + 1").runInThisContext());
`;

test("scripts and contexts of node:vm", async () => {
  const programs = new Programs({
    "app.cjs": `globalThis.who = "this";\n${OWN_LOADER}`,
    "code.js": "var seen = who;\nconsole.log(seen); // @seen\n",
  });
  const record = await programs.points([{ file: "code.js", at: "seen", watch: ["seen"] }]);
  expect(record.stdout).toBe("this\ncontext\nfunction\n2\n");
  expect(record.points.map(({ values: [seen] }) => seen)).toEqual(['"this"', '"context"', '"function"']);
});

test.each(["lines", "points"])(
  "the value of a script, and scripts that share their variables: %s",
  async (way) => {
    const programs = new Programs({
      "app.cjs": `const vm = require("node:vm");
const { readFileSync } = require("node:fs");
for (const name of ["one", "two"]) {
  const filename = require.resolve("./" + name + ".js");
  const code = readFileSync(filename, "utf8");
  console.log(new vm.Script(code, { filename }).runInThisContext(), vm.runInThisContext(code, { filename }));
}
vm.createContext(Object.freeze({}));
`,
      "one.js": "5;\nvar a = f(1);\nfunction f(n) { return n; }\n",
      "two.js": "if (a) 6;\nvar b = a;\nfor (const x of [1]) b += x;\nvar c = 1;\n",
    });
    const points = ["one.js", "two.js"].flatMap((file) => [1, 2, 3].map((at) => ({ file, at })));
    const record = way === "lines" ? await programs.traced([]) : await programs.points(points);
    expect(record).toMatchObject({ stdout: "5 5\n2 2\n", stderr: "" });
    expect(record.hits.length).toBeGreaterThan(2);
  },
);

test("a test under vitest", { timeout: 120_000 }, async () => {
  const programs = new Programs({
    "sum.test.ts": `import { expect, test } from "vitest";
import { sum } from "./sum.ts";

test("sums", () => {
  expect(sum([1, 2])).toBe(3);
});
`,
    "sum.ts": `type Numbers = number[];

export function sum(numbers: Numbers): number {
  let total = 0;
  for (const one of numbers) {
    total += one; // @add
  }
  return total;
}
`,
  });
  symlinkSync(MODULES, join(programs.folder, "node_modules"));
  const { points, end } = await programs.points([{ file: "sum.ts", at: "add", watch: ["total", "one"] }], {
    launch: { command: ["node_modules/.bin/vitest", "run", "--root", programs.folder] },
  });
  expect(end).toMatchObject({ how: "exited", exitCode: 0 });
  expect(points.map(({ values }) => values)).toEqual([
    ["0", "1"],
    ["1", "2"],
  ]);
  expect(points[0]?.frames.slice(0, 2).map(({ path, line }) => [path, line])).toEqual([
    [programs.path("sum.ts"), programs.line("add", "sum.ts")],
    [programs.path("sum.test.ts"), 5],
  ]);
});
