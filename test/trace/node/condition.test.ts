/** Recording by conditions that are never true: the same record as by stops, in programs that are started. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { collector as nodeCondition } from "../../../src/trace/collectors/node-condition/index.ts";
import { buildMapped } from "../../support/mapped.ts";
import { marker } from "../../support/markers.ts";
import { launching, planOf, prepared, type Recorded, recorded } from "../support.ts";
import { Programs } from "./rig.ts";
import { SYNTAX } from "./syntax.ts";

const CONDITION = { collector: "node-condition" };
const STOPS = { collector: "stops" };
const MODULES = resolve(import.meta.dirname, "../../../node_modules");

const LANGUAGE = `class Cart {
  #secret = 7;
  items = [{ name: "pen", price: 2, tags: { a: { b: { c: 1 } } } }];
  get broken() { throw new Error("no"); }
  total(rate) {
    let sum = 0;
    for (const { price } of this.items) {
      sum += price * rate; // @total
    }
    return sum;
  }
}
function counter() {
  let count = 0;
  const unused = "outer";
  return () => ++count; // @closure
}
function* numbers() {
  for (let n = 1; n < 4; n++) {
    yield n; // @generator
  }
}
async function later(ms) {
  const before = ms;
  await null;
  return before + 1; // @async
}
function early() {
  const first = 1; // @tdz
  let late = first + 1;
  return late;
}
const cart = new Cart();
console.log(cart.total(3));
const tick = counter();
tick();
tick();
console.log([...numbers()], early());
[1, 2].map(function each(one) {
  return one * 2; // @mapped
});
later(5).then((got) => console.log(got));
console.log("end"); // @end
`;

/** What a rewritten program can tell as well. */
const PLAIN = [
  { at: "total", watch: ["sum", "price", "this.items[0]", "this.broken", "rate", "nothere"] },
  { at: "total", watch: ["sum + price"], condition: "price > 1" },
  { at: "total", watch: ["price"], condition: "price.none.such" },
  { at: "generator", watch: ["n", "n ** 2, n"] },
  { at: "async", watch: ["before", "ms"] },
  { at: "mapped", watch: ["one", "arguments", "this"] },
  { at: "end", watch: ["cart", "tick", "[1, [2, { a: -0 }]]", "'text'"] },
];
const ASKED = [
  ...PLAIN,
  { at: "total", watch: ["this", "this.#secret", "super.x", "new.target"] },
  { at: "closure", watch: ["count", "unused"] },
  { at: "mapped", watch: ["each.name"] },
  { at: "tdz", watch: ["first", "late", "typeof late", "arguments.length"] },
];

/** Point by point: which of two points of one line is told first is nobody's business. */
const comparable = ({ points, counts, bindings, stdout, stderr, end }: Recorded) => ({
  points: points
    .map(({ ms: _ms, seq: _seq, ...rest }) => rest)
    .sort((a, b) => a.point - b.point || a.hit - b.hit),
  ...{ counts, bindings, stdout, stderr, end },
});

/** A debugger remembers who awaited; a stack does not. */
function withoutAwaits(record: Recorded, like: Recorded): Recorded {
  const points = record.points.map((hit) => {
    const same = like.points.find((one) => one.point === hit.point && one.hit === hit.hit);
    return { ...hit, frames: hit.frames.slice(0, same?.frames.length ?? 0) };
  });
  return { ...record, points };
}

test.each(["app.cjs", "app.mjs"])("%s: the same record as by stops", { timeout: 60_000 }, async (name) => {
  const programs = new Programs({ [name]: LANGUAGE });
  const options = { plan: { frames: 4 } };
  const ours = await programs.points(ASKED, { ...options, ...CONDITION });
  const plain = await programs.points(ASKED, { ...options, ...STOPS });
  expect(ours.notes).toEqual([]);
  expect(comparable(ours)).toEqual(comparable(withoutAwaits(plain, ours)));
  // Of the program's own frames: how many of Node's loader await below them is the stack's affair.
  const depths = [ours, plain].map(({ points }) => points[0]?.frames.filter(({ path }) => path).length);
  expect(depths).toEqual([2, 2]);
  expect(ours.counts.slice(0, 3)).toEqual([1, 1, 0]);
  expect(ours.points.find(({ point }) => point === 7)?.values[1]).toBe("7");
});

