/** Functions line by line, with the variables that change. */
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Programs, told } from "./rig.ts";
import { SYNTAX } from "./syntax.ts";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");

const SHOP = `class Cart {
  constructor(items) {
    this.items = items;
  }
  total(rate, { scale } = { scale: 1 }) {
    let sum = 0;
    for (const item of this.items) {
      const part = priced(item, rate);
      sum += part;
    }
    return sum * scale;
  }
}
function priced(item, rate) {
  JSON.stringify(item);
  return item * rate;
}
const failing = (n) => {
  if (n > 0) throw new RangeError("no " + n);
};
const tools = { half: (n) => n / 2, twice(n) { return n * 2; } };
try {
  failing(1);
} catch {}
console.log(new Cart([2, 3]).total(10), tools.half(4), tools.twice(4));
`;

const TOTAL = [
  "call Cart.total:5 this=Cart {items: [2, 3]} rate=10 scale=1",
  "line Cart.total:6",
  "line Cart.total:7 sum=0",
  "line Cart.total:8 item=2",
  "line Cart.total:9 part=20",
  "line Cart.total:7 sum=20",
  "line Cart.total:8 item=3 -part",
  "line Cart.total:9 part=30",
  "line Cart.total:7 sum=50",
  "line Cart.total:11 -item -part",
  "return Cart.total:11 -> 50",
];

test.each([
  ["app.cjs", "total", undefined],
  ["app.mjs", "Cart.total", undefined],
  ["app.ts", "total", ["node_modules/.bin/tsx", "app.ts"]],
  ["app.mts", "Cart.total", ["node_modules/.bin/tsx", "app.mts"]],
])("one function in %s by the name %s", { timeout: 60_000 }, async (file, name, command) => {
  const programs = new Programs({ [file]: SHOP });
  symlinkSync(MODULES, join(programs.folder, "node_modules"));
  const events = await programs.lines([name], { launch: command === undefined ? {} : { command } });
  expect(told(events)).toEqual(TOTAL);
  expect(new Set(events.map(({ call, parent }) => `${call} ${parent}`))).toEqual(new Set(["1 undefined"]));
  expect(events[0]).toMatchObject({ path: programs.path(), thread: file });
});

test("calls that it makes, down to a depth", async () => {
  const programs = new Programs({ "app.js": SHOP });
  const events = await programs.lines(["Cart.total"], { depth: 1 });
  const inner = events.filter((one) => one.function === "priced");
  expect(told(inner).slice(0, 4)).toEqual([
    "call priced:14 item=2 rate=10",
    "line priced:15",
    "line priced:16",
    "return priced:16 -> 20",
  ]);
  expect(inner.map(({ call, parent }) => [call, parent])).toEqual([
    ...Array.from({ length: 4 }, () => [2, 1]),
    ...Array.from({ length: 4 }, () => [3, 1]),
  ]);
  expect(told(events.filter((one) => one.function === "Cart.total"))).toEqual(TOTAL);
});

test("what leaves a function by an exception, arrows, methods, constructors", async () => {
  const programs = new Programs({ "app.js": SHOP });
  expect(told(await programs.lines(["failing", "half", "tools.twice", "Cart"]))).toEqual([
    "call failing:18 n=1",
    "line failing:19",
    "throw failing:19 -> RangeError: no 1",
    "call Cart.constructor:2 this=Cart {} items=[2, 3]",
    "line Cart.constructor:3",
    "return Cart.constructor:4 this=Cart {items: [2, 3]} -> undefined",
    "call tools.half:21 n=4",
    "line tools.half:21",
    "return tools.half:21 -> 2",
    "call tools.twice:21 n=4",
    "line tools.twice:21",
    "return tools.twice:21 -> 8",
  ]);
});

