/** Recording in a process that runs already: it is never ended, and left as it was. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import type { Opening } from "../../../src/adapters/adapter.ts";
import { KIT_SOURCE } from "../../../src/adapters/node/debug/kit-source.ts";
import type { Plan } from "../../../src/trace/plan.ts";
import { trace } from "../../../src/trace/trace.ts";
import { nodes } from "../../support/nodes.ts";
import { borrowSonde } from "../../support/sonde.ts";
import { planOf, prepared, type Recorded, recorded } from "../support.ts";
import { Programs } from "./rig.ts";

const CONDITION = { collector: "node-condition" };
const RECORDER = resolve(
  import.meta.dirname,
  "../../../src/trace/collectors/node-condition/recorder.entry.cjs",
);

/** Counts, and says how it is when it gets a line. */
const COUNTING = `const known = new Set(Reflect.ownKeys(globalThis));
const { readdirSync, readlinkSync, existsSync } = process.getBuiltinModule("node:fs");
const { Module } = process.getBuiltinModule("node:module");
const pipes = () => existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").filter((fd) => {
  try { return readlinkSync("/proc/self/fd/" + fd).endsWith("/records"); } catch { return false; }
}) : [];
const loaded = Object.keys(Module._cache).length;
let n = 0;
function step(n, more = { half: n / 2 }) {
  return n + 1; // @here
}
setInterval(() => {
  n = step(n);
}, 1);
process.stdin.on("data", () => {
  const keys = Reflect.ownKeys(globalThis).filter((key) => !known.has(key)).map(String);
  const modules = Object.keys(Module._cache).length - loaded;
  console.log(JSON.stringify({ n, keys, modules, pipes: pipes(), exits: process.listenerCount("exit") }));
});
console.log("runs");
`;
const CLEAN = { keys: [], modules: 0, pipes: [], exits: 0 };

