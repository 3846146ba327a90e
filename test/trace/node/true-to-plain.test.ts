/** What a program prints and how deep it can go is the same, or more, when it is recorded. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { Programs } from "./rig.ts";

/** `down` goes close to as deep as it can alone; `forever` goes as deep as there is. */
const DEEP = `function down(n) {
  if (n === 0) return 0;
  return 1 + down(n - 1); // @deep
}
let most = Number(process.env.DEPTH ?? 1000);
while (!process.env.DEPTH) try { down(most + 200); most += 200; } catch { break; }
console.error(most);
console.log(down(most), process.execArgv, process.argv.length);
function forever(n) {
  return forever(n + 1) + 1; // @forever
}
for (let turn = 0; turn < 2; turn++)
  try { forever(0); } catch (error) {
    console.log(error.name, error.message, typeof error.stack);
  }
function after(x) {
  return x * 2; // @after
}
console.log(after(21), Object.keys(Error).length);
`;

test("recursion as deep as alone, endless recursion, and what comes after it", {
  timeout: 60_000,
}, async () => {
  const programs = new Programs({ "app.js": DEEP });
  const plain = spawnSync("node", ["app.js"], { cwd: programs.folder, encoding: "utf8" });
  const env = { ...process.env, DEPTH: plain.stderr.trim() } as Record<string, string>;
  const launch = { env };
  const small = { plan: { maxHits: 2000 }, launch };
  const records = [
    await programs.points([{ at: "deep", watch: ["n"] }], small),
    await programs.points([{ at: "forever", watch: ["n"] }], small),
    await programs.traced(["down"], small),
    await programs.traced([], small),
  ];
  for (const { stdout, end } of records) {
    expect(stdout).toBe(plain.stdout);
    expect(end).toMatchObject({ how: "exited", exitCode: 0 });
  }
  const after = await programs.points([{ at: "after", watch: ["x"] }], small);
  expect(after.points.map(({ values }) => values)).toEqual([["21"]]);
});

test("a worker's endless recursion, and a child that is forked", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.js": `const { Worker } = require("node:worker_threads");
const { fork } = require("node:child_process");
function forever(n) {
  return forever(n + 1) + 1; // @forever
}
if (process.argv[2] === "child") console.log("child", process.execArgv);
else if (require("node:worker_threads").isMainThread)
  new Worker(__filename).on("exit", (code) => {
    console.log("worker", code);
    fork(__filename, ["child"]).on("exit", (ended) => console.log("forked", ended));
  });
else
  try { forever(0); } catch (error) { console.log(error.message); }
`,
  });
  const plain = spawnSync("node", ["app.js"], { cwd: programs.folder, encoding: "utf8" });
  for (const { stdout } of [
    await programs.points([{ at: "forever", watch: ["n"] }], { plan: { maxHits: 2000 } }),
    await programs.traced([], { plan: { maxHits: 2000 } }),
  ])
    expect(stdout).toBe(plain.stdout);
});

test("no file of ours is in a trace that the program prints", async () => {
  const programs = new Programs({
    "app.js": `function fail() {
  throw new TypeError("no"); // @fail
}
try { fail(); } catch (error) { console.log(error.stack); }
console.error(new Error("here").stack);
fail();
`,
  });
  const { stdout, stderr } = await programs.points([{ at: "fail", watch: ["1"] }]);
  expect(stdout + stderr).not.toMatch(/__sonde|node-source.runtime/);
  expect(stdout).toContain("at fail (");
});