test("asynchronous functions and generators keep their activation; what runs meanwhile is not theirs", async () => {
  const programs = new Programs({
    "app.mjs": `async function outer(n) {
  const got = await inner(n);
  return got + 1;
}
async function inner(n) {
  await null;
  return n * 2;
}
function* counting() {
  const word = yield 1;
  return word;
}
const both = await Promise.all([outer(1), outer(5)]);
const counter = counting();
counter.next();
counter.next("w");
`,
  });
  const events = await programs.lines(["outer", "inner", "counting"]);
  const shown = events.map(({ call, parent, kind, line, value }) =>
    `${call}<${parent ?? 0} ${kind} ${line} ${value ?? ""}`.trim(),
  );
  expect(shown).toEqual([
    "1<0 call 1",
    "1<0 line 2",
    "2<1 call 5",
    "2<1 line 6",
    "3<0 call 1",
    "3<0 line 2",
    "4<3 call 5",
    "4<3 line 6",
    "2<1 line 7",
    "2<1 return 7 2",
    "4<3 line 7",
    "4<3 return 7 10",
    "1<0 line 3",
    "1<0 return 3 3",
    "3<0 line 3",
    "3<0 return 3 11",
    "5<0 call 9",
    "5<0 line 10",
    "5<0 line 11",
    '5<0 return 11 "w"',
  ]);
});

test("without names, whole files: modules too, never libraries", async () => {
  const programs = new Programs({
    "app.cjs": `const { twice } = require("lib");
const { once } = require("./own.cjs");
console.log(twice(1), once(2));
`,
    "own.cjs": `exports.once = (n) => n;\n`,
    "node_modules/lib/index.js": `exports.twice = (n) => n * 2;\n`,
  });
  expect(told(await programs.lines([]))).toEqual([
    "call <module>:1",
    "line <module>:1",
    "line <module>:2 twice=ƒ (anonymous)(n)",
    "call <module>:1",
    "line <module>:1",
    "return <module>:1 -> undefined",
    "line <module>:3 once=ƒ (anonymous)(n)",
    "call once:1 n=2",
    "line once:1",
    "return once:1 -> 2",
    "return <module>:3 -> undefined",
  ]);
});

test.each(["app.cjs", "app.mjs"])("a program with most of the language does the same in %s", async (file) => {
  const text = file.endsWith("mjs") ? SYNTAX.replace("#!/usr/bin/env node\n", "") : SYNTAX;
  const programs = new Programs({ [file]: text });
  const record = await programs.traced([]);
  expect(record.notes).toEqual([]);
  expect(record.stderr).toBe("");
  expect(record.stdout).toBe(execFileSync(process.execPath, [programs.path()], { encoding: "utf8" }));
  const open = new Set<number>();
  for (const hit of record.hits) {
    if (hit.kind === "point") continue;
    if (hit.kind === "call") open.add(hit.call);
    expect(open.has(hit.call)).toBe(true);
    if (hit.kind === "return" || hit.kind === "throw") open.delete(hit.call);
  }
  expect(open.size).toBe(0);
});

test("points and lines in one run", async () => {
  const programs = new Programs({ "app.js": SHOP });
  const record = await programs.points([{ at: 9, watch: ["part"] }], {
    plan: { lines: { functions: ["total"], under: [programs.folder], depth: 0 } },
  });
  expect(record.points.map(({ values }) => values)).toEqual([["20"], ["30"]]);
  expect(told(record.hits.flatMap((one) => (one.kind === "point" ? [] : [one])))).toEqual(TOTAL);
});

test("functions that share their names with variables stay as they are", async () => {
  const programs = new Programs({
    "app.cjs": `function odd() {
  var same = 1;
  function same() {}
  return typeof same;
}
console.log(odd());
`,
  });
  const record = await programs.traced(["odd"]);
  expect(record).toMatchObject({ stdout: "number\n", notes: [] });
  expect(record.hits.at(-1)).toMatchObject({ kind: "return", value: '"number"' });
});

