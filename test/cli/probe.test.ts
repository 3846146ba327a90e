/** One look at one place of one run; nothing is left of it afterwards. */
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync, watch } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { ProbeResult } from "../../src/commands/runs/probe-shape.ts";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { expectGolden } from "../support/golden.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

/** `loop.js:6` */
function at(sonde: Sonde, file: string, name: string): string {
  return `${file}:${marker(join(sonde.project, file), name)}`;
}

async function found(sonde: Sonde, args: string[]) {
  const result = await sonde.ask<ProbeResult>(["probe", ...args]);
  if (result.found.state !== "stopped") throw new Error(`not reached: ${JSON.stringify(result)}`);
  return { ...result, found: result.found };
}

test("what a reader sees", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  for (const name of ["stats", "loop", "uncaught"]) sonde.fixture(`js/${name}.js`);
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(sonde.project, "node_modules"));
  const text = await transcript(sonde, [
    "probe {stats.js@mean-add}",
    "probe {loop.js@loop-add} --hits 3 --eval 'i * 10' --eval nothingHere",
    "probe {loop.js@loop-add} --hits 99 --eval i",
    "probe {loop.js@loop-add} {stats.js@mean-add} --condition 'i == 4' -- node loop.js",
    "probe '{loop.js@loop-add} if i > 50'",
    "probe --function mean -- node stats.js",
    "probe --exception -- node uncaught.js",
    "probe {uncaught.js@load-call} --hits 2",
    "probe stats.js:99",
    "probe",
    "sessions",
  ]);
  expectGolden("probe", text);
});

test("a program that does not end is ended", async () => {
  const sonde = borrowSonde();
  sonde.write("wait.js", "let ticks = 0;\nsetInterval(() => {\n  ticks += 1;\n}, 10);\n");
  const result = await sonde.ask<ProbeResult>("probe wait.js:3 --condition ticks<0 --timeout 1");
  expect(result).toMatchObject({ hit: 0, found: { state: "running", waitedSecs: 1 } });
  expect(result.places).toMatchObject([{ at: "wait.js:3", hits: 0, state: "bound" }]);
  expect(await sonde.text("sessions")).toContain("no sessions");
});

test("its input, and none when none is given", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "sum.js",
    'const numbers = require("node:fs").readFileSync(0, "utf8").split("\\n").map(Number);\nconst sum = numbers.reduce((a, b) => a + b);\nconsole.log(sum);\n',
  );
  sonde.write("numbers.txt", "4\n5\n");
  const given = await found(sonde, ["sum.js:3", "--eval", "sum", "--stdin", "numbers.txt"]);
  expect(given.found.evaluations).toMatchObject([{ expression: "sum", value: { value: "9" } }]);
  const empty = await found(sonde, ["sum.js:3", "--eval", "numbers.length"]);
  expect(empty.found.evaluations).toMatchObject([{ value: { value: "1" } }]);
});

test("Python: the location's own file is the program", { timeout: 60_000 }, async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  sonde.fixture("python/loop.py");
  const place = at(sonde, "loop.py", "loop-add");
  const result = await found(sonde, [place, "--hits", "3", "--eval", "i * 10"]);
  expect(result).toMatchObject({ hit: 3, wanted: 3, again: `sonde start loop.py --break ${place}` });
  expect(result.found.evaluations).toMatchObject([{ value: { value: "20" } }]);
  expect(result.found.snapshot.breakpoints).toMatchObject([{ hit: 3 }]);
  expect(JSON.stringify(result)).not.toContain("@v"); // a handle would be nobody's
});

test("C: a source file is built when asked, and offered to be when not", { timeout: 60_000 }, async ({
  skip,
}) => {
  if (compilerVersion("c") === undefined) skip("no C compiler");
  const sonde = borrowSonde();
  sonde.fixture("c/loop.c");
  const place = at(sonde, "loop.c", "loop-add");
  expect(await sonde.refusal(["probe", place])).toMatchObject({ hint: expect.stringContaining("--build") });
  const result = await found(sonde, [place, "--build", "--hits", "4", "--eval", "i"]);
  expect(result.found.evaluations).toMatchObject([{ value: { value: "3" } }]);
});

test.for(["c", "cpp", "rust", "go"] as const)(
  "%s: a built program",
  { timeout: 120_000 },
  async (language, { skip }) => {
    if (compilerVersion(language) === undefined) skip("no compiler");
    const sonde = borrowSonde(builtFolder(language));
    const file = { c: "loop.c", cpp: "loop.cpp", rust: "loop.rs", go: "loop.go" }[language];
    const place = at(sonde, file, "loop-add");
    const result = await found(sonde, [place, "--hits", "5", "--eval", "i", "--", "./loop"]);
    expect(result.found.evaluations).toMatchObject([{ value: { value: "4" } }]);
    const condition = await found(sonde, [place, "--condition", "i == 7", "--eval", "i", "--", "./loop"]);
    expect(condition).toMatchObject({ hit: 1, found: { evaluations: [{ value: { value: "7" } }] } });
  },
);

