/** Points in programs of every kind that Node loads. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { nodes } from "../../support/nodes.ts";
import { Programs } from "./rig.ts";

const WORK = `function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += i; // @body
  }
  return sum;
}
console.log(work(3));
`;
const TYPED = `interface Counted { total: number }
enum_free();
function enum_free(): void {}
type Unused = { a: string };

function work(n: number): Counted {
  let sum: number = 0;
  for (let i = 0; i < n; i++) {
    sum += i as number; // @body
  }
  return { total: sum };
}
console.log(work(3).total);
`;
const MODULES = resolve(import.meta.dirname, "../../../node_modules");
const TSX = "node_modules/.bin/tsx";

interface Kind {
  name: string;
  text?: string;
  command?: string[];
  /** What the thread is called, if not by the program's name. */
  thread?: string;
}

const KINDS: Kind[] = [
  { name: "app.js" },
  { name: "app.cjs" },
  { name: "app.mjs" },
  { name: "app.ts", text: TYPED, command: [TSX, "app.ts"] },
  { name: "app.mts", text: TYPED, command: [TSX, "app.mts"] },
  {
    name: "app.ts",
    text: TYPED,
    command: ["node_modules/.bin/ts-node", "-T", "-C", "typescript5", "app.ts"],
    thread: "ts-node",
  },
  { name: "app.ts", text: TYPED },
];
const LTS = nodes.filter(({ version }) => Number.parseInt(version.slice(1), 10) >= 24);
const NEWER: Kind[] = LTS.flatMap(({ path }) => [
  ...["app.cjs", "app.mjs"].map((name) => ({ name, command: [path, name] })),
  ...["app.cts", "app.mts", "app.ts"].map((name) => ({ name, text: TYPED, command: [path, name] })),
]);

describe.each([...KINDS, ...NEWER])(
  "$name $command",
  ({ name, text = WORK, command, thread: called = name }) => {
    test("values and frames at each hit", { timeout: 60_000 }, async () => {
      const programs = new Programs({
        [name]: text,
        "tsconfig.json": '{"compilerOptions":{"module":"commonjs"}}',
      });
      symlinkSync(MODULES, join(programs.folder, "node_modules"));
      const launch = command === undefined ? {} : { command };
      const record = await programs.points([{ at: "body", watch: ["i", "sum", "i + nothere"] }], { launch });
      expect(record.points.map(({ values }) => values)).toEqual([
        ["0", "0", "<unavailable>"],
        ["1", "0", "<unavailable>"],
        ["2", "1", "<unavailable>"],
      ]);
      const path = programs.path();
      const last = text.split("\n").length - 1;
      for (const { frames, thread } of record.points) {
        expect(frames.slice(0, 2)).toEqual([
          { function: "work", path, line: programs.line("body") },
          { function: "<module>", path, line: last },
        ]);
        expect(thread).toBe(called);
      }
      expect(record).toMatchObject({
        bindings: [{ state: "bound", line: programs.line("body") }],
        counts: [3],
        end: { how: "exited", exitCode: 0 },
        notes: [],
        stdout: "3\n",
        stderr: "",
      });
    });
  },
);

test("only hits where the condition holds; one that fails holds never", async () => {
  const programs = new Programs({ "app.js": WORK });
  const { points, counts } = await programs.points([
    { at: "body", watch: ["i"], condition: "i % 2 === 0" },
    { at: "body", watch: ["i"], condition: "nothere.x" },
  ]);
  expect(points.map(({ point, values }) => [point, ...values])).toEqual([
    [0, "0"],
    [0, "2"],
  ]);
  expect(counts).toEqual([2, 0]);
});

test.each([
  ["expression", { watch: ["i +"] }, /`i \+`: Unexpected/],
  ["expression", { watch: ["i) + (1"] }, /`i\) \+ \(1`: Unexpected/],
  ["statement", { watch: ["let a = 1"] }, /not an expression/],
  ["condition", { condition: "i ===" }, /condition `i ===`: Unexpected/],
])("what is no %s is refused before the run", async (_, asked, words) => {
  const programs = new Programs({ "app.js": WORK });
  const refused = programs.points([{ at: "body", ...asked }]);
  await expect(refused).rejects.toMatchObject({
    code: "BAD_ARGUMENT",
    message: expect.stringMatching(words),
  });
});

