/** Watches, memory, registers, instructions and values of native programs. */
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { at, compile, ends, inC, LLDB, rustTest, stops } from "./rig.ts";

test("a watch stops at the write, with the value before and after", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "watch", ...LLDB, "--break", at("watch", "before")]);
  await sonde.ask("watch total");
  const snapshot = await stops(sonde, "continue");
  expect(snapshot.watches).toMatchObject([{ old: "0", new: "1" }]);
  expect(snapshot.frame?.function).toBe("add");
});

test.each([
  ["2", ["1"]],
  [">=2", ["1", "3"]],
  [">2", ["3"]],
])("a line at its hits %s", async (count, totals) => {
  const sonde = inC();
  await stops(sonde, ["start", "watch", ...LLDB, "--break", at("watch", "before")]);
  await sonde.ask(["break", at("watch", "write-global"), "--hit-count", count]);
  for (const total of totals) {
    await stops(sonde, "continue");
    expect(await sonde.ask("print total")).toMatchObject({ value: total });
  }
  await ends(sonde, "continue");
});

test("a line that has had its one hit stays so when others are set, and stops again if it is set anew", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "watch", ...LLDB, "--break", at("watch", "before")]);
  const line = ["break", at("watch", "write-global"), "--hit-count", "1"];
  await sonde.ask(line);
  const { breakpoints } = await stops(sonde, "continue");
  expect(breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
  await sonde.ask(["break", at("watch", "before")]);
  expect(await sonde.text("breakpoint list")).toMatch(
    /^breakpoint 2 {2}.* {2}hit count 1 {2}done: it was hit, 1 hit$/m,
  );
  await sonde.ask("breakpoint remove 2");
  await sonde.ask(line);
  const text = await sonde.text("continue");
  expect(text).toMatch(/^stopped: breakpoint 4 \(hit 1\)/);
  await sonde.ask("breakpoint remove 3");
  const end = await sonde.text("continue");
  expect(end).not.toContain("not bound");
  expect(end).toContain("exited");
});

test("a watch that has had its one hit does not count anew when another is set", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "watch", ...LLDB, "--break", at("watch", "before")]);
  await sonde.ask("watch total --hit-count 1");
  await stops(sonde, "continue");
  await sonde.ask("up");
  await sonde.ask("watch local --hit-count 1000");
  expect(await sonde.text("watch list")).toContain("done: it was hit");
  await ends(sonde, "continue");
});

test("a hit count that LLDB has no words for is not set as something else", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "watch", ...LLDB, "--break", at("watch", "before")]);
  expect(await sonde.refusal(["break", at("watch", "write-global"), "--hit-count", "%2"])).toMatchObject({
    code: "BAD_ARGUMENT",
    message: expect.stringContaining("LLDB counts hits only as 5, >=5 or >5"),
  });
  await ends(sonde, "continue");
});

test("memory, registers and an instruction to stop at", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "calls", ...LLDB, "--break", at("calls", "leaf-first")]);
  expect(await sonde.text(["memory", "read", "&n", "--count", "4"])).toMatch(/05 00 00 00/);
  const pointer = process.arch === "arm64" ? "pc" : "rip";
  expect(await sonde.text(["registers", pointer])).toMatch(
    new RegExp(`^${pointer} = 0x[0-9a-f]+ calls\`leaf`),
  );
  const code = await sonde.text("disassemble --count 4");
  const next = /^-> .*\n\s+(0x[0-9a-f]+)/m.exec(code)?.[1];
  await sonde.ask(["break", "--address", String(next)]);
  const snapshot = await stops(sonde, "continue");
  expect(snapshot.breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
});

const VALUES = `#include <stdio.h>
struct Point { int x; double y; char c; };
int main(void) {
  struct Point point = {1, 2.5, 'a'};
  int n = 255;
  int *pointer = &n;
  double d = 1.5;
  char letter = 'x';
  printf("%d %d %.2f %c %.1f %c\\n", n, point.x, d, letter, point.y, pointer ? 'p' : '0');
  return 0;
}
`;

test("variables, members and pointers can be set, and the program sees it", async () => {
  const sonde = borrowSonde();
  compile(sonde, "values.c", VALUES);
  const snapshot = await stops(sonde, ["start", "values", ...LLDB, "--break", "values.c:9"]);
  expect(snapshot.values.find(({ name }) => name === "point")?.value).toBe("{x:1, y:2.5, c:'a'}");
  for (const [name, value] of [
    ["n", "7"],
    ["point.x", "42"],
    ["d", "2.25"],
    ["letter", "'q'"],
    ["point.y", "9.5"],
    ["pointer", "0"],
  ] as const)
    await sonde.ask(["set", name, value]);
  expect(await sonde.ask("print n --format hex")).toMatchObject({ value: "0x7" });
  await ends(sonde, "continue");
  expect(await sonde.text("output")).toContain("7 42 2.25 q 9.5 0");
});

