/** Functions that are written on one line: where a program stops in them, their arguments are in place. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, stops } from "./rig.ts";

const SQUARE = `#include <stdio.h>
int sq(int x) { return x * x; }
int main(int argc, char **argv) {
  int sum = sq(7);
  sum += sq(6);
  printf("%d\\n", sum);
  return 0;
}
`;

const AREA = `#include <cstdio>
struct Rect { double w, h; double area() const { return w * h; } };
int times(int a, int b) { return a * b; }
double times(double a, double b) { return a * b; }
int main() {
  Rect r{3, 4};
  printf("%g\\n", r.area());
  printf("%d\\n", times(2, 3));
  printf("%g\\n", times(2.5, 4.0));
  return 0;
}
`;

const shown = (stop: Awaited<ReturnType<typeof stops>>, name: string) =>
  stop.values.find((one) => one.name === name)?.value;

test.each([
  ["lldb", "gcc"],
  ["lldb", "clang"],
  ["cdt-gdb", "gcc"],
])("by name, by a condition and by a step: %s, %s", async (adapter, compiler) => {
  const sonde = borrowSonde();
  compile(sonde, "square.c", SQUARE, [compiler]);
  const start = ["start", "square", "--adapter", adapter];
  expect(shown(await stops(sonde, [...start, "--function-break", "sq"]), "x")).toBe("7");
  const second = await stops(sonde, "continue");
  expect(second.breakpoints).toMatchObject([{ id: 1, hit: 2 }]);
  expect(shown(second, "x")).toBe("6");
  await sonde.ask("stop");
  const probe = [
    "probe",
    "--function",
    "sq",
    "--condition",
    "x == 6",
    "--adapter",
    adapter,
    "--",
    "./square",
  ];
  expect(await sonde.text(probe)).toMatch(/^ {2}x = 6 /m);
  await stops(sonde, [...start, "--break", "square.c:5"]);
  const stepped = await stops(sonde, "step");
  expect(stepped.reason).toBe("step");
  expect(stepped.frame).toMatchObject({ function: "sq", line: 2 });
  expect(shown(stepped, "x")).toBe("6");
  expect((await stops(sonde, "finish")).frame?.function).toBe("main");
});

test("a method, and a name that two functions have", async () => {
  const sonde = borrowSonde();
  compile(sonde, "area.cpp", AREA, ["g++"]);
  const both = ["--function-break", "Rect::area", "--function-break", "times"];
  const area = await stops(sonde, ["start", "area", "--adapter", "lldb", ...both]);
  expect(await sonde.ask("print w")).toMatchObject({ value: "3" });
  expect(shown(area, "this")).toContain("{w:3, h:4}");
  const whole = await stops(sonde, "continue");
  expect([shown(whole, "a"), shown(whole, "b")]).toEqual(["2", "3"]);
  const real = await stops(sonde, "continue");
  expect([shown(real, "a"), shown(real, "b")]).toEqual(["2.5", "4"]);
  expect(real.breakpoints).toMatchObject([{ id: 2, hit: 2 }]);
  await sonde.ask("breakpoint remove 2");
  expect(await sonde.text("continue")).toContain("exited: code 0");
});