const MOVED = {
  "moved.py":
    "def grow(n):\n    # nothing here\n    m = n + 1\n    return m\n\n\nfor i in range(3):\n    grow(i)\n",
  "moved.c":
    "static int grow(int n) {\n  // nothing here\n  int m = n + 1;\n  return m;\n}\nint main(void) {\n  return grow(1) - 2;\n}\n",
};

test("a line without code: where it stopped instead", { timeout: 60_000 }, async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  if (compilerVersion("c") === undefined) skip("no C compiler");
  const sonde = borrowSonde();
  for (const [file, text] of Object.entries(MOVED)) sonde.write(file, text);
  expect(await sonde.text("probe moved.py:2")).toMatch(/^no code on line 2: stopped at 3\nstopped: /);
  expect(await sonde.text("probe moved.c:2 --build")).toMatch(/^no code on line 2: stopped at 3\nstopped: /);
  expect(await sonde.text("probe moved.py:3")).toMatch(/^stopped: /);
});

test("a condition that fails is not a place that was never reached", { timeout: 60_000 }, async ({
  skip,
}) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  for (const [file, text] of Object.entries(MOVED)) sonde.write(file, text);
  sonde.fixture("js/loop.js");
  const python = await sonde.text("probe moved.py:3 --condition nosuch");
  expect(python).toMatch(/^its condition failed, so it stopped here anyway\n/);
  expect(python).toContain("NameError: name 'nosuch' is not defined");
  const place = at(sonde, "loop.js", "loop-add");
  const node = await sonde.text(["probe", place, "--condition", "nosuch"]);
  expect(node).toMatch(/^its condition failed, so it stopped here anyway\n/);
  expect(node).toContain("ReferenceError: nosuch is not defined");
  expect(await sonde.text(["probe", place, "--condition", "i > 99"])).toContain(
    "not reached, or the condition was false",
  );
  if (compilerVersion("c") === undefined) return;
  const native = await sonde.text("probe moved.c:3 --build --condition nosuch");
  expect(native).toMatch(/^its condition failed, so it stopped here anyway\n/);
});

test("a condition that is no expression is refused before anything runs", async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  for (const [file, text] of Object.entries(MOVED)) sonde.write(file, text);
  for (const condition of ["m = 1", "m =="]) {
    const refused = await sonde.run(["probe", "moved.py:4", "--condition", condition]);
    expect(refused.stderr).toContain(
      `error BAD_ARGUMENT: moved.py:4 if ${condition}: condition: SyntaxError: invalid syntax`,
    );
    expect(refused.stderr.includes("did you mean m == 1?")).toBe(condition === "m = 1");
  }
  const inFunction = ["probe", "--function", "grow", "--condition", "n n", "--", "python3", "moved.py"];
  expect((await sonde.run(inFunction)).stderr).toContain("grow if n n: condition: SyntaxError");
  const good = await sonde.text(["probe", "moved.py:4", "--condition", "[one for one in [m] if one == 2]"]);
  expect(good).toMatch(/^stopped: breakpoint 1 \(hit 1\) {2}moved\.py:4/);
});

test("what was run where nothing was said, and where the command line goes", async () => {
  const sonde = borrowSonde();
  sonde.write("library.js", "exports.twice = (n) => {\n  return n * 2;\n};\n");
  sonde.write("main.js", 'console.log(require("./library.js").twice(4));\n');
  const alone = await sonde.text("probe library.js:2");
  expect(alone).toContain("never reached: library.js:2\n");
  expect(alone).toContain(
    "ran library.js itself; if another program reaches this line, give its command line: -- <command>",
  );
  const given = await sonde.text("probe library.js:2 -- node main.js");
  expect(given).toMatch(/^stopped: breakpoint 1 \(hit 1\) {2}library\.js:2/);
  expect(await sonde.refusal("probe library.js:2 node main.js")).toMatchObject({
    message: "`node` is not a place",
    hint: "with a command line: `sonde probe library.js:2 -- node main.js`",
  });
});

test("the lines that are not shown are in the data", async () => {
  const sonde = borrowSonde();
  sonde.write("many.js", "for (let i = 0; i < 60; i++) console.log(`line ${i}`);\nconsole.log('end');\n");
  const { found: stop } = await found(sonde, ["many.js:2"]);
  expect(stop.snapshot.output.lines).toHaveLength(60);
  expect(stop.snapshot.output.moreLines).toBe(0);
  const text = await sonde.text("probe many.js:2");
  expect(text).toContain("program output (40 earlier lines: ");
  expect(text).not.toContain("| line 39\n");
});

test("a caller that goes away takes the program along", async () => {
  const sonde = borrowSonde();
  sonde.write("ready.js", 'setInterval(() => {}, 1000);\nrequire("node:fs").writeFileSync("ready", "");\n');
  const ready = new Promise<void>((resolve) => {
    const watcher = watch(sonde.project, () => {
      if (!existsSync(join(sonde.project, "ready"))) return;
      watcher.close();
      resolve();
    });
  });
  const client = sonde.spawn("probe --function nothing --timeout 60 -- node ready.js");
  await ready;
  client.kill("SIGKILL");
  const left = () => sonde.processes().filter(({ command }) => command.includes("ready.js"));
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  expect(await sonde.text("sessions")).toContain("no sessions");
});
