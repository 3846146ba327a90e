/** `sonde trace --calls`: which functions ran, against what the program itself counts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

interface Counted {
  trace: {
    calls: {
      function: string;
      line: number;
      count: number;
      ownMs: number;
      wholeMs: number;
      callers: { function?: string; count: number }[];
    }[];
  };
  output: { lines: { text: string }[] };
}

/** Of each function: the count that was recorded, and who called it. */
async function counted(file: string, text: string, command: string) {
  const sonde = borrowSonde();
  sonde.write(file, text);
  const data = await sonde.ask<Counted>(["trace", "--calls", "--", command, file]);
  const { calls } = data.trace;
  const own = calls.filter(({ function: name }) => name !== "<module>");
  return {
    counts: Object.fromEntries(own.map((one) => [one.function, one.count])),
    callers: Object.fromEntries(
      own.map((one) => [
        one.function,
        Object.fromEntries(one.callers.map((by) => [by.function ?? "outside", by.count])),
      ]),
    ),
    times: own,
    said: JSON.parse(data.output.lines.at(-1)?.text ?? "{}") as Record<string, number>,
  };
}

const PYTHON = `import asyncio, json, threading
seen = {}
def note(name): seen[name] = seen.get(name, 0) + 1
class Cart:
    def add(self, x):
        note("Cart.add")
        return price(x)
def price(x):
    note("price")
    return [x for x in range(3)]
def numbers(n):
    note("numbers")
    for i in range(n): yield i
async def one(i):
    note("one")
    await asyncio.sleep(0.001)
    return price(i)
async def both():
    note("both")
    return await asyncio.gather(one(1), one(2))
def fail(n):
    note("fail")
    if n == 0: raise ValueError("no")
    fail(n - 1)
def work():
    note("work")
    for i in numbers(20): Cart().add(i)
work()
thread = threading.Thread(target=work)
thread.start(); thread.join()
asyncio.run(both())
try: fail(3)
except ValueError: pass
total = sum(seen.values())
print(json.dumps(seen))
`;

const JAVASCRIPT = `const seen = {};
function note(name) { seen[name] = (seen[name] ?? 0) + 1; }
class Cart { add(x) { note("Cart.add"); return price(x); } }
const price = (x) => (note("price"), { x });
function* numbers(n) { note("numbers"); for (let i = 0; i < n; i++) yield i; }
async function one(i) { note("one"); await null; return price(i); }
async function both() { note("both"); return Promise.all([one(1), one(2)]); }
function fail(n) { note("fail"); if (n === 0) throw new Error("no"); fail(n - 1); }
function work() { note("work"); for (const i of numbers(20)) new Cart().add(i); }
work();
work();
try { fail(3); } catch {}
both().then(() => { console.log(JSON.stringify(seen)); });
`;

for (const [file, text, command] of [
  ["app.py", PYTHON, "python3"],
  ["app.js", JAVASCRIPT, "node"],
] as const)
  test(`counts are those of the program, callers the nearest of its own (${file})`, async () => {
    const { counts, callers, times, said } = await counted(file, text, command);
    const { note = 0, "(anonymous)": _then, ...others } = counts;
    expect(others).toEqual(said);
    expect(note).toBe(Object.values(said).reduce((sum, one) => sum + one, 0));
    expect(callers["price"]).toEqual({ "Cart.add": 40, one: 2 });
    expect(callers["fail"]).toMatchObject({ fail: 3 });
    expect(callers["Cart.add"]).toEqual({ work: 40 });
    expect(times.every(({ ownMs, wholeMs }) => ownMs >= 0 && wholeMs >= ownMs)).toBe(true);
  });

