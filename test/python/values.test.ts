/** Values that are large, or whose own code does not end; evaluations that do not, or that print. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { ValueLine } from "../../src/session/values/value-line.ts";
import { borrowSonde } from "../support/sonde.ts";
import { ends, output, type Stopped, stops, value } from "./programs.ts";

interface Parts {
  values: ValueLine[];
  more: number;
}

const LARGE = `import collections
class Own(list):
    pass
class Slots:
    __slots__ = ("a", "b", "c")
    def __init__(self):
        self.a, self.b, self.c = 1, 2, 3
entries = {"k%d" % i: i for i in range(10000)}
items = list(range(2000000))
members = set(range(3000))
queue = collections.deque(range(300))
pair = tuple(range(1000))
own = Own(range(300))
own.extra = 5
slots = Slots()
print("end")
`;

test("every element of every container can be reached, and how many there are is said", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", LARGE);
  const snapshot = await stops(sonde, "start app.py --break app.py:16");
  const totals = { entries: 10_000, items: 2_000_000, members: 3000, queue: 300, pair: 1000, own: 300 };
  for (const [name, total] of Object.entries(totals)) {
    const handle = snapshot.values.find((one) => one.name === name)?.handle ?? "";
    const first = await sonde.ask<Parts>(["variables", handle]);
    expect(first.values.slice(0, 99).map((one) => Number(one.value))).toEqual(
      Array.from({ length: 99 }, (_, at) => at),
    );
    // Parts that are no elements (a deque's length, an attribute of its own) count too.
    expect(first.values.length + first.more - total).toBeLessThanOrEqual(1);
    const last = await sonde.ask<Parts>(["variables", handle, "--start", String(total - 2), "--count", "5"]);
    // After the last element come attributes, if it has any.
    expect(last.values.slice(0, 2).map((one) => one.value)).toEqual([String(total - 2), String(total - 1)]);
    const rest = last.values.slice(2).map((one) => one.name);
    expect(rest).toEqual(name === "own" ? ["extra"] : name === "queue" ? ["maxlen"] : []);
    const none = await sonde.ask<Parts>(["variables", handle, "--start", String(total + 1), "--count", "5"]);
    expect(none.values).toEqual([]);
  }
  const slots = await sonde.ask<ValueLine>("print slots");
  const parts = await sonde.ask<Parts>(["variables", slots.handle ?? "", "--start", "1"]);
  expect(parts.values.map((one) => one.name)).toEqual(["b", "c"]);
});

const BUILT_IN = `import array, types
entries = {i: i for i in range(300)}
numbers = array.array("i", range(300))
steps = range(0, 300)
huge = range(10 ** 15)
keys, values, pairs = entries.keys(), entries.values(), entries.items()
proxy = types.MappingProxyType(entries)
raw = bytes(range(250)) * 20
buffer = bytearray(raw)
view = memoryview(buffer)
grid = memoryview(bytes(6)).cast("B", (2, 3))
gone = memoryview(b"abc")
gone.release()
print("end")
`;

test("and of arrays, ranges, views and bytes, which are no lists", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", BUILT_IN);
  const snapshot = await stops(sonde, "start app.py --break app.py:14");
  const page = async (name: string, start: number) => {
    const handle = snapshot.values.find((one) => one.name === name)?.handle ?? "";
    const { values } = await sonde.ask<Parts>(["variables", handle, "--start", `${start}`, "--count", "2"]);
    return values.map((one) => one.value);
  };
  for (const name of ["numbers", "steps", "keys", "values", "proxy"])
    expect([name, ...(await page(name, 270))]).toEqual([name, "270", "271"]);
  expect(await page("pairs", 270)).toEqual(["(270, 270)", "(271, 271)"]);
  for (const name of ["raw", "buffer", "view"])
    expect([name, ...(await page(name, 4998))]).toEqual([name, "248", "249"]);
  expect(await page("huge", 10 ** 15 - 2)).toEqual(["999999999999998", "999999999999999"]);
  // What has no elements of its own to show has its parts, or nothing.
  expect(await page("grid", 0)).toHaveLength(2);
  expect(await page("gone", 0)).toBeInstanceOf(Array);
  const numbers = snapshot.values.find((one) => one.name === "numbers")?.handle ?? "";
  const last = await sonde.ask<Parts>(["variables", numbers, "--start", "299"]);
  expect(last.values.map((one) => one.value)).toEqual(["299", "4", "'i'"]);
});

const CALLED = `import queue
def work(first, /, second, *rest, key=1, **others):
    local = first + second
    waiting = queue.Queue()
    return local
total = work(1, 2, 3, key=4, more=5)
print([x for x in (1, 2)])
`;

test("arguments are told from locals, and methods from values", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", CALLED);
  await stops(sonde, "start app.py --break app.py:5 --break app.py:7");
  const { values, mixed } = await sonde.ask<{ values: ValueLine[]; mixed: boolean }>("args");
  expect(mixed).toBe(false);
  expect(new Map(values.map((one) => [one.name, one.value]))).toEqual(
    new Map([
      ["first", "1"],
      ["second", "2"],
      ["rest", "(3,)"],
      ["key", "4"],
      ["others", "{'more': 5}"],
    ]),
  );
  const { children } = await sonde.ask<ValueLine>("print waiting --depth 1");
  expect(children?.map((one) => one.name)).toEqual(
    ["all_tasks_done", "maxsize", "mutex", "not_empty", "not_full", "queue", "unfinished_tasks"].filter(
      (name) => children?.some((one) => one.name === name),
    ),
  );
  expect(children?.length).toBeGreaterThan(5);
  await stops(sonde, "continue");
  expect(await sonde.text("args")).toBe("no arguments\n");
});

const SLOW = `import time
class Endless:
    def __repr__(self):
        while True:
            try:
                while True:
                    pass
            except ValueError:
                pass
class Sleepy:
    def __repr__(self):
        time.sleep(1000)
class Lazy:
    @property
    def part(self):
        time.sleep(1000)
def work():
    before = 5
    endless = Endless()
    sleepy = Sleepy()
    lazy = Lazy()
    after = 7
    return before + after
print(work())
print("end")
`;

test("a value that does not come is shown as that, and everything else as it is", {
  timeout: 90_000,
}, async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", SLOW);
  const snapshot = await stops(sonde, "start app.py --break app.py:23");
  expect(snapshot.frame).toMatchObject({ function: "work", line: 23 });
  expect(value(snapshot, "endless")).toBe("<Endless: takes longer than 1 s to show>");
  expect(value(snapshot, "sleepy")).toBe("<Sleepy: takes longer than 1 s to show>");
  expect([value(snapshot, "before"), value(snapshot, "after")]).toEqual(["5", "7"]);
  expect(await sonde.refusal(["eval", "[0 for _ in iter(int, 1)]"])).toMatchObject({
    code: "EVAL_FAILED",
    message: expect.stringContaining("interrupted: it took longer than 10 s"),
  });
  expect((await stops(sonde, "next")).frame).toMatchObject({ line: 25 });
  expect(await ends(sonde)).toMatchObject({ exitCode: 0 });
  expect(await output(sonde)).toBe("12\nend");
});

test("what an evaluation prints is its answer, and is recorded once", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "x = 1\nprint('end')\n");
  await stops(sonde, "start app.py --break app.py:2");
  expect(await sonde.ask(["eval", "print('hi', x)"])).toMatchObject({ value: "printed: hi 1" });
  await ends(sonde);
  expect(await output(sonde)).toBe("hi 1\nend");
});

test("three hundred threads that wait, each with its place", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import threading, time\ndef wait():\n    time.sleep(1000)\nfor _ in range(300):\n    threading.Thread(target=wait, daemon=True).start()\nprint('end')\n",
  );
  await stops(sonde, "start app.py --break app.py:6");
  const text = await sonde.text("threads");
  expect(text.match(/app\.py:3 in wait/g)?.length).toBe(300);
});

test("threads that stop at the same time are shown one after the other", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import threading\nready = threading.Barrier(4)\ndef work(n):\n    ready.wait()\n    k = n * n\n    return k\nthreads = [threading.Thread(target=work, args=(n,)) for n in range(4)]\nfor t in threads: t.start()\nfor t in threads: t.join()\n",
  );
  const seen: [number, string | undefined][] = [];
  const note = (snapshot: Stopped) => seen.push([snapshot.breakpoints[0]?.hit ?? 0, value(snapshot, "n")]);
  note(await stops(sonde, "start app.py --break app.py:5"));
  for (let more = 0; more < 3; more++) note(await stops(sonde, "continue"));
  expect(seen.map(([hit]) => hit)).toEqual([1, 2, 3, 4]);
  expect(seen.map(([, n]) => n).sort()).toEqual(["0", "1", "2", "3"]);
  expect(await ends(sonde)).toMatchObject({ exitCode: 0 });
});

test("endless recursion is a crash, with its frames", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "def down(n):\n    return down(n + 1)\ndef main():\n    down(0)\nmain()\n");
  const { stdout } = await sonde.run("crash app.py");
  expect(stdout).toMatch(/^crashed: .*in down[\s\S]*RecursionError: maximum recursion depth exceeded/);
  expect(stdout).toMatch(/2 \| return down\(n \+ 1\)/);
  // Down as often as its innermost argument says, main and the module: all the program's own, 24 of them shown.
  const depth = Number(/n = (\d+)/.exec(stdout)?.[1]) + 3;
  expect(stdout).toContain(`  (+${depth - 24} more frames: \`sonde start app.py\` stops there)`);
});

test("a traceback of the program's is its own, as without a debugger", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "def f():\n    raise ValueError('no')\nf()\n");
  await sonde.run("start app.py --catch none");
  const told = await output(sonde);
  expect(told).toMatch(/^Traceback \(most recent call last\):\n {2}File ".*app\.py", line 3, in <module>/);
  expect(told).not.toMatch(/sonde_|runpy|pydevd/);
});

test("a condition that fails stops there, and says why", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "for i in range(3):\n    print(i)\n");
  const snapshot = await stops(sonde, ["start", "app.py", "--break", "app.py:2 if nothing.x"]);
  expect(snapshot.frame).toMatchObject({ line: 2 });
  expect(JSON.stringify(snapshot)).toContain("condition failed: nothing.x: NameError");
});

test("a program that was started runs on when it is left, and so do the processes it starts", async () => {
  const sonde = borrowSonde();
  sonde.write("child.py", "print('child')\n");
  sonde.write(
    "app.py",
    "import pathlib, subprocess, sys, time\ntime.sleep(1)\nprint('still')\ndone = subprocess.run([sys.executable, 'child.py'], capture_output=True, text=True)\npathlib.Path('left').write_text(done.stdout + done.stderr)\n",
  );
  await stops(sonde, "start app.py --break app.py:2");
  await sonde.ask("detach");
  const left = () => (existsSync(`${sonde.project}/left`) ? sonde.read("left") : undefined);
  await expect.poll(left, { timeout: 15_000 }).toBe("child\n");
});
