/** Scopes, variables and evaluation, hostile values included. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Debuggee, debug, marker, project } from "./debuggee.ts";

async function stopAt(source: string, name = "app.cjs", mark = "here"): Promise<Debuggee> {
  const app = join(project({ [name]: source }), name);
  const d = await debug(app);
  await d.setBreakpoints(app, [marker(app, mark)]);
  await d.run();
  await d.stop();
  return d;
}

test("values as text", async () => {
  const d = await stopAt(`
class Acc { #secret = 7; constructor() { this.t = 1 } get area() { return 3 } add(a, b) {} }
const num = 1, zero = -0, nan = NaN, big = 10n, str = "a\\n\\"b\\"", yes = true, nul = null, undef = undefined;
const arr = [1, 2, 3], long = Array.from({ length: 1000 }, (_, i) => i), sparse = [, 1];
const obj = { a: 1, b: { c: [1, { d: 2 }] }, "odd key": 3 }, acc = new Acc(), bare = Object.create(null);
const map = new Map([["a", 1], [{ k: 1 }, 2]]), set = new Set([1, "two"]), weak = new WeakMap([[obj, 1]]);
const date = new Date(0), bad = new Date(NaN), re = /a\\/b/gi, err = Object.assign(new TypeError("boom"), { code: "E1" });
const fn = function total(a, b = 2) {}, arrow = (x) => x, asyncFn = async () => {}, sym = Symbol("s");
const bytes = new Uint8Array([1, 2]), buf = Buffer.from("hi"), ab = new ArrayBuffer(8), prox = new Proxy({ a: 1 }, { get() { throw new Error("trap") }, ownKeys() { throw new Error("trap") } });
const pending = new Promise(() => {}), done = Promise.resolve({ ok: 1 }), boxed = new Number(3);
console.log(1); // @here
`);
  const local = await d.scope("Local");
  expect(local).toMatchObject({
    num: "1",
    zero: "-0",
    nan: "NaN",
    big: "10n",
    str: '"a\\n\\"b\\""',
    yes: "true",
    nul: "null",
    undef: "undefined",
    arr: "[1, 2, 3]",
    long: expect.stringMatching(/^Array\(1000\) \[0, 1, 2, .* more\]$/),
    sparse: "[<empty>, 1]",
    obj: '{a: 1, b: {c: [1, {…}]}, "odd key": 3}',
    acc: "Acc {t: 1}",
    bare: "[null prototype] {}",
    map: 'Map(2) {"a" → 1, {k: 1} → 2}',
    set: 'Set(2) {1, "two"}',
    weak: "WeakMap",
    date: "1970-01-01T00:00:00.000Z",
    bad: "Invalid Date",
    re: "/a\\/b/gi",
    err: 'TypeError: boom {code: "E1"}',
    fn: "ƒ total(a, b = 2)",
    arrow: "ƒ arrow(x)",
    asyncFn: "async ƒ asyncFn()",
    sym: "Symbol(s)",
    bytes: "Uint8Array(2) [1, 2]",
    buf: "Buffer(2) [104, 105]",
    ab: "ArrayBuffer(8)",
    prox: "Proxy",
    pending: "Promise <pending>",
    done: "Promise <fulfilled>",
    boxed: "[Number: 3]",
    Acc: "class Acc",
  });
  for (const hidden of ["exports", "require", "module", "__filename", "this"])
    expect(local).not.toHaveProperty(hidden);

  const list = async (name: string) => {
    const { variablesReference } = await d.variable("Local", name);
    return Object.fromEntries((await d.variables(variablesReference)).map((one) => [one.name, one.value]));
  };
  expect(await list("acc")).toEqual({ t: "1", area: "(getter)", "#secret": "7" });
  expect(await list("map")).toEqual({ '"a"': "1", "{k: 1}": "2" });
  expect(await list("prox")).toMatchObject({
    "[[Target]]": expect.anything(),
    "[[Handler]]": expect.anything(),
  });
  expect(await list("done")).toMatchObject({ "[[PromiseState]]": '"fulfilled"' });
  expect(await d.variable("Local", "arr")).toMatchObject({
    type: "Array",
    indexedVariables: 3,
    evaluateName: "arr",
  });
  const obj = await d.variable("Local", "obj");
  const [, b, odd] = await d.variables(obj.variablesReference);
  expect([b?.evaluateName, odd?.evaluateName]).toEqual(["obj.b", 'obj["odd key"]']);
  const [c] = await d.variables(b?.variablesReference ?? 0);
  expect(c).toMatchObject({ name: "c", value: "[1, {d: 2}]", evaluateName: "obj.b.c" });
  const page = await d.variables((await d.variable("Local", "long")).variablesReference, {
    filter: "indexed",
    start: 500,
    count: 2,
  });
  expect(page.map(({ name, value }) => [name, value])).toEqual([
    ["500", "500"],
    ["501", "501"],
  ]);
  expect(
    (
      await d.variables((await d.variable("Local", "arr")).variablesReference, { format: { hex: true } })
    ).slice(0, 1),
  ).toMatchObject([{ value: "0x1" }]);
});

test("hostile values cost little time and few bytes", async () => {
  const d = await stopAt(`
function hostile() {
  const text = "a".repeat(100 * 1024 * 1024) + "b";
  const list = new Array(10_000_000).fill(1);
  const typed = new Float64Array(5_000_000);
  const entries = new Map(Array.from({ length: 200_000 }, (_, i) => [i, i]));
  const cyclic = {}; cyclic.self = cyclic;
  let deep = {}; for (let i = 0; i < 10000; i++) deep = { deep };
  const getters = { get throws() { throw new Error("no") }, get endless() { for (;;); }, get fine() { return { v: 1 } } };
  const held = { text };
  console.log(text.length); // @here
}
hostile();
`);
  const began = performance.now();
  const local = await d.scope("Local");
  const took = performance.now() - began;
  expect(took).toBeLessThan(1000);
  expect(JSON.stringify(local).length).toBeLessThan(6000);
  expect(local.text).toMatch(/^"a{1024}…" \(104857601 chars\)$/);
  expect(local.cyclic).toBe("{self: {self: {self: {…}}}}");

  const members = async (name: string, more = {}) =>
    d.variables((await d.variable("Local", name)).variablesReference, more);
  const started = performance.now();
  expect((await members("list")).length).toBe(1001);
  expect((await members("list", { filter: "indexed", start: 9_999_990, count: 100 })).length).toBe(10);
  expect((await members("typed", { start: 4_999_999, count: 5 })).map(({ name }) => name)).toEqual([
    "4999999",
  ]);
  expect((await members("entries", { filter: "indexed", start: 150_000, count: 1 }))[0]).toMatchObject({
    name: "150000",
    evaluateName: "entries.get(150000)",
  });
  expect((await members("held"))[0]?.value.length).toBeLessThan(1100);
  expect(performance.now() - started).toBeLessThan(2000);

  const getters = await members("getters");
  expect(getters.map(({ value }) => value)).toEqual(["(getter)", "(getter)", "(getter)"]);
  expect(getters[0]?.presentationHint).toEqual({ lazy: true });
  const run = async (at: number) => (await d.variables(getters[at]?.variablesReference ?? 0))[0];
  expect((await run(0))?.value).toBe("<error: Error: no>");
  expect((await run(1))?.value).toBe("<error: the getter did not return within 300 ms>");
  expect(await run(2)).toMatchObject({
    name: "fine",
    value: "{v: 1}",
    variablesReference: expect.any(Number),
  });
  expect((await d.evaluate("text")).result.length).toBeLessThan(1100);
  expect((await d.evaluate("list.length")).result).toBe("10000000");
});

test("scopes: blocks merged with the innermost winning, catch, closure, this, modules", async () => {
  const d = await stopAt(
    `const top = 1;
class Acc {
  run(arg) {
    const local = 2, shadow = "outer";
    {
      const shadow = "middle", middle = 3;
      {
        const shadow = "inner";
        try { throw new Error("x") } catch (problem) {
          const later = () => [shadow, middle, problem, local, arg, top];
          later(); // @here
        }
      }
    }
  }
}
new Acc().run(5);
`,
    "app.mjs",
  );
  const scopes = await d.scopes();
  expect(scopes.map(({ name, presentationHint, expensive }) => [name, presentationHint, expensive])).toEqual([
    ["Block", "locals", false],
    ["Catch", "locals", false],
    ["Block", "locals", false],
    ["Arguments", "arguments", false],
    ["Local", "locals", false],
    ["Module", undefined, false],
    ["Global", undefined, true],
  ]);
  // What is within the catch, and what is around it: a name of the one may be another's in the other.
  expect(await d.scope("Block")).toEqual({ later: "ƒ later()" });
  const around = await d.variables(scopes[2]?.variablesReference ?? 0);
  expect(around.map(({ name, value }) => [name, value])).toEqual([
    ["shadow", '"inner"'],
    ["middle", "3"],
  ]);
  expect(await d.scope("Catch")).toEqual({ problem: "Error: x" });
  expect(await d.scope("Local")).toEqual({ this: "Acc {}", local: "2", shadow: '"outer"' });
  expect(await d.scope("Arguments")).toEqual({ arg: "5" });
  expect(await d.scope("Module")).toMatchObject({ top: "1" });
  const [, module] = await d.frames();
  expect(module?.name).toBe("<module>");
  expect(
    (await d.scopes(module?.id)).map(({ name, presentationHint }) => [name, presentationHint])[0],
  ).toEqual(["Module", "locals"]);
});

test("evaluate: no side effects when watching, time limits, errors in words", async () => {
  const d = await stopAt(`
let n = 1;
function bump() { return ++n }
function f(x) {
  if (!x) bump(n);
  return x; // @here
}
globalThis.answer = 42;
f({ a: [1, 2] });
`);
  expect(await d.evaluate("x.a")).toMatchObject({
    result: "[1, 2]",
    type: "Array",
    evaluateName: "x.a",
    indexedVariables: 2,
  });
  expect((await d.evaluate("{ a: 1 }")).result).toBe("{a: 1}");
  expect((await d.evaluate("1 + 1 // two")).result).toBe("2");
  await expect(d.evaluate("bump()")).rejects.toThrow("`bump()` would have side effects");
  expect((await d.evaluate("n")).result).toBe("1");
  expect((await d.evaluate("bump()", "repl")).result).toBe("2");
  expect((await d.evaluate("let q = 3; q + 1", "repl")).result).toBe("4");
  await expect(d.evaluate("nosuch")).rejects.toThrow(/^ReferenceError: nosuch is not defined$/);
  await expect(d.evaluate("1 +")).rejects.toThrow(/^SyntaxError: /);
  await expect(d.evaluate("(() => { throw 'bare' })()", "repl")).rejects.toThrow("thrown:");
  const began = performance.now();
  await expect(d.evaluate("(() => { for (;;); })()", "repl", { timeoutMs: 300 })).rejects.toThrow(
    "timed out after 0.3 s; interrupted",
  );
  await expect(d.evaluate("(() => { for (;;); })()")).rejects.toThrow("timed out after 1 s");
  expect(performance.now() - began).toBeLessThan(2500);
  expect((await d.evaluate("255", "watch", { format: { hex: true } })).result).toBe("0xff");
  expect((await d.evaluate("'x'.repeat(5000)", "clipboard")).result.length).toBe(5000);
  expect(
    (await d.request<{ result: string }>("evaluate", { expression: "answer", context: "repl" })).result,
  ).toBe("42");
  const old = await d.evaluate("x");
  const frameId = (await d.top()).id;
  await d.request("continue");
  await expect(d.variables(old.variablesReference)).rejects.toThrow("stale variables reference");
  await expect(d.request("scopes", { frameId })).rejects.toThrow("the program is running");
  await d.end();
});

test("evaluate while the program runs: globals, await, breakpoints in what is called are not hit", async () => {
  const app = join(
    project({
      "app.cjs":
        "globalThis.f = () => {\n  return 7; // @f\n};\nsetInterval(() => {}, 1000);\nconsole.log(1);\n",
    }),
    "app.cjs",
  );
  const d = await debug(app);
  await d.run();
  await d.printed("1\n");
  await d.setBreakpoints(app, [marker(app, "f")]);
  const run = (expression: string, more = {}) =>
    d.request<{ result: string; variablesReference: number }>("evaluate", {
      expression,
      context: "repl",
      ...more,
    });
  expect((await run("f()")).result).toBe("7");
  expect((await run("await Promise.resolve({ a: 1 })")).result).toBe("{a: 1}");
  expect((await run("require('os').EOL")).result).toBe('"\\n"');
  await expect(run("await new Promise(() => {})", { timeoutMs: 200 })).rejects.toThrow("timed out");
  await expect(run("for (;;);", { timeoutMs: 200 })).rejects.toThrow("timed out");
  expect((await run("1 + 1")).result).toBe("2");
  expect(d.stops).toBe(0);
});

test("setVariable and setExpression: locals, constants, properties, elements, map entries", async () => {
  const d = await stopAt(`
function f(n) {
  const fixed = 1, obj = { a: 1, deep: { b: 2 } }, arr = [1, 2, 3], map = new Map([["k", 1]]), frozen = Object.freeze({ z: 1 });
  let free = "x";
  { let inner = 5; void (() => inner);
    console.log(n, fixed, obj.a, arr.join(), map.get("k"), free, inner); // @here
  }
}
f(1);
`);
  const scope = async (name: string) =>
    (await d.scopes()).find((one) => one.name === name)?.variablesReference ?? 0;
  const set = (variablesReference: number, name: string, value: string) =>
    d.request("setVariable", { variablesReference, name, value });
  expect(await set(await scope("Arguments"), "n", "n + 10")).toMatchObject({ value: "11", type: "number" });
  expect(await set(await scope("Local"), "fixed", "{ big: [1] }")).toMatchObject({ value: "{big: [1]}" });
  expect(await set(await scope("Block"), "inner", "6")).toMatchObject({ value: "6" });
  expect(await set((await d.variable("Local", "obj")).variablesReference, "a", "'new'")).toMatchObject({
    value: '"new"',
  });
  expect(await set((await d.variable("Local", "arr")).variablesReference, "1", "20")).toMatchObject({
    value: "20",
  });
  expect(await set((await d.variable("Local", "arr")).variablesReference, "length", "2")).toMatchObject({
    value: "2",
  });
  expect(await set((await d.variable("Local", "map")).variablesReference, '"k"', "9")).toMatchObject({
    value: "9",
  });
  await expect(set((await d.variable("Local", "frozen")).variablesReference, "z", "2")).rejects.toThrow(
    /TypeError: Cannot assign to read only/,
  );
  await expect(set(await scope("Arguments"), "n", "nosuch")).rejects.toThrow("ReferenceError");
  const frameId = (await d.top()).id;
  expect(await d.request("setExpression", { expression: "obj.deep.b", value: "[7]", frameId })).toMatchObject(
    { value: "[7]" },
  );
  expect(await d.request("setExpression", { expression: "fixed", value: "3", frameId })).toMatchObject({
    value: "3",
  });
  await d.evaluate("free = 'changed'", "repl");
  expect(await d.scope("Arguments")).toEqual({ n: "11" });
  expect(await d.scope("Local")).toMatchObject({
    fixed: "3",
    free: '"changed"',
    obj: '{a: "new", deep: {b: [7]}}',
    arr: "[1, 20]",
  });
  await d.request("continue");
  await d.end();
  expect(d.stdout).toBe("11 3 new 1,20 9 changed 6\n");
});

test("completions: variables in sight, members without running anything", async () => {
  const d = await stopAt(`
function f(items) {
  const itemCount = items.length, obj = { alpha: 1, get beta() { throw new Error("ran") }, sub: { x: 1 } };
  return itemCount; // @here
}
f([1]);
`);
  const frameId = (await d.top()).id;
  const complete = async (text: string) => {
    const { targets } = await d.request<{ targets: { label: string; start?: number }[] }>("completions", {
      text,
      column: text.length + 1,
      frameId,
    });
    return targets.map(({ label }) => label);
  };
  expect((await complete("ite")).slice(0, 2).sort()).toEqual(["itemCount", "items"]);
  expect((await complete("1 + obj.")).slice(0, 3)).toEqual(["alpha", "beta", "sub"]);
  expect(await complete("obj.sub.x")).toEqual(["x"]);
  expect(await complete("items.fi")).toEqual(expect.arrayContaining(["filter", "find"]));
});

test.each(["Window", "global"])("this is shown if its class is called %s", async (name) => {
  const d = await stopAt(`
class ${name} {
  size = 3;
  f() {
    return this.size; // @here
  }
}
new ${name}().f();
`);
  expect(await d.scope("Local")).toMatchObject({ this: `${name} {size: 3}` });
});

test.each([
  ["in the main context", "(function f() {\n  const n = 1;\n  return n; // @here\n})();"],
  [
    "in a context of its own",
    'require("node:vm").runInNewContext("(function f() { const n = 1; debugger; return n })()", { a: 1 }); // @here',
  ],
])("this is not shown if it is the global object: %s", async (_where, source) => {
  const d = await stopAt(source);
  if (source.includes("debugger")) {
    await d.request("continue", { threadId: 1 });
    await d.stop();
  }
  const local = await d.scope("Local");
  expect(local).toHaveProperty("n");
  expect(local).not.toHaveProperty("this");
});

test("a catch within a loop: the scopes come from the inside out", async () => {
  const text = `for (let b = 0; b < 1; b++) {
  let c = 20;
  try {
    throw 38;
  } catch (b) {
    let a = 40;
    console.log(a, b, c); // @here
  }
}
`;
  const app = join(project({ "app.cjs": text }), "app.cjs");
  const d = await debug(app);
  await d.setBreakpoints(app, [marker(app, "here")]);
  await d.run();
  await d.stop();
  const scopes = (await d.scopes()).filter(({ expensive }) => !expensive);
  const lists = await Promise.all(scopes.map((one) => d.variables(one.variablesReference)));
  const first = (name: string) => lists.flat().find((one) => one.name === name)?.value;
  expect([first("a"), first("b"), first("c")]).toEqual(["40", "38", "20"]);
});