test("what is called after a function has ended, or while it waits, is not its doing", async () => {
  const programs = new Programs({
    "app.mjs": `async function get(key) {
  try {
    const value = await load(key);
    kept(value);
    return value;
  } finally {
    dropped(key);
  }
}
async function load(key) { await null; return key * 2; }
function kept() {}
function dropped() {}
function other() {}
async function each() {
  for await (const one of slow()) kept(one);
}
async function* slow() { for (const n of [1, 2]) { await null; yield n; } }
async function rejected() { await Promise.reject(new Error("no")); }
function* numbers() { try { yield 1; yield 2; } finally { dropped(); } }
function asks() { const some = numbers(); some.next(); kept(); some.return(); kept(); }
const ticking = (async () => { for (let n = 0; n < 20; n++) { await null; other("tick"); } })();
await get(1);
other("after get");
await each();
other("after each");
await rejected().catch(() => other("in catch"));
other("after rejected");
const left = numbers();
left.next();
other("between");
left.return();
other("after numbers");
asks();
other("after asks");
await ticking;
`,
  });
  const events = await programs.lines(["get", "each", "rejected", "numbers", "asks"], { depth: 1 });
  const calls = events.filter(({ kind }) => kind === "call");
  const names = new Map(calls.map(({ call, function: name }) => [call, name]));
  expect(calls.map(({ function: name, parent }) => `${name} < ${names.get(parent ?? 0) ?? "-"}`)).toEqual([
    "get < -",
    "load < get",
    "kept < get",
    "dropped < get",
    "each < -",
    "slow < each",
    "kept < each",
    "kept < each",
    "rejected < -",
    "numbers < -",
    "dropped < numbers",
    "asks < -",
    "numbers < asks",
    "kept < asks",
    "dropped < numbers",
    "kept < asks",
  ]);
  // The last word of a function is that it returns, whatever it does on the way out.
  expect(told(events.filter((one) => one.function === "get")).slice(-3)).toEqual([
    "line get:5",
    "line get:7 -value",
    "return get:5 -> 2",
  ]);
});

test("what a method changes in its object", async () => {
  const programs = new Programs({
    "app.cjs": `class Base {}
class Counter extends Base {
  constructor(n) {
    n++;
    super();
    this.n = n;
  }
  add(k) {
    this.n += k;
    return () => this.n;
  }
  static none() {
    return 1;
  }
}
function plain() {
  return typeof this;
}
new Counter(1).add(2)();
Counter.none();
plain();
`,
  });
  expect(told(await programs.lines(["Counter", "add", "none", "plain"]))).toEqual([
    "call Counter.constructor:3 n=1",
    "line Counter.constructor:4",
    "line Counter.constructor:5 n=2",
    "line Counter.constructor:6 this=Counter {}",
    "return Counter.constructor:7 this=Counter {n: 2} -> undefined",
    "call Counter.add:8 this=Counter {n: 2} k=2",
    "line Counter.add:9",
    "line Counter.add:10 this=Counter {n: 4}",
    "return Counter.add:10 -> ƒ (anonymous)()",
    "call Counter.none:12",
    "line Counter.none:13",
    "return Counter.none:13 -> 1",
    "call plain:16",
    "line plain:17",
    'return plain:17 -> "object"',
  ]);
});