class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  private constructor(path: string, command: string[]) {
    const [program = process.execPath, ...args] = command;
    this.child = spawn(program, [...args, path], { cwd: resolve(path, "..") });
    this.#lines = createInterface(this.child.stdout);
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  static async start(path: string, ...command: string[]): Promise<Running> {
    const running = new Running(path, command);
    await once(running.#lines, "line");
    return running;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async ask(): Promise<Record<string, unknown> & { n: number }> {
    const line = once(this.#lines, "line");
    this.child.stdin.write("how?\n");
    return JSON.parse(String((await line)[0])) as Record<string, unknown> & { n: number };
  }

  get opening(): Opening {
    return { request: "attach", plan: { pid: this.pid, cwd: "/", env: {}, extra: {} } };
  }

  /** Until so many hits have come. */
  record(plan: Plan, enough: number, collector = "node-condition"): Promise<Recorded> {
    const cancel = new AbortController();
    const progress = (seen: number) => {
      if (seen === enough) cancel.abort();
    };
    return recorded("node", this.opening, plan, { collector, signal: cancel.signal, progress });
  }
}

const numbersOf = ({ points }: Recorded) => points.map(({ values: [n] }) => Number(n));
const inOrder = (numbers: number[]) => numbers.map((_, at) => (numbers[0] ?? 0) + at);

test.each(
  nodes.flatMap(({ version, path }) => ["app.cjs", "app.mjs"].map((name) => ({ version, path, name }))),
)(
  "$version, $name: recorded for a while, twice, and left as it was",
  { timeout: 60_000 },
  async ({ path, name }) => {
    const programs = new Programs({ [name]: COUNTING });
    const running = await Running.start(programs.path(), path);
    const points = [
      { path: programs.path(), line: programs.line("here"), expressions: ["n", "more", "n.a.b", "step"] },
    ];
    const plan = planOf(points, { frames: 2 });
    const record = await running.record(plan, 100);
    expect(record.end).toEqual({ how: "left" });
    expect(record.notes).toEqual([]);
    expect(record.bindings).toEqual([{ state: "bound", line: programs.line("here") }]);
    expect(record.seen).toBeGreaterThanOrEqual(100);
    expect(numbersOf(record)).toEqual(inOrder(numbersOf(record)));
    const first = await running.ask();
    expect(first).toMatchObject(CLEAN);
    const second = await running.record(plan, 20);
    expect(numbersOf(second)).toEqual(inOrder(numbersOf(second)));
    const plain = await running.record(plan, 1, "stops");
    const shown = ({ points: [hit] }: Recorded) => ({
      thread: hit?.thread,
      frames: hit?.frames,
      values: hit?.values.slice(2),
    });
    expect(shown(second)).toEqual(shown(plain));
    expect(second.points[0]?.values[1]).toBe(`{half: ${Number(second.points[0]?.values[0]) / 2}}`);
    const last = await running.ask();
    expect(last).toMatchObject(CLEAN);
    expect(last.n).toBeGreaterThan(first.n);
    expect(running.child.exitCode).toBeNull();
  },
);

test("only the hits that the condition lets through", { timeout: 60_000 }, async () => {
  const programs = new Programs({ "app.cjs": COUNTING });
  const running = await Running.start(programs.path());
  const place = { path: programs.path(), line: programs.line("here") };
  const points = [
    { ...place, expressions: ["n"], condition: "n % 2 === 0" },
    { ...place, expressions: ["n"], condition: "n.a.b" },
  ];
  const record = await running.record(planOf(points), 20);
  expect(record.counts[0]).toBeGreaterThanOrEqual(20);
  expect(record.counts[1]).toBe(0);
  expect(numbersOf(record).every((n) => n % 2 === 0)).toBe(true);
});

test("a program made from TypeScript, by its source map", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.ts": `interface Step {
  n: number;
}

function step({ n }: Step): number {
  return n + 1; // @here
}
let n: number = 0;
setInterval(function tick(): void {
  n = step({ n }); // @tick
}, 1);
console.log("runs");
`,
  });
  await build({
    absWorkingDir: programs.folder,
    entryPoints: ["app.ts"],
    outfile: "app.cjs",
    ...{ format: "cjs", platform: "node", sourcemap: "linked", logLevel: "silent" },
  });
  const running = await Running.start(programs.path("app.cjs"));
  const points = [{ path: programs.path(), line: programs.line("here"), expressions: ["n"] }];
  const record = await running.record(planOf(points, { frames: 2 }), 20);
  expect(numbersOf(record)).toEqual(inOrder(numbersOf(record)));
  expect(record.points.at(-1)?.frames).toEqual([
    { function: "step", path: programs.path(), line: programs.line("here") },
    { function: "tick", path: programs.path(), line: programs.line("tick") },
  ]);
});

test("its workers, those that run and those that come", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.cjs": `const { Worker } = require("node:worker_threads");
const start = () => new Worker(require.resolve("./work.cjs"));
start();
process.stdin.once("data", () => start().once("message", (n) => console.log(JSON.stringify({ n }))));
console.log("runs");
`,
    "work.cjs": `const { threadId, parentPort } = require("node:worker_threads");
let n = 0;
function step() {
  return threadId; // @here
}
setInterval(() => {
  step();
  if (++n === 20) parentPort.postMessage(n);
}, 1);
`,
  });
  const running = await Running.start(programs.path());
  const path = programs.path("work.cjs");
  const points = [{ path, line: programs.line("here", "work.cjs"), expressions: ["threadId"] }];
  const cancel = new AbortController();
  let second: Promise<unknown> | undefined;
  const record = await recorded("node", running.opening, planOf(points, { frames: 1 }), {
    ...CONDITION,
    signal: cancel.signal,
    progress: () => {
      second ??= running.ask().then(() => cancel.abort());
    },
  });
  await second;
  const seen = new Set(record.points.map(({ thread, values }) => `${thread}: ${values[0]}`));
  // As the program numbers them: between the two came the debugger's own thread.
  expect([...seen].sort()).toEqual(["worker 1: 1", "worker 3: 3"]);
  expect(running.child.exitCode).toBeNull();
});

test("a program that cannot load the recorder is told of, and runs on", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.cjs": `const fs = require("node:fs");\n${COUNTING}const { readFileSync } = fs;
fs.readFileSync = (path, how) => {
  if (String(path).includes("recorder")) throw new Error("not here");
  return readFileSync(path, how);
};\n`,
  });
  const running = await Running.start(programs.path());
  const points = [{ path: programs.path(), line: programs.line("here"), expressions: ["n"] }];
  const launch = await prepared("node", running.opening);
  const { signal } = new AbortController();
  const bounds = { first: 30, quiet: 30, total: 30 };
  const traced = trace({ title: "test", plan: planOf(points), launch, bounds, signal, ...CONDITION });
  await expect(traced).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: "the recorder cannot be loaded into the program: Error: not here",
  });
  await launch.end();
  const first = await running.ask();
  expect(first).toMatchObject(CLEAN);
  expect((await running.ask()).n).toBeGreaterThanOrEqual(first.n);
});

test("nobody reads any more: the recorder falls silent and the program goes on", async () => {
  const programs = new Programs({
    "app.cjs": `const { enter } = require(${JSON.stringify(RECORDER)});
enter(__dirname, "recorder", globalThis);
recorder(0, 0, () => "first");
process.stdin.on("data", () => {
  for (let i = 0; i < 5000; i++) recorder(0, 0, () => "x".repeat(100));
  recorder.leave();
  console.log(JSON.stringify({ n: 0, left: "recorder" in globalThis }));
  process.exit(0);
});
console.log("runs");
`,
    "plan.json": JSON.stringify({ points: [{ expressions: ["x"] }], frames: 1 }),
    "kit.cjs": `module.exports = ${KIT_SOURCE};\n`,
  });
  execFileSync("mkfifo", [programs.path("records")]);
  const reader = openSync(programs.path("records"), constants.O_RDWR | constants.O_NONBLOCK);
  const running = await Running.start(programs.path());
  const bytes = Buffer.alloc(65_536);
  expect(bytes.toString("utf8", 0, readSync(reader, bytes))).toContain('"first\\"');
  closeSync(reader);
  const ended = once(running.child, "exit");
  let stderr = "";
  running.child.stderr.on("data", (chunk) => (stderr += chunk));
  expect(await running.ask()).toEqual({ n: 0, left: false });
  expect(await ended).toEqual([0, null]);
  expect(stderr).toBe("");
});

test("by the binary", { timeout: 90_000 }, async () => {
  const sonde = borrowSonde();
  writeFileSync(join(sonde.project, "app.mjs"), COUNTING);
  const path = join(sonde.project, "app.mjs");
  const running = await Running.start(path);
  const line = COUNTING.split("\n").findIndex((one) => one.includes("@here")) + 1;
  const at = `${basename(path)}:${line}`;
  const words = ["trace", "--pid", String(running.pid), "--at", at, "--watch", "n", "--max-seconds", "2"];
  const result = await sonde.ask(words);
  expect(result).toMatchObject({ trace: { collector: "node-condition", end: { how: "left" } } });
  expect(await running.ask()).toMatchObject(CLEAN);
});
