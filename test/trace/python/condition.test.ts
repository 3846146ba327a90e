/** Recording by conditions under debugpy: in a program that runs already, and in one that is started. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { planOf, recorded } from "../support.ts";
import { Programs } from "./rig.ts";

const CONDITION = { collector: "python-condition" };

test("the same record as by stops", async () => {
  const programs = new Programs(`def work(n):
    total = 0
    for i in range(n):
        total += i  # @marker add
    return total  # @marker end

print(work(4))
raise ValueError("done")
`);
  const places = [
    { at: "add", read: ["i", "[total]", "nothing"], condition: "i != 1" },
    { at: "add", read: ["n"] },
    { at: "end", read: ["total"] },
  ];
  const own = await programs.record(places.slice(0, 1), { ...CONDITION, frames: 3 });
  const plain = await programs.record(places.slice(0, 1), { collector: "stops", frames: 3 });
  const seen = ({ points, counts, bindings, stdout, stderr }: typeof own) => ({
    points: points.map(({ ms, ...rest }) => rest),
    counts,
    bindings,
    stdout,
    stderr,
  });
  expect(own.counts).toEqual([3]);
  expect(seen(own)).toEqual(seen(plain));
  const three = await programs.record(places, CONDITION);
  expect(three.counts).toEqual([3, 4, 1]);
  expect(three.end).toMatchObject({ how: "exited", exitCode: 1 });
});

test("a command line that takes nothing from the environment", async () => {
  const programs = new Programs("for i in range(1000):\n    pass  # @marker here\n");
  const record = await programs.record([{ at: "here", read: ["i"] }], {
    ...CONDITION,
    run: { command: ["python3", "-I", "app.py"] },
  });
  expect(record.counts).toEqual([1000]);
  expect(record.points.at(-1)?.values).toEqual(["999"]);
});

test("a process that runs: recorded for a while, then left as it was", async () => {
  const programs = new Programs();
  const path = programs.write(
    "counting.py",
    `import os, sys, time
def step(n):
    time.sleep(0.001)
    return n + 1  # @marker here
n = 0
print("runs", file=sys.stderr, flush=True)
while not os.path.exists("enough"):
    n = step(n)
print([p for p in sys.path if p.endswith("hook")], [m for m in sys.modules if m.startswith("sonde_")], flush=True)
`,
  );
  const child = spawn("python3", [path], { cwd: programs.folder, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stderr, "data"); // by then it is Python, and not what starts it
  const cancel = new AbortController();
  const record = await recorded(
    "debugpy",
    {
      request: "attach",
      plan: { pid: child.pid ?? 0, cwd: programs.folder, env: environment(), extra: {} },
    },
    planOf([{ path, line: programs.line("here"), expressions: ["n"] }], { frames: 2 }),
    {
      ...CONDITION,
      signal: cancel.signal,
      progress: (seen) => {
        if (seen === 100) cancel.abort();
      },
    },
  );
  expect(record.end).toEqual({ how: "left" });
  expect(record.seen).toBeGreaterThanOrEqual(100);
  const numbers = record.points.map(({ values: [n] }) => Number(n));
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
  expect(record.points[0]).toMatchObject({
    thread: "MainThread",
    frames: [
      { function: "step", path },
      { function: "<module>", path },
    ],
  });
  expect(child.exitCode).toBeNull();
  const said = text(child.stdout);
  programs.write("enough", "");
  expect(await said).toBe("[] []\n");
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(0);
});

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
