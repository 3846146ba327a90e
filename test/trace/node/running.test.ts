/** The program runs as it would without us, and whatever happens to it, what was recorded is kept. */
import { expect, test } from "vitest";
import { nodes } from "../../support/nodes.ts";
import { Programs } from "./rig.ts";

const values = (record: { points: { values: string[] }[] }) =>
  record.points.map((one) => one.values.join(" "));

test("twenty thousand hits, none lost, kept within the plan's bounds", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.js": `let sum = 0;\nfor (let i = 0; i < 20000; i++) {\n  sum += i; // @body\n}\n`,
  });
  const record = await programs.points([{ at: "body", watch: ["i", "sum"] }], { plan: { maxHits: 1000 } });
  expect(record).toMatchObject({ counts: [20_000], seen: 20_000, dropped: 19_000 });
  expect(values(record)[0]).toBe("0 0");
  expect(values(record).at(-1)).toBe(`19999 ${(19_999 * 19_998) / 2}`);
});

test.each([
  ["its exit code", "process.exitCode = 3;", { exitCode: 3 }],
  ["process.exit", "process.exit(4);", { exitCode: 4 }],
  ["a signal", "process.kill(process.pid, 'SIGKILL'); for (;;);", { exitCode: 137, signal: "SIGKILL" }],
  ["abort", "process.abort();", { exitCode: 134, signal: "SIGABRT" }],
])("ends by %s, with its records", async (_, end, how) => {
  const programs = new Programs({
    "app.js": `for (const n of [1, 2, 3]) {\n  void n; // @body\n}\n${end}\n`,
  });
  const record = await programs.points([{ at: "body", watch: ["n"] }]);
  expect(record.end).toMatchObject({ how: "exited", ...how });
  expect(values(record)).toEqual(["1", "2", "3"]);
});

test.each(["app.cjs", "app.mjs"])(
  "an uncaught exception in %s is printed as if nothing had been put in",
  async (name) => {
    const programs = new Programs({
      [name]: `function fail(n) {
  const before = n;
  if (n > 1) { throw new TypeError("too much: " + before); } // @throw
  return n;
}
fail(1);
fail(2);
`,
    });
    const record = await programs.points([{ at: "throw", watch: ["n"] }]);
    const plain = await programs.points([], {});
    expect(record.end).toMatchObject({ how: "exited", exitCode: 1, why: "uncaught TypeError: too much: 2" });
    expect(values(record)).toEqual(["1", "2"]);
    const excerpt = (text: string) => text.split("\n").slice(0, 5);
    expect(excerpt(record.stderr)).toEqual(excerpt(plain.stderr));
    const [event] = (await programs.traced(["fail"])).stderr.split("\n\n");
    expect(event?.split("\n")).toEqual(excerpt(plain.stderr).slice(0, 3));
  },
);

test("an endless loop is ended by the caller; what came before is there", async () => {
  const programs = new Programs({
    "app.js": `console.log("begun");\nfor (let i = 0; ; i++) {\n  if (i < 5) void i; // @body\n}\n`,
  });
  const abort = new AbortController();
  const record = await programs.points([{ at: "body", watch: ["i"], condition: "i < 5" }], {
    signal: abort.signal,
    progress: (seen) => {
      if (seen === 5) abort.abort();
    },
  });
  expect(record.end).toEqual({ how: "stopped" });
  expect(values(record)).toEqual(["0", "1", "2", "3", "4"]);
});

test("a program that never ends by itself gives what it was last at", async () => {
  const programs = new Programs({
    "app.js": `setInterval(() => {}, 1000);\nconst at = 1;\nvoid at; // @body\n`,
  });
  const abort = new AbortController();
  const record = await programs.points([{ at: "body", watch: ["at"] }], {
    signal: abort.signal,
    progress: () => abort.abort(),
  });
  expect(record.end).toEqual({ how: "stopped" });
  expect(values(record)).toEqual(["1"]);
});

test.each(nodes)("workers and child processes of $version, each under its name", async ({ path }) => {
  const programs = new Programs({
    "app.cjs": `const { Worker } = require("node:worker_threads");
const { spawnSync } = require("node:child_process");
const work = require("./work.cjs");
work("main");
new Worker(require.resolve("./work.cjs"), { workerData: "worker" }).on("exit", () => {
  spawnSync(process.execPath, [require.resolve("./work.cjs"), "child"], { stdio: "inherit" });
});
`,
    "work.cjs": `const { workerData } = require("node:worker_threads");
module.exports = work;
function work(who) {
  return who; // @work
}
if (workerData ?? process.argv[2]) work(workerData ?? process.argv[2]);
`,
  });
  const record = await programs.points([{ file: "work.cjs", at: "work", watch: ["who"] }], {
    launch: { command: [path, "app.cjs"] },
  });
  expect(record.points.map(({ thread, values: [who] }) => [who, thread.replace(/\d{2,}/, "N")])).toEqual([
    ['"main"', "app.cjs"],
    ['"worker"', "worker 1"],
    ['"child"', "work.cjs (pid N)"],
  ]);
});

test("input, arguments, the user's own NODE_OPTIONS and the package manager in front", {
  timeout: 60_000,
}, async () => {
  const programs = new Programs({
    "app.cjs": `let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
  console.log(JSON.stringify([text, process.argv.slice(2), globalThis.preloaded])); // @end
});
`,
    "pre.cjs": "globalThis.preloaded = true;\n",
    "package.json": JSON.stringify({ scripts: { app: "node --require ./pre.cjs app.cjs word" } }),
  });
  const env = { ...process.env, NODE_OPTIONS: `--require ${programs.path("pre.cjs")}` } as Record<
    string,
    string
  >;
  for (const launch of [{ args: ["word"], env }, { command: ["npm", "run", "--silent", "app"] }]) {
    const record = await programs.points([{ at: "end", watch: ["text"] }], { launch, stdin: "hello" });
    expect(record.stdout).toBe('["hello",["word"],true]\n');
    expect(values(record)).toEqual(['"hello"']);
    expect(record.points[0]?.thread).toBe("app.cjs");
  }
});

test("a program that has frozen what stacks are read by is recorded with them all the same", async () => {
  const programs = new Programs({ "app.js": `Object.freeze(Error);\nconst a = 1;\nvoid a; // @body\n` });
  const { points } = await programs.points([{ at: "body", watch: ["a"] }]);
  expect(points.map((one) => [one.values, one.frames[0]])).toMatchObject([
    [["1"], { function: "<module>", line: 3, path: programs.path() }],
  ]);
});

test("without input it is at its end", async () => {
  const programs = new Programs({
    "app.cjs": `process.stdin.resume().on("end", () => console.log("end"));\n`,
  });
  expect((await programs.points([])).stdout).toBe("end\n");
});

test("what cannot be started is an error", async () => {
  const programs = new Programs({ "app.cjs": "" });
  const failing = programs.points([], { launch: { command: ["no-such-command-here"] } });
  await expect(failing).rejects.toMatchObject({ code: "LAUNCH_FAILED" });
});

test("a command without a Node program is said to be one", async () => {
  const programs = new Programs({ "app.cjs": "" });
  const record = await programs.points([], { launch: { command: ["true"] } });
  expect(record.end).toEqual({ how: "exited", exitCode: 0 });
  expect(record.notes).toEqual(["nothing was recorded: no Node process of the command loaded the recorder"]);
});