test("the same record as by rewriting", { timeout: 60_000 }, async () => {
  const programs = new Programs({ "app.cjs": LANGUAGE });
  const ours = await programs.points(PLAIN, CONDITION);
  expect(comparable(ours)).toEqual(comparable(await programs.points(PLAIN, {})));
});

test("every line of a program with most of the language", { timeout: 240_000 }, async () => {
  const programs = new Programs({ "app.cjs": SYNTAX });
  const lines = SYNTAX.split("\n").slice(0, -1);
  const asked = lines.map((_, at) => ({ at: at + 1, watch: ["x", "rate"] }));
  const options = { plan: { frames: 1 } };
  const ours = await programs.points(asked, { ...options, ...CONDITION });
  expect(ours.notes).toEqual([]);
  expect(comparable(ours)).toEqual(comparable(await programs.points(asked, { ...options, ...STOPS })));
});

test("a module that waits goes on as a module", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.mjs": `await null;
console.log("module"); // @module
await (async () => {
  await null;
  console.log("function"); // @function
})();
`,
  });
  const asked = ["module", "function"].map((at) => ({ at }));
  const named = ({ points }: Recorded) => points.map(({ frames: [top] }) => top?.function);
  const ours = await programs.points(asked, CONDITION);
  expect(named(ours)).toEqual(["<module>", "(anonymous)"]);
  expect(named(await programs.points(asked, STOPS))).toEqual(named(ours));
});

test("input, output, exit code and an uncaught exception are told as by stops", {
  timeout: 60_000,
}, async () => {
  const programs = new Programs({
    "app.cjs": `let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
  console.log(text); // @end
  throw new RangeError("too far");
});
`,
  });
  const asked = [{ at: "end", watch: ["text"] }];
  const options = { stdin: "hello", plan: { frames: 2 } };
  const ours = await programs.points(asked, { ...options, ...CONDITION });
  expect(ours).toMatchObject({ stdout: "hello\n", end: { how: "exited", exitCode: 1 }, counts: [1] });
  expect(comparable(ours)).toEqual(comparable(await programs.points(asked, { ...options, ...STOPS })));
});

test("five thousand hits, none lost, and the last ones of a program that exits at once", {
  timeout: 120_000,
}, async () => {
  const programs = new Programs({
    "app.cjs": `let sum = 0;\nfor (let i = 0; i < 5000; i++) {\n  sum += i; // @body\n}\nprocess.exit(3);\n`,
  });
  const record = await programs.points([{ at: "body", watch: ["i"] }], CONDITION);
  expect(record).toMatchObject({ counts: [5000], end: { exitCode: 3 } });
  expect(record.points.map(({ values: [i] }) => Number(i))).toEqual(
    Array.from({ length: 5000 }, (_, i) => i),
  );
});

test("an endless loop is ended by the caller", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.cjs": `for (let i = 0; ; i++) {\n  void i; // @body\n}\n`,
  });
  const abort = new AbortController();
  const record = await programs.points([{ at: "body", watch: ["i"] }], {
    ...CONDITION,
    signal: abort.signal,
    progress: (seen) => {
      if (seen === 100) abort.abort();
    },
  });
  expect(record.end).toEqual({ how: "stopped" });
  const numbers = record.points.map(({ values: [i] }) => Number(i));
  expect(numbers.length).toBeGreaterThanOrEqual(100);
  expect(numbers).toEqual(numbers.map((_, at) => at));
});

test("a program that dies as it is looked at has an end", async () => {
  const programs = new Programs({ "app.cjs": `const a = 1;\nvoid a; // @body\n` });
  const record = await programs.points([{ at: "body", watch: ["process.abort()"] }], CONDITION);
  expect(record).toMatchObject({ end: { how: "exited", signal: "SIGABRT" }, counts: [0] });
});

