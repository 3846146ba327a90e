/** `sonde trace --calls`: which functions ran, against what the program itself counts. */
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
