/** Values and hits against what the program itself says, on programs that were recorded wrongly once. By every collector. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../../support/builds.ts";
import { WITHOUT_PROBES } from "../perf/programs.ts";
import { at, compiled, GDB, type Program, run } from "./rig.ts";

const LONG = { timeout: 120_000 };
const hasClang = spawnSync("clang", ["--version"]).status === 0;
const ALL = [...(WITHOUT_PROBES === undefined ? ["perf"] : []), ...GDB, "lldb", "stops"];

const SHADOW = `#include <stdio.h>
int sq(int x) { return x * x; } // @marker square
int main(void) {
  int x = 1, sum = 0;
  for (int i = 0; i < 3; i++) {
    int x = (i + 1) * 10;
    sum += sq(x); // @marker inner
  }
  {
    sum += x; // @marker before
    int x = 7;
    sum += x; // @marker after
  }
  printf("%d\\n", sum);
  return 0;
}
`;

const RUST = `struct Record { nested: (i32, i32), id: u32 }
fn look(r: &Record, n: i64) -> i64 {
    let n = n * 10;
    let sum = n + r.nested.0 as i64; // @marker nested
    println!("{} {}", sum, n); // @marker print
    sum
}
fn main() {
    let one = Record { nested: (11, 13), id: 1 };
    look(&one, 4);
    look(&one, 5);
}
`;

const OPTIMISED = `#include <stdio.h>
int global = 1;
__attribute__((noinline)) void show(int number) { printf("%d\\n", number); }
__attribute__((noinline)) int total(int count, int step) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    global += step;
    sum += step * i;
    show(step); // @marker print
  }
  return sum;
}
int main(void) {
  return total(4, 3) != 18;
}
`;

/** Both copies in main() have nothing but constants; the line table marks only the first as a statement. */
const COPIES = `#include <stdio.h>
void show(int number);
static int twice(int number) { show(number); return number * 2; } // @marker copy
int work(void) {
  twice(16);
  twice(37);
  return 0;
}
int main(void) { return work(); }
__attribute__((noinline)) void show(int number) { printf("%d\\n", number); }
`;

const NONE = "<unavailable>,<unavailable>,<unavailable>";

async function values(collector: string, program: Program, marker: string, expressions: string[]) {
  const { points } = await run(collector, program, [at(program, marker, expressions)], { frames: 0 });
  return points.map((one) => one.values.join(","));
}

describe.each(ALL)("%s", LONG, (collector) => {
  test("reads the variable that is meant, once it has its value", async () => {
    const program = compiled("shadow.c", SHADOW, ["gcc", "-O0"]);
    expect(await values(collector, program, "inner", ["x", "i"])).toEqual(["10,0", "20,1", "30,2"]);
    expect(await values(collector, program, "square", ["x"])).toEqual(["10", "20", "30"]);
    expect(await values(collector, program, "after", ["x"])).toEqual(["7"]);
    // Not yet the inner one, which has no value there. LLDB's own look-up cannot be told so.
    expect(await values(collector, program, "before", ["x"])).toEqual([
      collector === "stops" ? "<unavailable>" : "1",
    ]);
  });

  test.skipIf(!hasClang)("counts each copy of a function, and knows that they are optimised", async () => {
    if (collector === "gdb") return;
    const program = compiled("copies.c", COPIES, ["clang", "-O2"]);
    const { points, notes } = await run(collector, program, [at(program, "copy", ["number"])], { frames: 0 });
    expect(points.map((one) => one.values.join())).toEqual(["<unavailable>", "<unavailable>"]);
    expect(notes.join()).toContain("a line may have run more or less often than it was hit");
  });

  test("tells of optimised code only what is set once, and says what that leaves out", async () => {
    // gdb leaves a plan with a value that it cannot have to LLDB.
    if (collector === "gdb") return;
    const program = compiled("optimised.c", OPTIMISED, ["gcc", "-O2"]);
    const place = at(program, "print", ["step", "sum", "i", "global"]);
    const { points, notes } = await run(collector, program, [place], { frames: 0 });
    expect(points.map((one) => one.values.slice(1).join())).toEqual(Array(4).fill(NONE));
    for (const one of points) expect(["3", "<unavailable>"]).toContain(one.values[0]);
    expect(notes.join("\n")).toMatch(
      /^optimised code \(optimised\.c:\d+\): a line may have run more or less often/,
    );
    expect(notes.join("\n")).toContain("sum, i, global may be set early or late there");
  });

  test.runIf(compilerVersion("rust") !== undefined)(
    "counts a line once each time it begins, in Rust",
    async () => {
      const program = compiled("record.rs", RUST, ["rustc"]);
      expect(await values(collector, program, "print", ["sum"])).toEqual(["51", "61"]);
      expect(await values(collector, program, "nested", ["n"])).toEqual(["40", "50"]);
    },
  );
});

test.runIf(compilerVersion("rust") !== undefined)(
  "a field of a tuple is read through a reference",
  LONG,
  async () => {
    const program = compiled("record.rs", RUST, ["rustc"]);
    expect(await values("lldb", program, "nested", ["r.nested.0", "r.nested.1"])).toEqual(["11,13", "11,13"]);
    const where = (condition: string) =>
      run("lldb", program, [at(program, "nested", ["n"], { condition })], { frames: 0 });
    expect((await where("r.nested.0 == 11")).counts).toEqual([2]);
    expect((await where("r.nested.0 == 0")).counts).toEqual([0]);
  },
);
