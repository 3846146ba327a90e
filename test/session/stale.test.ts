/** Source that is changed under a program: what runs is shown as long as it is known, and the change is always told. */
import { readlinkSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import type { AttachPlan } from "../../src/adapters/adapter.ts";
import { startOf } from "../../src/session/processes/process-start.ts";
import { compile, stops } from "../native/rig.ts";
import { borrowSonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };
const C = "int main(void) {\n  int total = 1;\n  total += 2; /* here */\n  return total;\n}\n";

test(
  "a compiled program that is restarted, listed and probed without having been built again",
  slow,
  async () => {
    const sonde = borrowSonde();
    const program = compile(sonde, "ed.c", C);
    const first = await stops(sonde, ["start", program, "--break", "ed.c:3"]);
    expect(first.notes).toEqual([]);
    sonde.write("ed.c", `/* new */\n${C}`);
    const again = await stops(sonde, "restart");
    expect(again.notes.join()).toMatch(/changed after the program was built.*rebuild it/);
    expect(again.source.find(({ line }) => line === 3)?.text).toContain("/* here */");
    expect(await sonde.text("list")).toMatch(/note: this file changed after the program was built/);
    expect(await sonde.text(["probe", "ed.c:3", "--", `./${program}`])).toMatch(
      /changed after|is newer than/,
    );
    compile(sonde, "ed.c", C);
    expect((await stops(sonde, "restart")).notes).toEqual([]);
  },
);

test("a script that is edited while it stands still", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("ed.js", "let total = 1;\ntotal += 2; // here\ntotal += 3;\n");
  await sonde.ask("start ed.js --break ed.js:2");
  sonde.write("ed.js", "// new\nlet total = 1;\ntotal += 2; // here\ntotal += 3;\n");
  const shown = await sonde.ask<{ notes: string[]; source: { line: number; text: string }[] }>("context");
  expect(shown.notes.join()).toMatch(/changed after the program started.*`sonde restart`/);
  expect(shown.source.find(({ line }) => line === 2)?.text).toContain("// here");
  const again = await stops(sonde, "restart");
  expect(again.notes).toEqual([]);
  expect(again.source.find(({ line }) => line === 3)?.text).toContain("// here");
});

test("a script that is edited between its start and the attach", slow, async () => {
  const sonde = borrowSonde();
  const text = "import time\nn = 0\nwhile True:\n    n += 1\n    time.sleep(0.02)\n";
  const path = sonde.write("ed.py", text);
  const program = sonde.program("python3", ["-u", path]);
  await expect.poll(() => readlinkSync(`/proc/${program.pid}/exe`), slow).toContain("python");
  // A file's time is finer than the one that the system keeps of a process's start.
  await expect.poll(() => changedLater(sonde.write("ed.py", `# new\n${text}`), program.pid ?? 0)).toBe(true);
  const shown = await stops(sonde, ["attach", String(program.pid), "--break", "ed.py:5"]);
  expect(shown.notes.join()).toMatch(/changed after the program started.*start the program again/);
});

function changedLater(path: string, pid: number): boolean {
  const start = startOf({ request: "attach", plan: { pid, extra: {}, cwd: "/" } as unknown as AttachPlan });
  return statSync(path).mtimeMs > (start ?? Number.POSITIVE_INFINITY) + 20;
}
