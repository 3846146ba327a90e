/** What a program prints is the same whether it is recorded or not: also at the end of its stack, and where it dies. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { Programs } from "./rig.ts";

/** Each ends with a call of `after`, which is recorded whatever came before it. */
const PROGRAMS: Record<string, string> = {
  "recursion near the limit": `
def down(n):
    return 0 if n == 0 else 1 + down(n - 1)
print(down(993))`,
  "the limit itself, measured and caught": `
def depth():
    try:
        return 1 + depth()
    except RecursionError:
        return 1
print(depth(), sys.getrecursionlimit(), depth())`,
  "through C: constructors, map, attributes, containers": `
sys.setrecursionlimit(250)
class Node:
    def __init__(self, n):
        self.next = Node(n - 1) if n else None
class Chain:
    def __getattr__(self, name):
        return getattr(self, name + "x")
class Shown:
    def __init__(self, inner): self.inner = inner
    def __repr__(self): return "[%r]" % (self.inner,)
def mapped(n): return list(map(mapped, [n + 1]))
def shown():
    held = None
    for _ in range(400): held = Shown(held)
    return repr(held)
for work in (lambda: Node(500), lambda: Chain().a, lambda: mapped(0), shown):
    try:
        print(work())
    except RecursionError as error:
        print(type(error).__name__, error)`,
  "generators and coroutines": `
import asyncio
sys.setrecursionlimit(250)
def walk(n):
    yield n
    yield from walk(n + 1)
seen = 0
try:
    for seen in walk(0): pass
except RecursionError as error:
    print("walk", error)
print(seen)
async def wait(n):
    await asyncio.sleep(0)
    return await wait(n + 1)
try:
    asyncio.run(wait(0))
except RecursionError as error:
    print("wait", error)`,
  "its traceback, printed": `
import functools, traceback
def loud(work):
    @functools.wraps(work)
    def inner(*given):
        return work(*given)
    return inner
@loud
def endless(n):
    return [endless(one) for one in (n + 1,)]
try:
    endless(0)
except RecursionError:
    traceback.print_exc()
def fails():
    raise ValueError("once") from KeyError("cause")
try:
    fails()
except ValueError:
    traceback.print_exc()`,
  "threads of their own depth, and a limit of its own": `
import threading
sys.setrecursionlimit(400)
def deep(n):
    return deep(n + 1)
def run():
    try:
        deep(0)
    except RecursionError as error:
        print(error)
for _ in range(2):
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
print(sys.getrecursionlimit())`,
};

const AFTER = `
def after(x):
    return x * 2  # @marker after
print(after(21))`;

describe.each(Object.entries(PROGRAMS))("%s", (_, text) => {
  test.each(["line by line", "at a point"])("recorded %s", async (how) => {
    const programs = new Programs(`import sys${text}${AFTER}`);
    const plain = spawnSync("python3", ["app.py"], { cwd: programs.folder, encoding: "utf8" });
    const run = { command: ["python3", "app.py"] };
    const lines = { functions: [], under: [programs.folder], depth: 0 };
    const record = await (how === "at a point"
      ? programs.record([{ at: "after", read: ["x"] }], { run })
      : programs.record([], { run, lines }));
    expect({ out: record.stdout, err: record.stderr }).toEqual({ out: plain.stdout, err: plain.stderr });
    expect(record.end).toMatchObject({ how: "exited", exitCode: 0 });
    const last = record.hits.at(-1);
    if (how === "at a point") expect(record.points.map(({ values }) => values)).toEqual([["21"]]);
    else expect(last).toMatchObject({ kind: "return", function: "<module>" });
    expect(record.hits.some((hit) => hit.kind === "return" && hit.function === "after")).toBe(
      how === "line by line",
    );
    expect(record.notes.join()).not.toMatch(/trace function of its own|switched off/);
  });
});

test("what exec makes in a function is still there after a line of it was recorded", async () => {
  const programs = new Programs(`def work(n, *rest, key=1, **more):
    exec("made = n + 2")
    here = lambda: n
    n += 1  # @marker read
    return eval("made") + here(), sorted(locals())
def maker():
    kept = 1
    def inner():
        exec("made = 5")
        nothing = kept  # @marker inner
        return eval("made + kept")
    return inner
print(work(1), maker()())
`);
  const plain = spawnSync("python3", ["app.py"], { cwd: programs.folder, encoding: "utf8" });
  expect(plain.status).toBe(0);
  const run = { command: ["python3", "app.py"] };
  const lines = { functions: [], under: [programs.folder], depth: 0 };
  const points = [
    { at: "read", read: ["n", "made"] },
    { at: "inner", read: ["made", "kept"] },
  ];
  const record = await programs.record(points, { run });
  expect({ out: record.stdout, err: record.stderr }).toEqual({ out: plain.stdout, err: "" });
  expect(record.points.map(({ values }) => values)).toEqual([
    ["1", "3"],
    ["5", "1"],
  ]);
  expect((await programs.record([], { run, lines })).stdout).toBe(plain.stdout);
});

test("a program that dies of its recursion dies as it would alone, and what is missing is said", async () => {
  const programs = new Programs(`def forever(n):
    return forever(n + 1)  # @marker deep
forever(0)
`);
  const plain = spawnSync("python3", ["app.py"], { cwd: programs.folder, encoding: "utf8" });
  const record = await programs.record([{ at: "deep", read: ["n"] }], {
    run: { command: ["python3", "app.py"] },
  });
  expect(record.stderr).toBe(plain.stderr);
  expect(record.end).toMatchObject({ exitCode: 1, why: expect.stringContaining("RecursionError") });
  expect(record.points.length).toBeGreaterThan(900);
  expect(record.notes.join()).toMatch(/close to Python's recursion limit \(1000\)/);
});

test("a trace function of the program's own is called that, and none is not", async () => {
  const own = new Programs("import sys\nsys.settrace(lambda *_: None)\nprint(1)  # @marker one\n");
  expect((await own.record([], { lines: { functions: [], under: [own.folder], depth: 0 } })).notes).toEqual([
    "the program set a trace function of its own: what ran after that is not in the record",
  ]);
  const none = new Programs("import sys\nsys.settrace(None)\nprint(1)  # @marker one\n");
  expect((await none.record([], { lines: { functions: [], under: [none.folder], depth: 0 } })).notes).toEqual(
    ["tracing was switched off while the program ran: what ran after that is not in the record"],
  );
});
