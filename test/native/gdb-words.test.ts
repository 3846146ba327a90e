/** Instructions, and conditions of functions, where gdb has them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, stops } from "./rig.ts";

const SOURCE = `#include <stdio.h>
int add(int a, int b) {
  int r = a + b;
  {
    int a = 70;
    r += a - 70; // hidden
  }
  return r;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += add(i, 1); // call
  return sum == 0;
}
`;
const CALL = `sums.c:${SOURCE.split("\n").findIndex((line) => line.includes("// call")) + 1}`;

test.each(["lldb", "cdt-gdb"])("%s: instructions before this one are those that run", async (adapter) => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", adapter, "--break", CALL]);
  const { instructions, pc } = await sonde.ask<{
    pc: string;
    instructions: { address: string; symbol: string }[];
  }>("disassemble --count 6");
  const listed = execFileSync("objdump", ["-d", "--no-show-raw-insn", join(sonde.project, "sums")], {
    encoding: "utf8",
  });
  const low = (address: string) => address.slice(-3);
  const start = BigInt(`0x${/^([0-9a-f]+) <main>:$/m.exec(listed)?.[1]}`);
  const all = [...listed.matchAll(/^\s+([0-9a-f]+):/gm)].map(([, address = ""]) => address);
  const from = all.findIndex((address) => low(address) === low(instructions[0]?.address ?? ""));
  const truth = all.slice(from, from + 6);
  expect(instructions.map(({ address }) => low(address))).toEqual(truth.map(low));
  expect(instructions.map(({ symbol }) => symbol)).toEqual(
    truth.map((address) => `main+${BigInt(`0x${address}`) - start}`),
  );
  expect(instructions[2]?.address).toBe(pc);
  const back = await sonde.ask<{ instructions: typeof instructions }>("disassemble --count 6 --offset -2");
  expect(back.instructions).toEqual(instructions);
});

test("cdt-gdb: a step goes into a function whose breakpoint's condition does not hold, and over it", async () => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", "cdt-gdb", "--break", CALL]);
  await sonde.ask("break -f add --condition a==3");
  expect(await stops(sonde, "step")).toMatchObject({ reason: "step", frame: { function: "add" } });
  await stops(sonde, "continue");
  expect(await stops(sonde, "next")).toMatchObject({ reason: "step", frame: { function: "main" } });
  await sonde.ask("breakpoint remove 1");
  expect((await stops(sonde, "continue")).breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
  expect(await sonde.ask("print a")).toMatchObject({ value: "3" });
});

test.each(["lldb", "cdt-gdb"])("%s: a name has the value of the block that a step is in", async (adapter) => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", adapter, "--break", "sums.c:3"]);
  const seen: Record<number, string> = {};
  for (let line = 3; line < 9; line = (await stops(sonde, "next")).frame?.line ?? 9) {
    const { stdout, stderr } = await sonde.run(["print", "a", "--json"]);
    const told = JSON.parse(stdout || stderr) as { data?: { value: string }; error?: { message: string } };
    seen[line] = told.data?.value ?? told.error?.message ?? "";
    if (told.data === undefined) continue;
    // LLDB lists the hidden ones too, each with the line of its declaration.
    expect(await sonde.text("locals")).toMatch(new RegExp(`^ {2}a( @ \\S+)? = ${seen[line]} `, "m"));
  }
  // The inner one, which is not set yet, hides the other from gdb; neither is shown.
  expect(seen).toEqual({ 3: "0", 5: "a: a has no value yet: line 5 declares it", 6: "70", 8: "0" });
});

test("cdt-gdb: a call has its value or gdb's reason, and stops at no breakpoint on its way", async () => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", "cdt-gdb", "--break", "sums.c:8"]);
  // Some machines let no gdb call functions; then it is the reason that is shown.
  const { stdout, stderr } = await sonde.run(["print", "add(20, 22)"]);
  expect(stdout + stderr).toMatch(/^add\(20, 22\) = 42 {2}\(int\)\n$|^error EVAL_FAILED: add\(20, 22\): \S/);
  if (/extended state/.test(stderr)) expect(stderr).toMatch(/does not know the registers of this processor/);
  expect(await sonde.ask("print a")).toMatchObject({ value: "0" });
  expect(await sonde.refusal("print *(int*)0")).toMatchObject({ code: "EVAL_FAILED" });
  expect(await sonde.ask(["eval", "r = 41"])).toMatchObject({ value: "41", type: "int" });
  expect((await stops(sonde, "continue")).breakpoints).toMatchObject([{ id: 1, hit: 2 }]);
});

test("cdt-gdb: a watch whose function returns says so, and every variable is listed once", async () => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  const hidden = SOURCE.split("\n").findIndex((line) => line.includes("// hidden")) + 1;
  const inside = await stops(sonde, ["start", "sums", "--adapter", "cdt-gdb", "--break", `sums.c:${hidden}`]);
  expect(inside.values.map(({ name, value }) => `${name}=${value}`).sort()).toEqual(["a=70", "b=1", "r=1"]);
  await sonde.ask("breakpoint remove 1");
  await sonde.ask("break sums.c:3");
  await stops(sonde, "continue");
  await sonde.ask("watch r");
  const first = await stops(sonde, "continue");
  // It is about to declare another `a`, and gdb shows only that one.
  expect(first.values.map(({ name }) => name).sort()).toEqual(["b", "r"]);
  expect(await sonde.text("locals")).toMatch(/^Local\n( {2}[br] = .*\n){2}$/);
  expect(await stops(sonde, "continue")).toMatchObject({
    reason: "data breakpoint",
    watches: [{ expression: "r", gone: "out of scope" }],
    frame: { function: "main" },
  });
});
