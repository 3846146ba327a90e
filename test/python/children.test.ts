/** Processes that a Python program starts, by every way it has to start them. */
import { expect, test } from "vitest";
import { nothingLeft } from "../faults/world.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, ends, output, pythonSonde, stops, value } from "./programs.ts";

test.each(["spawn", "fork", "forkserver"])("multiprocessing by %s", { timeout: 60_000 }, async (method) => {
  const sonde = pythonSonde();
  const place = at(sonde, "multi.py", "child-first");
  const snapshot = await stops(sonde, ["start", "multi.py", "--break", place, "--", method]);
  expect(value(snapshot, "number")).toBe("14");
  expect(value(await stops(sonde, "next"), "tripled")).toBe("42");
  expect(await ends(sonde)).toMatchObject({ exitCode: 0 });
  expect(await output(sonde)).toContain("child said tripled 42, code 0");
  expect(await output(sonde)).not.toContain("frozen modules");
  await nothingLeft(sonde);
});

test("os.fork without exec, and its parent afterwards", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import os\npid = os.fork()\nif pid == 0:\n    where = 'child'\n    os._exit(4)\n_, status = os.waitpid(pid, 0)\nprint('status', os.WEXITSTATUS(status))\n",
  );
  const child = await stops(sonde, "start app.py --break app.py:5 --break app.py:7");
  expect(value(child, "where")).toBe("'child'");
  const parent = await stops(sonde, "continue");
  expect(parent.frame?.line).toBe(7);
  expect(await ends(sonde)).toMatchObject({ exitCode: 0 });
  expect(await output(sonde)).toContain("status 4");
});

test("a hit count is counted in each process, and the hits are numbered so", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    `import os
def work(who, i):
    return who, i
for i in (1, 2): work("parent", i)
pid = os.fork()
if pid == 0:
    for i in (1, 2, 3): work("child", i)
    os._exit(0)
os.waitpid(pid, 0)
for i in (3, 4): work("parent", i)
`,
  );
  await stops(sonde, "start app.py --stop-on-entry");
  await sonde.ask(["break", "app.py:3", "--hit-count", ">=3"]);
  const seen: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    const snapshot = await stops(sonde, "continue");
    seen.push([value(snapshot, "who"), value(snapshot, "i"), snapshot.breakpoints[0]?.hit]);
  }
  expect(seen).toEqual([
    ["'child'", "3", 3],
    ["'parent'", "3", 3],
    ["'parent'", "4", 4],
  ]);
  expect(await sonde.text("breakpoints")).toContain("7 hits");
  await ends(sonde);
});

test("stop ends a child that is stopped, and its parent", async () => {
  const sonde = pythonSonde();
  await stops(sonde, ["start", "children.py", "--break", at(sonde, "child.py", "child-first")]);
  await sonde.ask("stop");
  await nothingLeft(sonde);
});

test("a program of another kind is no trouble", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import subprocess\nout = subprocess.run(['sh', '-c', 'echo from sh; exit 2'])\nprint('code', out.returncode)\n",
  );
  await stops(sonde, "start app.py --break app.py:3");
  await ends(sonde);
  expect(await output(sonde)).toMatch(/from sh[\s\S]*code 2/);
});