test("eval is an expression even where LLDB has a command of that name; raw is the command", async () => {
  const sonde = borrowSonde();
  compile(sonde, "values.c", VALUES);
  await stops(sonde, ["start", "values", ...LLDB, "--break", "values.c:9"]);
  expect(await sonde.ask(["eval", "n = n + 1"])).toMatchObject({ value: "256" });
  expect(await sonde.refusal(["eval", "bt"])).toMatchObject({
    code: "EVAL_FAILED",
    message: "bt: use of undeclared identifier 'bt'",
  });
  expect(await sonde.text(["raw", "bt"])).toContain("frame #0");
  expect(await sonde.refusal(["raw", "nonsense"])).toMatchObject({ code: "EVAL_FAILED" });
});

test("what cannot be run is refused, and the daemon lives", async () => {
  const sonde = borrowSonde();
  const file = sonde.write("broken", "\x7fELFnot really");
  expect(await sonde.refusal(["start", file, ...LLDB])).toMatchObject({ code: "LAUNCH_FAILED" });
  compile(sonde, "values.c", VALUES);
  chmodSync(`${sonde.project}/values`, 0o644);
  expect(await sonde.refusal(["start", "values", ...LLDB])).toMatchObject({
    code: "LAUNCH_FAILED",
    message: expect.stringContaining("Permission denied"),
  });
  expect(await sonde.text("status")).toMatch(/^daemon: running/);
});

rustTest("cargo's program, and its errors", async () => {
  const sonde = borrowSonde();
  sonde.fixture("rust/cargo-sample");
  const cwd = "cargo-sample";
  const run = ["start", ...LLDB, "--function-break", "cargo_sample::add", "--", "cargo", "run", "--offline"];
  const answer = await sonde.json(run, { cwd, timeoutMs: 60_000 });
  expect(answer).toMatchObject({ ok: true, data: { state: "stopped" } });
  expect(await sonde.ask("print a", { cwd })).toMatchObject({ value: "40" });
  sonde.write("cargo-sample/src/main.rs", 'fn main() { let n: i32 = "text"; }\n');
  expect(await sonde.refusal(["start", ...LLDB, "--", "cargo", "run", "--offline"], { cwd })).toMatchObject({
    code: "LAUNCH_FAILED",
    message: expect.stringContaining("mismatched types"),
  });
});

const READS = `
#include <map>
int counter = 5;
int add(int a, int b) { counter += 100; return a + b; }
struct Box { int v; int t[4]; Box *next; };
int main() {
  std::map<int, int> m; m[1] = 1;
  Box box{7, {1, 2, 3, 4}, nullptr}; box.next = &box;
  Box *p = &box;
  return add(counter, p->v) - 12 + (int)m.size() - 1; // @here
}
`;

test.each(["lldb", "cdt-gdb"])("what only reads runs nothing of the program: %s", async (adapter) => {
  const sonde = borrowSonde();
  compile(sonde, "reads.cpp", READS, ["g++"]);
  await sonde.text(["start", "./reads", "--adapter", adapter, "--break", "reads.cpp:10"]);
  for (const writing of ["(counter = 77, &counter)", "add(1, 2)", "counter++", "m[5]", "counter = 3"])
    for (const command of ["memory read", "disassemble", "watch info"])
      expect(await sonde.refusal([...command.split(" "), "--", writing])).toMatchObject({
        code: "BAD_ARGUMENT",
        message: expect.stringContaining("this command only reads"),
        hint: expect.stringContaining("`sonde eval <expression>`"),
      });
  expect((await sonde.refusal(["watch", "counter = 3"])).message).toContain("is an assignment");
  expect(await sonde.ask(["watch", "info", "p->next->t[2]"])).toMatchObject({ local: false });
  expect(await sonde.text("print counter")).toBe("counter = 5  (int)\n");
  expect(await sonde.text(["print", "m.size()"])).toMatch(/^m.size\(\) = 1 /);
  for (const [path, bytes] of [
    ["counter", "05000000"],
    ["&p->next->t[2]", "03000000"],
    ["p->v", "07000000"],
    ["&box + 4", "01000000"],
  ] as const)
    expect((await sonde.ask<{ hex: string }>(["memory", "read", path, "--count", "4"])).hex).toBe(bytes);
  const { instructions } = await sonde.ask<{ instructions: { symbol: string; text: string }[] }>(
    "disassemble add",
  );
  expect(instructions.at(-1)?.text).toMatch(/^ret/);
  expect(instructions.filter(({ text }) => text.startsWith("ret"))).toHaveLength(1);
  const whole = await sonde.text("disassemble");
  expect(whole).toMatch(/^-> 0x/m);
  expect(whole.match(/\bret/g)).toHaveLength(1);
});
