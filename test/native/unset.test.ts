/** Variables that C and C++ have not set yet: the memory is there, with what an earlier call left in it, and is not shown as a value. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, stops } from "./rig.ts";

const C = `#include <stdio.h>
static int first(void) { return 2; }
static int work(int n) {
  int marks[4];
  int three = n * 3;
  for (int i = first(); i < 4; i++) {
    int square = i * i;
    marks[i] = square + three;
  }
  int sum = marks[2]
    + marks[3];
  {
    int kept = sum;
    int sum = kept + 1;
    three += sum;
  }
  return three;
}
int main(void) {
  int a = work(9);
  int b = 1;
  b += work(a);
  printf("%d %d\\n", a, b);
  return 0;
}
`;

/** By line: what may be shown there. The second call finds the values of the first in its memory. */
const SHOWN: [line: number, names: string[]][] = [
  [5, ["marks", "n"]],
  [7, ["i", "marks", "n", "three"]],
  [8, ["i", "marks", "n", "square", "three"]],
  [10, ["marks", "n", "three"]],
  [13, ["marks", "n", "sum", "three"]],
  [17, ["marks", "n", "sum", "three"]],
];

interface Locals {
  scopes: { kind?: string; values: { name: string }[] }[];
}

const locals = async (sonde: Sonde, ...more: string[]) => {
  const { scopes } = await sonde.ask<Locals>(["locals", ...more]);
  return scopes
    .filter(({ kind }) => kind === "locals")
    .flatMap(({ values }) => values.map(({ name }) => name))
    .sort();
};

test.each(["lldb", "cdt-gdb"])(
  "%s: no value before the declaration has run",
  {
    timeout: 90_000,
  },
  async (adapter) => {
    const sonde = borrowSonde();
    compile(sonde, "unset.c", C);
    await stops(sonde, ["start", "unset", "--adapter", adapter, "--break", "unset.c:22"]);
    for (const [at, [line, names]] of SHOWN.entries()) {
      await stops(sonde, ["continue", "--remove-break", String(at + 1), "--break", `unset.c:${line}`]);
      // gdb shows one variable of a name, the innermost.
      const hidden = adapter === "cdt-gdb" && line === 13 ? ["sum"] : [];
      expect([line, await locals(sonde)]).toEqual([line, names.filter((one) => !hidden.includes(one))]);
    }
    expect(await locals(sonde, "--frame", "1")).toEqual(["a", "b"]);
  },
);

test.each(["lldb", "cdt-gdb"])(
  "%s: an expression of such a variable says where it is declared",
  {
    timeout: 60_000,
  },
  async (adapter) => {
    const sonde = borrowSonde();
    compile(sonde, "unset.c", C);
    await stops(sonde, ["start", "unset", "--adapter", adapter, "--break", "unset.c:5"]);
    expect((await sonde.run(["print", "three + 1"])).stderr).toContain(
      "three has no value yet: line 5 declares it",
    );
    expect((await sonde.run(["print", "sum"])).stderr).toContain("sum has no value yet: line 10 declares it");
    expect((await sonde.run(["print", "sizeof(three)"])).stdout).toContain("= 4");
    expect((await sonde.run(["print", "&three"])).stdout).toContain("0x");
    expect(await locals(sonde, "--frame", "1")).toEqual([]);
  },
);

const CPP = `#include <cstdio>
#include <string>
#include <vector>
static int square(int x) { int y = x * x; return y; }
static int add(int a, int b) { return a + b; }
static int work(int n) {
  std::vector<int> all = {1,
                          n};
  int t = add(n,
              square(3));
  for (auto one : all) {
    t += one;
  }
  if (int more = add(t, 1); more > 3) {
    t = more;
  }
  return t;
}
int main() {
  std::printf("%d\\n", work(work(3)));
}
`;

test.each(["lldb", "cdt-gdb"])(
  "%s: declarations over several lines, in headers and in one line",
  {
    timeout: 90_000,
  },
  async (adapter) => {
    const sonde = borrowSonde();
    compile(sonde, "unset.cpp", CPP, ["g++", "-std=c++17"]);
    await stops(sonde, ["start", "unset", "--adapter", adapter, "--break", "unset.cpp:4"]);
    expect(await locals(sonde)).toEqual(["x"]);
    expect(await locals(sonde, "--frame", "1")).toEqual(["all", "n"]);
    await stops(sonde, ["continue", "--break", "unset.cpp:12"]);
    expect(await locals(sonde)).toEqual(expect.arrayContaining(["one", "t"]));
    await stops(sonde, ["continue", "--remove-break", "2", "--break", "unset.cpp:14"]);
    expect(await locals(sonde)).not.toContain("more");
    await stops(sonde, ["continue", "--break", "unset.cpp:15"]);
    expect(await locals(sonde)).toContain("more");
  },
);

const MACROS = `#include <stdio.h>
#define TRY(call) do { int err = (call); if (err) fail(err); } while (0)
#define EACH(item, count) for (int item = 0; item < count; item++)
static int last;
static void fail(int code) { last = code; }
static int load(int v) { return v; }
int main(void) {
  EACH(one, 3)
    TRY(load(one + 5));
  int mask = 6;
  int late = 3;
  return last + mask + late == 0;
}
`;

test.each(["lldb", "cdt-gdb"])(
  "%s: what a macro declares is shown; what is only named like an address is refused",
  {
    timeout: 60_000,
  },
  async (adapter) => {
    const sonde = borrowSonde();
    compile(sonde, "macros.c", MACROS);
    await stops(sonde, ["start", "macros", "--adapter", adapter, "--break", "macros.c:5"]);
    expect(await locals(sonde, "--frame", "1")).toEqual(["err", "one"]);
    expect((await sonde.run(["print", "err", "--frame", "1"])).stdout).toContain("err = 5");
    await stops(sonde, ["continue", "--remove-break", "1", "--break", "macros.c:11"]);
    for (const expression of ["mask & late", "mask>late", "mask &late"])
      expect((await sonde.run(["print", expression])).stderr).toContain("late has no value yet");
  },
);