test("expressions may end in comments, span lines, and call what is in scope", async () => {
  const programs = new Programs({ "app.js": WORK });
  const watch = ["i // index", "[i,\n sum]", "work.name", "(() => { return i })()", "work(1)", '`${i}"`'];
  const { points } = await programs.points([{ at: "body", watch, condition: "i === 2 /* last */" }]);
  expect(points.map(({ values }) => values)).toEqual([["2", "[2, 1]", '"work"', "2", "0", '"2\\""']]);
});

test("what only some functions allow is unavailable elsewhere, and the program runs as it was", async () => {
  const programs = new Programs({
    "app.js": `class Base { name() { return "base"; } }
class Derived extends Base {
  name() {
    return "derived"; // @method
  }
}
new Derived().name();
console.log("done"); // @plain
`,
  });
  const watch = ["super.name()", "new.target", "1"];
  const { points, stdout } = await programs.points([
    { at: "method", watch },
    { at: "plain", watch },
  ]);
  expect(points.map(({ values }) => values)).toEqual([
    ['"base"', "undefined", "1"],
    ["<unavailable>", "<unavailable>", "1"],
  ]);
  expect(stdout).toBe("done\n");
});

const COMMENTED = `// comment\n\n${WORK}\n\n// end\n`;

test("a comment has no code, other lines move on; a file that is not loaded is unknown", async () => {
  const programs = new Programs({ "app.js": COMMENTED, "other.js": "1;\n" });
  const { bindings, counts } = await programs.points([
    { at: programs.line("body") + 1 },
    { file: "other.js", at: 1 },
  ]);
  expect(bindings).toEqual([{ state: "bound", line: 8 }, { state: "unknown" }]);
  expect(counts).toEqual([1, 0]);
  for (const collector of ["node-source", "stops"]) {
    const none = await programs.points([{ at: 1 }], { collector });
    expect(none.bindings).toMatchObject([{ state: "unbound", reason: "no code on line 1 of app.js" }]);
  }
});

test("after the last line with code there is none", async () => {
  const programs = new Programs({ "app.js": COMMENTED });
  const { bindings } = await programs.points([{ at: 13 }]);
  expect(bindings).toEqual([
    { state: "unbound", reason: "no code at or after line 13", nearest: [6, 8, 10] },
  ]);
});

test("a compiled file by the sources it was made from", async () => {
  const programs = new Programs({
    "dist/app.js": `"use strict";
function work(n) {
    return n * 2;
}
console.log(work(4));
//# sourceMappingURL=app.js.map
`,
    "src/app.ts": `type N = number;

function work(n: N): N {
  return n * 2; // @return
}
console.log(work(4));
`,
    "dist/app.js.map": JSON.stringify({
      version: 3,
      file: "app.js",
      sourceRoot: "",
      sources: ["../src/app.ts"],
      names: [],
      mappings:
        ";AAEA,SAAS,IAAI,CAAC,CAAI;IAChB,OAAO,CAAC,GAAG,CAAC,CAAC;AACf,CAAC;AACD,OAAO,CAAC,GAAG,CAAC,IAAI,CAAC,CAAC,CAAC,CAAC,CAAC",
    }),
  });
  const { points, bindings } = await programs.points([{ file: "src/app.ts", at: "return", watch: ["n"] }]);
  const path = programs.path("src/app.ts");
  expect(bindings).toEqual([{ state: "bound", line: 4 }]);
  expect(points.map(({ values, frames }) => [values, frames.slice(0, 2)])).toEqual([
    [
      ["4"],
      [
        { function: "work", path, line: 4 },
        { function: "<module>", path, line: 6 },
      ],
    ],
  ]);
});

test("values are cut as asked", async () => {
  const programs = new Programs({ "app.js": `const word = "x".repeat(100);\nconsole.log(word.length);\n` });
  const { points } = await programs.points([{ at: 2, watch: ["word"] }], { plan: { valueChars: 10 } });
  expect(points.map(({ values }) => values)).toEqual([['"xxxxxxxx…']]);
});
