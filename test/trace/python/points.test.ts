/** Expressions at lines: which hits there are, and what is read at them. */
import { expect, test } from "vitest";
import { Programs } from "./rig.ts";

const values = (record: { points: { values: string[] }[] }) => record.points.map((one) => one.values);

test("values and frames of every hit", async () => {
  const programs = new Programs(`def work(n):
    total = 0
    for i in range(n):
        total += i  # @marker add
    return total

def outer(n):
    return work(n)  # @marker call

print(outer(3))  # @marker main
`);
  const record = await programs.record([{ at: "add", read: ["i", "total", "[i, 'x' * i]"] }], { frames: 2 });
  expect(values(record)).toEqual([
    ["0", "0", "[0, '']"],
    ["1", "0", "[1, 'x']"],
    ["2", "1", "[2, 'xx']"],
  ]);
  const path = `${programs.folder}/app.py`;
  expect(record.points[0]).toMatchObject({
    thread: "MainThread",
    hit: 1,
    frames: [
      { function: "work", path, line: programs.line("add") },
      { function: "outer", path, line: programs.line("call") },
    ],
  });
  expect(record.bindings).toEqual([{ state: "bound", line: programs.line("add") }]);
  expect(record.end).toEqual({ how: "exited", exitCode: 0 });
  expect(record.stdout).toBe("3\n");
  expect(record.points.map(({ ms }) => ms)).toEqual(record.points.map(({ ms }) => ms).sort((a, b) => a - b));
});

test("a condition, and expressions that fail now and then", async () => {
  const programs = new Programs(`class Odd:
    def __repr__(self):
        raise RuntimeError("no")
for i in range(6):
    if i == 4:
        late = Odd()
    pass  # @marker here
`);
  const record = await programs.record([
    { at: "here", read: ["i", "1 // (i - 3)", "late"], condition: "i % 2 or late" },
  ]);
  // The condition fails where there is no \`late\` yet: no hit.
  expect(values(record).map(([i, quotient]) => [i, quotient])).toEqual([
    ["1", "-1"],
    ["3", "<unavailable>"],
    ["4", "1"],
    ["5", "0"],
  ]);
  expect(record.points[1]?.values[2]).toBe("<unavailable>");
  expect(record.points[2]?.values[2]).toMatch(/^<__main__.Odd object at 0x/);
  expect(record.counts).toEqual([4]);
});

test("what is no expression is said before anything runs, in Python's words", async () => {
  const programs = new Programs("print('ran')  # @marker here\n");
  const ask = (read: string[], condition?: string) =>
    programs.record([{ at: "here", read, ...(condition === undefined ? {} : { condition }) }]);
  await expect(ask(["1 +"])).rejects.toMatchObject({
    code: "BAD_ARGUMENT",
    message: "not a Python expression: 1 +: invalid syntax",
  });
  await expect(ask(["x = 1"])).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  await expect(ask(["1"], "(")).rejects.toMatchObject({
    message: expect.stringContaining("'(' was never closed"),
  });
  await expect(ask(["await x"])).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  expect(values(await ask([" 1 + 1 "]))).toEqual([["2"]]);
});

test("lines without code, files that are none, and files that are never loaded", async () => {
  const programs = new Programs();
  const other = programs.write("other.py", "x = 1  # @marker unused\n");
  const bad = programs.write("bad.py", "def\n");
  programs.write(
    "app.py",
    `import sys

# a comment @marker comment
x = 1  # @marker never
if len(sys.argv) > 5:
    print(x)  # @marker unreached
`,
  );
  const loaded = await programs.record([{ at: "unused", path: other }, { at: "unreached" }]);
  expect(loaded.bindings).toEqual([{ state: "unknown" }, { state: "bound", line: 6 }]);
  expect(loaded.counts).toEqual([0, 0]);
  expect(loaded.end).toEqual({ how: "exited", exitCode: 0 });
  const unbound = await programs.record([
    { at: "comment" },
    { at: "", line: 1, path: bad },
    { at: "", line: 1, path: `${programs.folder}/none.py` },
  ]);
  expect(unbound.bindings).toEqual([
    { state: "unbound", reason: "no code on line 3 of app.py", nearest: [1, 4] },
    { state: "unbound", reason: "bad.py: it is not Python: invalid syntax (line 1)" },
    { state: "unbound", reason: "none.py: No such file or directory" },
  ]);
});

