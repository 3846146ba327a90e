/** Functions line by line, with the variables that change. */
import { expect, test } from "vitest";
import { Programs, told } from "./rig.ts";

const SHOP = `import json

class Cart:
    def __init__(self):
        self.items = [2, 3]
    def total(self, rate, *more, scale=1, **rest):
        sum = 0
        for item in self.items:
            sum += priced(item, rate)
        del item
        return sum * scale

def priced(item, rate):
    json.dumps(item)
    return item * rate

def failing(n):
    try:
        raise ValueError(n)
    finally:
        n = 0

try:
    failing(1)
except ValueError:
    pass
print(Cart().total(10))
`;

test("one function: its arguments, its changes, its value", async () => {
  const programs = new Programs(SHOP);
  const events = await programs.lines({ functions: ["total"] });
  expect(told(events).map((one) => one.replace(/0x\w+/, "0x"))).toEqual([
    "call Cart.total:6 self=<__main__.Cart object at 0x> self.items=[2, 3] rate=10 more=() scale=1 rest={}",
    "line Cart.total:7",
    "line Cart.total:8 sum=0",
    "line Cart.total:9 item=2",
    "line Cart.total:8 sum=20",
    "line Cart.total:9 item=3",
    "line Cart.total:8 sum=50",
    "line Cart.total:10",
    "line Cart.total:11 -item",
    "return Cart.total:11 -> 50",
  ]);
  expect(new Set(events.map(({ call, parent }) => `${call} ${parent}`))).toEqual(new Set(["1 undefined"]));
  expect(events[0]).toMatchObject({ path: `${programs.folder}/app.py`, thread: "MainThread" });
});

test.each(["Cart.total", "__main__.Cart.total"])("%s names it too", async (name) => {
  const programs = new Programs(SHOP);
  expect(await programs.lines({ functions: [name] })).toHaveLength(10);
});

test("calls that it makes, down to a depth; never a library's", async () => {
  const programs = new Programs(SHOP);
  const events = await programs.lines({ functions: ["Cart.total"], depth: 1 });
  const inner = events.filter((one) => one.function === "priced");
  expect(told(inner).slice(0, 4)).toEqual([
    "call priced:13 item=2 rate=10",
    "line priced:14",
    "line priced:15",
    "return priced:15 -> 20",
  ]);
  expect(inner.map(({ call, parent }) => [call, parent])).toEqual([
    ...Array.from({ length: 4 }, () => [2, 1]),
    ...Array.from({ length: 4 }, () => [3, 1]),
  ]);
  expect(new Set(events.map((one) => one.function))).toEqual(new Set(["Cart.total", "priced"]));
});

test("what leaves a function by an exception", async () => {
  const programs = new Programs(SHOP);
  expect(told(await programs.lines({ functions: ["failing"] }))).toEqual([
    "call failing:17 n=1",
    "line failing:18",
    "line failing:19",
    "line failing:21",
    "throw failing:21 n=0 -> ValueError(1)",
  ]);
});

test("everything in the folder, the module itself included; of what it defines only the values", async () => {
  const programs = new Programs(SHOP.replace("print(", "count = 4\nprint(count, "));
  const events = await programs.lines();
  const module = told(events.filter((one) => one.function === "<module>"));
  expect(module[0]).toBe("call <module>:1");
  expect(module.at(-2)).toBe("line <module>:28 count=4");
  expect(module.at(-1)).toBe("return <module>:28 -> None");
  expect(new Set(events.map((one) => one.function))).toEqual(
    new Set(["<module>", "Cart", "failing", "Cart.__init__", "Cart.total", "priced"]),
  );
  expect(events.find((one) => one.function === "failing")?.parent).toBe(1);
});

test("only the files asked for", async () => {
  const programs = new Programs();
  const helper = programs.write("helper.py", "def help():\n    return 1\n");
  programs.write("app.py", "import helper\ndef main():\n    return helper.help()\nmain()\n");
  const events = await programs.lines({ under: [helper] });
  expect(told(events)).toEqual([
    "call <module>:1",
    "line <module>:1",
    "return <module>:1 -> None",
    "call help:1",
    "line help:2",
    "return help:2 -> 1",
  ]);
});