/** \`leaf\` is told by whom it is called. */
const AWAITS = `const seen = {};
function leaf(by) { seen[by] = (seen[by] ?? 0) + 1; }
const later = () => new Promise((done) => setImmediate(done));
async function fails() { await later(); throw new Error("no"); }
async function* items(n) { for (let i = 0; i < n; i++) { await later(); leaf("items"); yield i; } }
async function* broken() { yield 1; await fails(); }
async function catches() {
  try { await fails(); } catch { leaf("catches"); }
  leaf("catches");
  await later();
  leaf("catches");
}
async function destructures() { try { await fails(); } catch ({ message }) { leaf("destructures"); } }
async function atLast() { try { await fails(); } finally { leaf("atLast"); } }
async function both() { try { await fails(); } catch (e) { await later(); leaf("both"); } finally { leaf("both"); } leaf("both"); }
async function empty() { try { await fails(); } catch {} leaf("empty"); }
async function loops() { for await (const one of items(2)) leaf("loops"); leaf("loops"); }
async function labelled() {
  out: for await (const one of items(3)) { for (;;) { leaf("labelled"); if (one === 1) break out; continue out; } }
  leaf("labelled");
}
async function inIf(yes) { if (yes) for await (const one of items(1)) leaf("inIf"); else leaf("inIf"); leaf("inIf") }
async function stops() { try { for await (const one of broken()) leaf("stops"); } catch { leaf("stops"); } leaf("stops"); }
function* asked() { try { yield 1; } finally { leaf("asked"); } }
function asks() { for (const one of asked()) { leaf("asks"); break; } leaf("asks"); }
async function main() {
  await Promise.all([catches(), destructures(), atLast().catch(() => {}), both(), empty(), loops(), labelled()]);
  await inIf(true); await inIf(false); await stops();
  asks();
  leaf("main");
  console.log(JSON.stringify(seen));
}
main();
`;

test("Node: after a rejection that was caught, and after a loop that waits, the caller is who runs", async () => {
  const { callers, said } = await counted("app.js", AWAITS, "node");
  expect(callers["leaf"]).toEqual(said);
});

test("the answer is a table with what was left out said, and no hint for a program that cannot be counted", async () => {
  const sonde = borrowSonde();
  const many = Array.from({ length: 60 }, (_, at) => `function f${at}() { return ${at}; }\nf${at}();`);
  sonde.write("many.js", many.join("\n"));
  const text = await sonde.text(["trace", "--calls", "--", "node", "many.js"]);
  expect(text).toContain("60 calls");
  expect(text).toMatch(/… \d+ more functions, with less time/);
  expect(text).toContain("trace show");
  expect(await sonde.text(["trace", "show", "--all"])).toContain("f59");
});

test("what cannot count says so, and what can", async () => {
  const sonde = borrowSonde();
  sonde.write("app.c", "int main(void) { return 0; }\n");
  const answer = await sonde.run(["trace", "--calls", "--build", "--", "app.c"]);
  expect(answer.stderr + answer.stdout).toContain("cannot count calls");
  expect(answer.stderr + answer.stdout).toContain("profile cpu");
});

test("Python: generators that are dropped before their end, each counted where it is first asked", async () => {
  const { counts, callers, said } = await counted(
    "app.py",
    `import json
seen = {"numbers": 0, "first": 0}
def numbers(n):
    seen["numbers"] += 1
    yield n
    yield n + 1
def first(n):
    seen["first"] += 1
    for one in numbers(n):
        return one
def main():
    for n in range(300):
        first(n)
        next(numbers(n))
        list(numbers(n))
main()
print(json.dumps(seen))
`,
    "python3",
  );
  expect(counts).toMatchObject(said);
  expect(callers.numbers).toEqual({ first: 300, main: 600 });
});

test("Python: code that is gone is not kept", async () => {
  const { counts, said } = await counted(
    "app.py",
    `import gc, json, weakref
def plain(n): return n
for n in range(50):
    exec(compile("def f(): return 1\\nf()", "<made>", "exec"), {})
code = compile("def f(): return 1\\nf()", "<made>", "exec")
exec(code, {})
gone = weakref.ref(code)
code = None
gc.collect()
plain(1)
print(json.dumps({"plain": 1, "kept": 0 if gone() is None else 1}))
`,
    "python3",
  );
  expect(said.kept).toBe(0);
  expect(counts.plain).toBe(1);
});

test("a trace of which no record is left says nothing of its values", async () => {
  const sonde = borrowSonde();
  sonde.write("loop.js", "for (let n = 0; n < 50; n++) {\n  Math.abs(n);\n}\n");
  await sonde.text(["trace", "--at", "loop.js:2=n", "--", "node", "loop.js"]);
  const file = join(sonde.home, "state/traces/t1.jsonl");
  writeFileSync(file, `${readFileSync(file, "utf8").split("\n")[0]}\n`);
  const text = await sonde.text("trace show t1");
  expect(text).toMatch(/^trace t1: 50 hits \(0 kept\) · PARTIAL/);
  expect(text).not.toContain("the same");
});