test("scopes: closures, comprehensions, classes, private names, generators, coroutines", async () => {
  const programs = new Programs(`import asyncio
top = 10

def outer(k):
    def inner(a):
        return a + k  # @marker closure
    return inner

class Cart:
    rate = 3
    double = rate * 2  # @marker class
    def __init__(self):
        self.__secret = 5
    def total(self, items):
        return sum(items)  # @marker method

def numbers(n):
    for i in range(n):
        yield i  # @marker yield

async def task(n):
    await asyncio.sleep(0)
    return n  # @marker async

async def both():
    return await asyncio.gather(task(1), task(2))

outer(7)(1)
Cart().total([1, 2])
list(numbers(3))
asyncio.run(both())
squares = [v * v  # @marker comprehension
           for v in range(2)]
`);
  const record = await programs.record(
    [
      { at: "closure", read: ["a", "k", "top", "[a + x + k for x in (1, 2)]", "(lambda q: q + k)(1)"] },
      { at: "class", read: ["rate", "[rate for _ in (1, 2)]"] },
      {
        at: "method",
        read: ["self._Cart__secret", "self.__secret", "items", "(n := len(items))", "'n' in locals()"],
      },
      { at: "yield", read: ["i"] },
      { at: "async", read: ["n"] },
    ],
    { frames: 1 },
  );
  const at = (point: number) => record.points.filter((one) => one.point === point).map((one) => one.values);
  expect(at(0)).toEqual([["1", "7", "10", "[9, 10]", "8"]]);
  expect(at(1)).toEqual([["3", "[3, 3]"]]);
  expect(at(2)).toEqual([["5", "5", "[1, 2]", "2", "False"]]);
  expect(at(3)).toEqual([["0"], ["1"], ["2"]]);
  expect(at(4)).toEqual([["1"], ["2"]]);
  expect(record.points.map(({ frames: [frame] }) => frame?.function)).toEqual([
    "Cart",
    "inner",
    "total",
    "numbers",
    "numbers",
    "numbers",
    "task",
    "task",
  ]);
});

test("statements over several lines, headers of loops and handlers, decorators, one-liners", async () => {
  const programs = new Programs(`"""A text.
"""
from __future__ import annotations

def same(f):  # @marker def
    return f

@same  # @marker decorator
def f(
    a,
    b=2,
):
    return a

value = f(  # @marker several
    1,  # @marker argument
)
n = 0
while n < 2:  # @marker while
    n += 1
else:
    n = 5  # @marker else
for i in (1, 2): n += i  # @marker oneline
try:
    raise ValueError
except KeyError:
    pass
except ValueError:  # @marker except
    n = 0  # @marker handler
finally:
    n = 1  # @marker finally
if n: n = 2  # @marker if
`);
  const markers = ["def", "decorator", "several", "while", "else", "except", "handler", "finally", "if"];
  const record = await programs.record(markers.map((at) => ({ at, read: ["n"] })));
  expect(record.bindings.map(({ state }) => state)).toEqual(markers.map(() => "bound"));
  const counts = Object.fromEntries(markers.map((at, index) => [at, record.counts[index]]));
  expect(counts).toMatchObject({
    def: 1,
    // Python comes back to these lines, to call what it has read: two hits, as by stops.
    decorator: 2,
    several: 2,
    while: 3,
    else: 1,
    except: 1,
    handler: 1,
    finally: 1,
    if: 1,
  });
});

test("threads are told apart, and no hit is lost between them", async () => {
  const programs = new Programs(`import threading

def work(name):
    for i in range(2000):
        name  # @marker here
        i + 1

threads = [threading.Thread(target=work, args=(n,), name=n) for n in ("one", "two")]
for t in threads: t.start()
for t in threads: t.join()
`);
  const record = await programs.record([{ at: "here", read: ["name", "i"] }]);
  for (const name of ["one", "two"]) {
    const own = record.points.filter(({ thread }) => thread === name);
    expect(own.map((one) => one.values)).toEqual(
      Array.from({ length: 2000 }, (_, i) => [`'${name}'`, String(i)]),
    );
  }
  expect(record.seen).toBe(4000);
});

test("child processes: forked, and started anew", async () => {
  const programs = new Programs(`import multiprocessing, os, subprocess, sys

def work(n):
    return n * 2  # @marker here

if len(sys.argv) > 1:
    work(4)
elif __name__ == "__main__":
    subprocess.run([sys.executable, sys.argv[0], "again"], env={**os.environ, "MINE": "1"})
    pid = os.fork()
    if pid == 0:
        work(1)
        os._exit(0)
    os.waitpid(pid, 0)
    context = multiprocessing.get_context("spawn")
    child = context.Process(target=work, args=(2,))
    child.start()
    child.join()
    work(3)
    print("PYTHONPATH" in os.environ, [p for p in sys.path if "sonde" in p and p != sys.path[0]])
`);
  const record = await programs.record([{ at: "here", read: ["n"] }]);
  expect(values(record).sort()).toEqual([["1"], ["2"], ["3"], ["4"]]);
  const threads = record.points.map(({ thread }) => thread);
  expect(threads.filter((one) => one === "MainThread")).toHaveLength(1);
  expect(threads.filter((one) => /^\d+ MainThread$/.test(one))).toHaveLength(3);
  expect(record.stdout).toBe("False []\n");
});

test("twenty thousand hits, none lost", async () => {
  const programs = new Programs(`def work(n):
    total = 0
    for i in range(n):
        total += i  # @marker here
    return total
work(20000)
`);
  const record = await programs.record([{ at: "here", read: ["i", "total"] }], { frames: 3 });
  expect(record.counts).toEqual([20_000]);
  expect(record.points.every((one, i) => one.values[0] === String(i))).toBe(true);
  expect(record.dropped).toBe(0);
});