test("workers, contexts of node:vm and child processes", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.cjs": `const { Worker } = require("node:worker_threads");
const vm = require("node:vm");
const { execFileSync } = require("node:child_process");
const { work } = require("./work.cjs");
work("main");
const filename = require.resolve("./work.cjs");
const code = "(function (module) {" + require("node:fs").readFileSync(filename, "utf8") + "\\n})";
const other = { exports: {} };
vm.runInContext(code, vm.createContext({}), { filename })(other);
other.exports.work("context");
new Worker("require('./work.cjs').work('worker')", { eval: true }).on("exit", () => {
  execFileSync(process.execPath, ["-e", "require('./work.cjs').work('child')"]);
});
`,
    "work.cjs": `module.exports = {
  work(who) {
    return who; // @work
  },
};
`,
  });
  const asked = [{ file: "work.cjs", at: "work", watch: ["who"] }];
  const told = ({ points }: Recorded) =>
    points.map(({ values, thread }) => [values[0], thread.replace(/\d{2,}/g, "N")]);
  const ours = await programs.points(asked, CONDITION);
  expect(told(ours)).toEqual([
    ['"main"', "app.cjs"],
    ['"context"', "app.cjs"],
    ['"worker"', "worker 2"],
    ['"child"', "node N (pid N)"],
  ]);
  const plain = await programs.points(asked, STOPS);
  expect(told(plain).slice(0, 3)).toEqual(told(ours).slice(0, 3));
});

test("a debugger statement is passed over, and said so", async () => {
  const programs = new Programs({ "app.cjs": `debugger;\nconst a = 1;\nvoid a; // @body\n` });
  const record = await programs.points([{ at: "body", watch: ["a"] }], CONDITION);
  expect(record.points.map(({ values }) => values)).toEqual([["1"]]);
  expect(record.notes).toEqual([expect.stringMatching(/^the debugger stopped and continued: /)]);
});

test.each(["bundle", "files", "inline", "esm"] as const)(
  "through a source map: %s",
  { timeout: 60_000 },
  async (form) => {
    const programs = new Programs({});
    const { program, lib } = await buildMapped(programs.folder, form);
    const points = [{ path: lib, line: marker(lib, "mean-add"), expressions: ["total", "v"] }];
    const plan = planOf(points, { frames: 3 });
    const run = (collector: string) =>
      recorded("node", launching({ cwd: programs.folder, program }), plan, { collector });
    const ours = await run("node-condition");
    expect(ours.points.length).toBeGreaterThan(0);
    expect(ours.points[0]?.frames[0]?.path).toBe(lib);
    expect(comparable(ours)).toEqual(comparable(await run("stops")));
  },
);

test("TypeScript that a loader compiles", { timeout: 60_000 }, async () => {
  const programs = new Programs({
    "app.ts": `interface Item { price: number }

enum Rate {
  Low = 2,
}

function total(items: Item[]): number {
  let sum: number = 0;
  for (const { price } of items) {
    sum += price * Rate.Low; // @sum
  }
  return sum;
}

function main(): void {
  console.log(total([{ price: 1 }, { price: 2 }]));
}
main();
`,
  });
  symlinkSync(MODULES, join(programs.folder, "node_modules"));
  const asked = [{ at: "sum", watch: ["sum", "price"] }];
  const options = { launch: { command: ["npx", "tsx", "app.ts"] }, plan: { frames: 3 } };
  const ours = await programs.points(asked, { ...options, ...CONDITION });
  expect(ours.points.map(({ values }) => values)).toEqual([
    ["0", "1"],
    ["2", "2"],
  ]);
  const plain = await programs.points(asked, { ...options, ...STOPS });
  expect(comparable(ours).points).toEqual(comparable(plain).points);
  expect(ours.bindings).toEqual(plain.bindings);
});

test("what it cannot do", async () => {
  const cwd = new Programs({}).folder;
  const started = await prepared("node", launching({ cwd, command: ["node", "app.cjs"] }));
  const lines = { functions: ["work"], under: [cwd], depth: 0 };
  expect(await nodeCondition.unfit(planOf([], { lines }), started)).toMatch(/not whole functions/);
  expect(await nodeCondition.unfit(planOf([]), started)).toBeUndefined();
  const behindPort = await prepared("node", {
    request: "attach",
    plan: { host: "127.0.0.1", port: 9229, cwd, env: {}, extra: {} },
  });
  expect(await nodeCondition.unfit(planOf([]), behindPort)).toMatch(/another machine/);
});