test("generators, coroutines, recursion and threads: an activation is one, however often it is left", async () => {
  const programs = new Programs(`import asyncio, threading

def numbers(n):
    for i in range(n):
        got = yield i

async def task(n):
    for turn in range(2):
        await asyncio.sleep(0)
    return n

async def both():
    return await asyncio.gather(task(1), task(2))

def depth(n):
    return 0 if n == 0 else depth(n - 1) + 1

one, two = numbers(2), numbers(2)
for a, b in zip(one, two): pass
dropped = numbers(9)
next(dropped)
del dropped
asyncio.run(both())
depth(2)
threads = [threading.Thread(target=depth, args=(0,), name=name) for name in ("A", "B")]
for thread in threads: thread.start()
for thread in threads: thread.join()
`);
  const events = await programs.lines({ functions: ["numbers", "task", "depth"] });
  const calls = (name: string) => {
    const own = events.filter((one) => one.function === name);
    return [...new Set(own.map(({ call }) => call))].map((call) => own.filter((one) => one.call === call));
  };
  const [one = [], two = [], dropped = []] = calls("numbers");
  expect(told(one)).toEqual([
    "call numbers:3 n=2",
    "line numbers:4",
    "line numbers:5 i=0",
    "line numbers:4 got=None",
    "line numbers:5 i=1",
    "line numbers:4",
    "return numbers:4 -> None",
  ]);
  // \`zip\` never asks the second one again after the first has ended.
  expect(told(two).slice(0, 5)).toEqual(told(one).slice(0, 5));
  expect(told(dropped).slice(0, 3)).toEqual(["call numbers:3 n=9", "line numbers:4", "line numbers:5 i=0"]);
  const tasks = calls("task").map(told);
  expect(tasks).toHaveLength(2);
  expect(tasks.map((one) => one.at(-1))).toEqual(["return task:10 -> 1", "return task:10 -> 2"]);
  expect(tasks.map((one) => one.filter((line) => line.startsWith("call")).length)).toEqual([1, 1]);
  const depths = calls("depth");
  expect(depths.map(([first]) => [first?.thread, first?.changes[0]?.[1]])).toEqual([
    ["MainThread", "2"],
    ["MainThread", "1"],
    ["MainThread", "0"],
    ["A", "0"],
    ["B", "0"],
  ]);
  expect(depths[1]?.[0]?.parent).toBe(depths[0]?.[0]?.call);
});

test("what a method changes in its object, unless that shows it itself", async () => {
  const programs = new Programs(`class Counter:
    def __init__(self):
        self.n = 1
        self.__dict__.update(more=[])
    def add(self, k):
        self.n += k
        self.more.append(k)
        del self.n

class Shown:
    __slots__ = ("n",)
    def set(self, n):
        self.n = n

class Own:
    def __repr__(self):
        return "Own(%s)" % getattr(self, "n", None)
    def give(self):
        self.n = 1

class Wide:
    def __init__(self):
        for i in range(30):
            setattr(self, "a%d" % i, i)
    def look(self):
        self.a0 = self.a29 = "new"

Counter().add(2)
Shown().set(1)
Own().give()
Wide().look()
`);
  const events = await programs.lines({
    functions: ["Counter.__init__", "Counter.add", "Shown.set", "Own.give", "Wide.look"],
  });
  const lines = told(events).map((one) => one.replace(/=<__main__[^>]*>/g, ""));
  expect(lines.slice(0, -3)).toEqual([
    "call Counter.__init__:2 self",
    "line Counter.__init__:3",
    "line Counter.__init__:4 self.n=1",
    "return Counter.__init__:4 self.more=[] -> None",
    "call Counter.add:5 self self.n=1 self.more=[] k=2",
    "line Counter.add:6",
    "line Counter.add:7 self.n=3",
    "line Counter.add:8 self.more=[2]",
    "return Counter.add:8 -self.n -> None",
    "call Shown.set:12 self n=1",
    "line Shown.set:13",
    "return Shown.set:13 self.n=1 -> None",
    "call Own.give:18 self=Own(None)",
    "line Own.give:19",
    "return Own.give:19 self=Own(1) -> None",
  ]);
  expect(lines.at(-3)).toMatch(/^call Wide\.look:25 self self\.a0=0 .* self\.a19=19$/);
  expect(lines.slice(-2)).toEqual(["line Wide.look:26", "return Wide.look:26 self.a0='new' -> None"]);
});