test("a file that cannot be rewritten runs as it is, and the record says so", async () => {
  const programs = new Programs({
    "app.cjs": `require("./odd.cjs");\n`,
    // V8 takes it, the parser does not.
    "odd.cjs": `function work() { return %NAME%; }\nconsole.log(work());\n`.replace(
      "%NAME%",
      "%IsBeingInterpreted() || 1",
    ),
  });
  const command = [process.execPath, "--allow-natives-syntax", programs.path()];
  const record = await programs.traced(["work"], { launch: { command } });
  expect(record.stdout).toMatch(/^(?:true|1)\n$/);
  expect(record.hits).toEqual([]);
  expect(record.notes).toEqual([
    expect.stringMatching(/odd\.cjs is not recorded: it cannot be read \(Unexpected token/),
  ]);
});

test("private fields of its object, as far as it has them", async () => {
  const programs = new Programs({
    "app.cjs": `class Window {
  #events = [];
  static #made = 0;
  constructor(ms) {
    this.ms = ms;
    Window.count(this);
  }
  static count(one) {
    return (this.#made += #events in one ? 1 : 0);
  }
  add(t) {
    this.#events.push(t);
    return () => this;
  }
  #expire() {
    this.#events.shift();
  }
  end() {
    this.#expire();
  }
}
class Named extends Window {
  #name = "n";
  constructor() {
    super(2);
    this.#name += "!";
  }
}
const one = new Window(1);
one.add(5);
one.end();
new Named();
try { Window.prototype.add.call({ fake: 1 }, 2); } catch {}
`,
  });
  const events = await programs.lines(["Window.add", "expire", "count", "Named"]);
  expect(told(events)).toEqual([
    "call Window.count:8 this=class Window this.#made=0 one=Window {ms: 1}",
    "line Window.count:9",
    "return Window.count:9 this.#made=1 -> 1",
    "call Window.add:11 this=Window {ms: 1} this.#events=[] t=5",
    "line Window.add:12",
    "line Window.add:13 this.#events=[5]",
    "return Window.add:13 -> ƒ (anonymous)()",
    "call Window.#expire:15 this=Window {ms: 1} this.#events=[5]",
    "line Window.#expire:16",
    "return Window.#expire:17 this.#events=[] -> undefined",
    "call Named.constructor:24",
    "line Named.constructor:25",
    "call Window.count:8 this=class Window this.#made=1 one=Named {ms: 2}",
    "line Window.count:9",
    "return Window.count:9 this.#made=2 -> 2",
    'line Named.constructor:26 this=Named {ms: 2} this.#name="n"',
    'return Named.constructor:27 this.#name="n!" -> undefined',
    "call Window.add:11 this={fake: 1} t=2",
    "line Window.add:12",
    expect.stringMatching(/^throw Window\.add:12 -> TypeError/),
  ]);
});

test("a change beyond the cut of a value is told, with the part that differs or in so many words", async () => {
  const programs = new Programs({
    "app.cjs": `function grow() {
  const a = Array.from({ length: 200 }, (_, i) => i);
  a[150] = "x";
  a.push(7);
  let s = "x".repeat(300);
  s += "y";
  const o = { a: { b: { c: { d: { e: 1 } } } }, get no() { throw 1; } };
  o.a.b.c.d.e = 2;
  const m = new Map(a.map((x, i) => [i, x]));
  m.set(180, "new");
  o.self = o;
  const bytes = new Uint8Array(5000);
  bytes[4000] = 1;
  s.trim();
  return a.length;
}
grow();
`,
  });
  const events = await programs.lines(["grow"], { plan: { valueChars: 120 } });
  const changed = (line: number) =>
    events.flatMap((one, at) => (events[at - 1]?.line === line && one.kind !== "call" ? one.changes : []));
  for (const { changes } of events)
    for (const [, text] of changes) expect(text.length).toBeLessThanOrEqual(120);
  const beyond = (more: string) => expect.stringContaining(`(${more}changed beyond what is shown)`);
  expect(changed(3)).toEqual([["a", beyond("its length is 200, its last 199; ")]]);
  expect(changed(4)).toEqual([["a", expect.stringMatching(/^Array\(201\)/)]]);
  expect(changed(6)).toEqual([["s", expect.stringMatching(/^"x+…x+y"$/)]]);
  expect(changed(8)).toEqual([["o", beyond("")]]);
  expect(changed(10)).toEqual([["m", beyond("")]]);
  expect(changed(13)).toEqual([["bytes", beyond("")]]);
  expect(changed(14)).toEqual([]);
});

test("what there is instead of a name that nothing has, and what was not called", async () => {
  const programs = new Programs({
    "app.cjs": "function totals() {}\nclass Cart { group() {} }\ntotals();\n",
  });
  const notes = async (...names: string[]) => (await programs.traced(names)).notes;
  expect(await notes("total")).toEqual(["did you mean totals? the loaded files have: totals, Cart.group"]);
  expect(await notes("group")).toEqual(["group is in a file that was loaded, but was not called"]);
  expect(await notes("totals", "grop")).toEqual([
    "no call of grop() was recorded: did you mean Cart.group? the loaded files have: Cart.group, totals",
  ]);
  expect(await notes("totals")).toEqual([]);
});
