/** What is named by where it is: breakpoints, watches, registers of another frame, instructions; and whole sets at once. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, stops } from "./rig.ts";

const SOURCE = `#include <stdio.h>
static int total = 0;
static int add(int n) {
  int own = n * 2;
  total += own; // add
  return own;
}
int main(void) {
  int own = 7;
  for (int i = 0; i < 3; i++) own += add(i); // call
  printf("%d %d\\n", total, own);
  return 0;
}
`;
const ADD = SOURCE.split("\n").findIndex((line) => line.includes("// add")) + 1;
const CALL = SOURCE.split("\n").findIndex((line) => line.includes("// call")) + 1;

interface Row {
  id: number;
  at: string;
}

test.each(["lldb", "cdt-gdb"])("%s: removed by place, function and expression", async (adapter) => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", adapter, "--break", `sums.c:${ADD}`]);
  await sonde.ask(`break sums.c:${CALL}`);
  await sonde.ask("break -f main");
  const left = async () => (await sonde.ask<{ breakpoints: Row[] }>("breakpoint list")).breakpoints;
  expect(await sonde.text(`breakpoint remove --at sums.c:${CALL}`)).toMatch(/^removed: breakpoint 2 /);
  expect(await sonde.text("breakpoint remove --function main")).toMatch(/^removed: breakpoint 3 main/);
  expect(await sonde.refusal(`breakpoint remove --at ${CALL}`)).toMatchObject({
    message: `there is no breakpoint at ${CALL}`,
    hint: `there are: sums.c:${ADD}`,
  });
  expect(await sonde.text(`breakpoint remove --at ${ADD}`)).toMatch(/^removed: breakpoint 1 /);
  expect(await left()).toEqual([]);
  await sonde.ask("watch total");
  expect(await sonde.text("watch remove --expression total")).toMatch(/^removed: watch 4 total/);
  expect(await sonde.refusal("watch remove --expression total")).toMatchObject({
    message: "there is no watch on total",
  });
});

test("lldb: of watches on one expression, the one on what it means in a frame", async () => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", "lldb", "--break", `sums.c:${ADD}`]);
  await sonde.ask("watch own");
  await sonde.ask("watch --frame 1 own");
  expect(await sonde.text("watch remove --frame 1 --expression own")).toMatch(/^removed: watch 3 own/);
});

test("lldb: registers of a frame, instructions from another on, modules in parts", async () => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", "lldb", "--break", `sums.c:${ADD}`]);
  const pc = async (options: string) =>
    (await sonde.ask<{ registers: { value: string }[] }>(`registers rip ${options}`)).registers[0]?.value;
  expect(await pc("--frame 1")).not.toBe(await pc("--frame 0"));
  type Code = { instructions: { address: string; symbol?: string }[] };
  const whole = await sonde.ask<Code>("disassemble add --count 6");
  const third = whole.instructions[2]?.address;
  const part = await sonde.ask<Code>("disassemble add --offset 2 --count 2 --no-symbols");
  expect(part.instructions.map(({ address }) => address)).toEqual([third, whole.instructions[3]?.address]);
  expect(part.instructions.every(({ symbol }) => symbol === undefined)).toBe(true);
  const all = await sonde.ask<{ modules: { name: string }[]; total: number }>("modules");
  const second = await sonde.ask("modules --start 1 --count 1");
  expect(second).toMatchObject({ modules: [all.modules[1]], total: all.modules.length });
});

test("lldb: bytes are written as far as they can be", async () => {
  const sonde = borrowSonde();
  compile(sonde, "sums.c", SOURCE);
  await stops(sonde, ["start", "sums", "--adapter", "lldb", "--break", `sums.c:${ADD}`]);
  expect(await sonde.ask("memory write --partial &total 2a000000")).toMatchObject({
    written: 4,
    hex: "2a000000",
  });
});