test("a change beyond the cut of a value is told, with the part that differs or in so many words", async () => {
  const programs = new Programs(`from collections import deque
from dataclasses import dataclass, field

def grow():
    s = "x" * 300
    s += "y"
    s = s.upper()
    out = [n * 1000 for n in range(40)]
    out.append("new")
    many = list(range(100))
    many[80] = "other"
    many.append(7)
    deep = [[[1]]]
    deep[0][0][0] = 2
    wide = {n: n for n in range(5000)}
    wide[4999] = -1
    again = list(many)
    pass

@dataclass
class Account:
    names: list = field(default_factory=lambda: ["a name that is rather long"] * 10)
    total: int = 0
    def add(self, n):
        self.total += n
        return n

grow()
Account().add(5)
`);
  const record = await programs.record([], {
    valueChars: 120,
    lines: { functions: ["grow", "Account.add"], under: [programs.folder], depth: 0 },
  });
  const events = record.hits.flatMap((hit) => (hit.kind === "point" ? [] : [hit]));
  const changed = (line: number) =>
    events.flatMap((one, at) => (events[at - 1]?.line === line && one.kind !== "call" ? one.changes : []));
  for (const { changes } of events)
    for (const [, text] of changes) expect(text.length).toBeLessThanOrEqual(120);
  expect(changed(6)).toEqual([["s", expect.stringMatching(/^'x+…x+y'$/)]]);
  expect(changed(7)).toEqual([["s", expect.stringMatching(/^'X+…$/)]]);
  expect(changed(9)).toEqual([["out", expect.stringMatching(/^\[0, 1000, .*….*38000, 39000, 'new'\]$/)]]);
  const beyond = (more: string) => expect.stringContaining(`… (${more}changed beyond what is shown)`);
  expect(changed(11)).toEqual([["many", beyond("its length is 100, its last 99; ")]]);
  expect(changed(12)).toEqual([["many", beyond("its length is 101, its last 7; ")]]);
  expect(changed(14)).toEqual([
    ["deep", "[[[...]]] (its length is 1, its last [[2]]; changed beyond what is shown)"],
  ]);
  expect(changed(16)).toEqual([["wide", beyond("its length is 5000; ")]]);
  expect(changed(18)).toEqual([]);
  expect(changed(25)).toEqual([["self", expect.stringMatching(/^Account\(names=.*….*, total=5\)$/)]]);
});

test("what a method changes that its object's own words leave out", async () => {
  const programs = new Programs(`class Base:
    __slots__ = ("_n",)

class Counter(Base):
    __slots__ = ("__secret",)
    def __init__(self):
        self._n = 0
        self.__secret = 1
    def add(self):
        self._n += 1
        self.__secret = 2

class Silent:
    n = 0
    def __repr__(self):
        return "Silent()"
    def add(self):
        self.n += 1

Counter().add()
Silent().add()
`);
  const events = await programs.lines({ functions: ["add"] });
  expect(told(events).map((one) => one.replace(/=<__main__[^>]*>/g, ""))).toEqual([
    "call Counter.add:9 self self._Counter__secret=1 self._n=0",
    "line Counter.add:10",
    "line Counter.add:11 self._n=1",
    "return Counter.add:11 self._Counter__secret=2 -> None",
    "call Silent.add:17 self=Silent()",
    "line Silent.add:18",
    "return Silent.add:18 self.n=1 -> None",
  ]);
});

test.each(["app.total", "app.Cart.total"])("%s, by the file that is run, names it too", async (name) => {
  const programs = new Programs(
    "class Cart:\n    def total(self):\n        return 1\ndef total():\n    return 2\ntotal()\nCart().total()\n",
  );
  const [first] = await programs.lines({ functions: [name] });
  expect(`app.${first?.function}`).toBe(name);
});

test("what was called instead of a name that nothing has, the nearest first", async () => {
  const programs = new Programs(
    "class Cart:\n    size = 1\ndef split():\n    pass\ndef totals():\n    split()\ntotals()\n",
  );
  const lines = { functions: ["total"], under: [programs.folder], depth: 0 };
  const { hits, notes } = await programs.record([], { lines });
  expect(hits).toEqual([]);
  expect(notes).toEqual(["did you mean totals? this run called: totals, split"]);
  const none = await programs.record([], { lines: { ...lines, functions: ["zzzzz"] } });
  expect(none.notes).toEqual(["this run called: totals, split"]);
});
