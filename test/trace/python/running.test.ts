/** The program runs as it does without us: its words, its streams, and every way to end. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Programs } from "./rig.ts";

test("arguments, path, name, file and input are the program's own", async () => {
  const programs = new Programs(`import sys
print(sys.argv, sys.path[0], __name__, __file__, sys.stdin.read())
print([m for m in sys.modules if m.startswith("sonde")], [p for p in sys.path if p.endswith("hook")])
print(sys.argv)  # @marker here
`);
  const record = await programs.record([{ at: "here", read: ["__name__"] }], {
    run: { args: ["a", "b c"] },
    stdin: Buffer.from("typed"),
  });
  const file = `${programs.folder}/app.py`;
  expect(record.stdout).toContain(`['${file}', 'a', 'b c'] ${programs.folder} __main__ ${file} typed\n`);
  expect(record.stdout).toContain("\n[] []\n");
  expect(record.points.map((one) => one.values)).toEqual([["'__main__'"]]);
  const empty = await programs.record([], {});
  expect(empty.stdout).toContain(`${file} \n`);
});

test("modules, code and options", async () => {
  const programs = new Programs();
  programs.write(
    "tool.py",
    `import sys
assert not sys.flags.optimize
print(__name__, sys.argv[1:], __spec__.name)  # @marker here
`,
  );
  const module = await programs.record([{ at: "here", read: ["__name__"] }], {
    run: { command: ["python3", "-m", "tool", "x"] },
  });
  expect(module.stdout).toBe("__main__ ['x'] tool\n");
  expect(module.counts).toEqual([1]);
  const code = await programs.record([{ at: "here", read: ["__name__"] }], {
    run: { command: ["python3", "-c", "import tool, sys; print(sys.argv)", "y"] },
  });
  expect(code.stdout).toBe("tool ['y'] tool\n['-c', 'y']\n");
  expect(code.points[0]?.values).toEqual(["'tool'"]);
  const optimized = await programs.record([{ at: "", line: 2 }], {
    run: { command: ["python3", "-O", "-m", "tool"] },
  });
  expect(optimized.bindings[0]?.state).toBe("unbound");
  await expect(programs.record([], { run: { command: ["python3", "-I", "tool.py"] } })).rejects.toMatchObject(
    {
      code: "UNSUPPORTED",
      message: expect.stringContaining("python -I ignores the environment"),
    },
  );
});

test("an uncaught exception: Python's own traceback, its exit code, and all records", async () => {
  const programs = new Programs(`def work(n):
    return 1 // n  # @marker here
for n in (1, 0):
    work(n)
`);
  const record = await programs.record([{ at: "here", read: ["n"] }]);
  expect(record.end).toEqual({
    how: "exited",
    exitCode: 1,
    why: expect.stringMatching(
      /^ZeroDivisionError: integer (division or )?modulo by zero|^ZeroDivisionError: /,
    ),
  });
  expect(record.points.map((one) => one.values)).toEqual([["1"], ["0"]]);
  expect(record.stderr).toMatch(
    /^Traceback \(most recent call last\):\n {2}File ".*app.py", line 4, in <module>\n/,
  );
  expect(record.stderr).not.toMatch(/sonde_|sitecustomize/);
});

test.each([
  ["sys.exit(3)", { how: "exited", exitCode: 3 }],
  ["sys.exit('words')", { how: "exited", exitCode: 1 }],
  ["os._exit(4)", { how: "exited", exitCode: 4 }],
  ["os.kill(os.getpid(), 15)", { how: "exited", signal: "SIGTERM" }],
  ["os.kill(os.getpid(), 9)", { how: "exited", signal: "SIGKILL" }],
  ["os.abort()", { how: "exited", signal: "SIGABRT" }],
  ["os.execv('/bin/sh', ['sh', '-c', 'exit 7'])", { how: "exited", exitCode: 7 }],
])("%s keeps what was recorded", async (statement, end) => {
  const programs = new Programs(`import os, sys
for i in range(700):
    pass  # @marker here
${statement}
`);
  const record = await programs.record([{ at: "here", read: ["i"] }]);
  expect(record.end).toEqual(end);
  expect(record.counts).toEqual([700]);
  if (statement.includes("words")) expect(record.stderr).toBe("words\n");
});

test("a program that takes its own place keeps what both did", async () => {
  const programs = new Programs(`import os, sys
for i in range(700):
    pass  # @marker here
if len(sys.argv) == 1:
    os.execv(sys.executable, [sys.executable, sys.argv[0], "again"])
`);
  const record = await programs.record([{ at: "here", read: ["i", "len(sys.argv)"] }]);
  expect(record.end).toEqual({ how: "exited", exitCode: 0 });
  const numbers = Array.from({ length: 700 }, (_, i) => String(i));
  expect(record.points.map((one) => one.values)).toEqual([
    ...numbers.map((i) => [i, "1"]),
    ...numbers.map((i) => [i, "2"]),
  ]);
});

test("an endless loop ends when it is cancelled, with what it did", async () => {
  const programs = new Programs(`import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("on", flush=True)
i = 0
while True:
    i += 1  # @marker here
`);
  const cancel = new AbortController();
  const record = await programs.record([{ at: "here", read: ["i"] }], {
    signal: cancel.signal,
    maxHits: 10,
    progress: (seen) => {
      if (seen === 3000) cancel.abort();
    },
  });
  expect(record.end).toEqual({ how: "stopped" });
  expect(record.seen).toBeGreaterThanOrEqual(3000);
  expect(record.hits[0]).toMatchObject({ values: ["0"], hit: 1 });
  expect(record.hits.at(-1)).toMatchObject({ hit: record.counts[0], values: [String(record.seen - 1)] });
  expect(record.stdout).toBe("on\n");
});

test("a hit that no other follows is told of at once", async () => {
  const programs = new Programs(`import sys
print("x")  # @marker here
while True:
    pass
`);
  const cancel = new AbortController();
  const record = await programs.record([{ at: "here" }], {
    signal: cancel.signal,
    progress: () => cancel.abort(),
  });
  expect(record.counts).toEqual([1]);
});

test("tests under pytest, by its command and as a module", async () => {
  const programs = new Programs();
  writeFileSync(join(programs.folder, "lib.py"), "def twice(n):\n    return n * 2  # @marker lib\n");
  programs.write(
    "test_lib.py",
    `from lib import twice

def test_twice():
    answer = twice(2)
    assert answer == 4  # @marker assert

def test_wrong():
    assert twice(1) == 3
`,
  );
  const places = [
    { at: "assert", read: ["answer"] },
    { at: "lib", read: ["n"], path: join(programs.folder, "lib.py") },
  ];
  for (const command of [
    ["pytest", "-q"],
    ["python3", "-m", "pytest", "-q"],
  ]) {
    const record = await programs.record(places, { run: { command }, frames: 2 });
    expect(record.end).toMatchObject({ how: "exited", exitCode: 1 });
    expect(record.stdout).toContain("assert 2 == 3");
    expect(record.stdout).toContain("1 failed, 1 passed");
    expect(record.points.map(({ point, values }) => [point, ...values])).toEqual([
      [1, "2"],
      [0, "4"],
      [1, "1"],
    ]);
    expect(record.points[0]?.frames.map((one) => one.function)).toEqual(["twice", "test_twice"]);
  }
});

test("a trace function of the program's own gets in nobody's way", async () => {
  const programs = new Programs(`import sys
seen = []
def work():
    return 2  # @marker inside
for i in range(2):
    x = i  # @marker here
    sys.settrace(lambda frame, *a: seen.append(frame.f_code.co_name) if frame.f_code.co_name != "at_line" else None)
    work()
print(seen)
`);
  const record = await programs.record([{ at: "here", read: ["i"] }, { at: "inside" }]);
  expect(record.notes).toEqual([]);
  expect(record.counts).toEqual([2, 2]);
  expect(record.stdout.trim()).toBe("['work', 'work']");
});

test("that tracing was switched off is told of", async () => {
  const programs = new Programs(`import sys
for i in range(2):
    x = i  # @marker here
    sys.settrace(None)
`);
  const record = await programs.record([{ at: "here", read: ["hasattr(sys, 'monitoring')"] }]);
  // Where Python has its own way for such tools, they do not get in each other's.
  const shared = record.points[0]?.values[0] === "True";
  expect(record.notes).toEqual(shared ? [] : [expect.stringContaining("was switched off")]);
  expect(record.counts).toEqual([shared ? 2 : 1]);
});

test("that threads which ran already are not seen is told of, where it is so", async () => {
  const programs = new Programs();
  const path = programs.write("work.py", "def work(n):\n    return n + 1  # @marker here\n");
  programs.write(
    "app.py",
    `import resource, threading
path = ${JSON.stringify(path)}
code, space, go = compile(open(path).read(), path, "exec"), {}, threading.Event()
def early():
    go.wait()
    space["work"](1)
first = threading.Thread(target=early)
first.start()
# Where no file can be opened, code cannot be changed as it is loaded.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
exec(code, space)
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
go.set()
first.join()
space["work"](2)
later = threading.Thread(target=space["work"], args=(3,))
later.start()
later.join()
`,
  );
  const record = await programs.record([
    { at: "here", path, read: ["n", "hasattr(__import__('sys'), 'monitoring')"] },
  ]);
  const shared = record.points[0]?.values[1] === "True";
  expect(record.points.map(({ values: [n] }) => n)).toEqual(shared ? ["1", "2", "3"] : ["2", "3"]);
  expect(record.notes).toEqual(shared ? [] : [expect.stringContaining("1 thread that ran already")]);
});
