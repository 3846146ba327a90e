import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadCollector } from "../../../src/trace/collectors/index.ts";
import { UNAVAILABLE } from "../../../src/trace/plan.ts";
import { compilerVersion } from "../../support/builds.ts";
import { launching, planOf, prepared, recorded } from "../support.ts";
import { at, compiled, essence, expectSame, fixture, hasGdb, INSIDE, type Program, run } from "./rig.ts";

const LONG = { timeout: 120_000 };

const MANY = `#include <stdio.h>
int main(int argc, char **argv) {
  long total = 0;
  for (int i = 0; i < 2000; i++) {
    total += i; // @marker add
  }
  // @marker nothing
  printf("total %ld\\n", total); // @marker print
  return 7;
}
`;

describe.each(INSIDE)("points by %s", LONG, (collector) => {
  test.each(["c", "cpp", "rust"] as const)("in %s are those of plain stops", async (language) => {
    if (compilerVersion(language) === undefined) return expect(language).toBe("rust");
    const program = fixture(language, "loop");
    const points = [at(program, "loop-add", ["i", "square", "sum"])];
    const plain = await run("stops", program, points);
    const inside = await run(collector, program, points);
    expect(inside.collector).toBe(collector);
    expect(inside.points).toHaveLength(10);
    expect(inside.points[3]?.values).toEqual(["3", "9", "5"]);
    expectSame(essence(plain), essence(inside));
    expect(inside.stdout).toBe("sum 285\n");
  });

  test("with a condition are those where it holds", async () => {
    const program = fixture("c", "loop");
    const points = [
      at(program, "loop-add", ["i"], { condition: "i >= 7" }),
      at(program, "loop-add", ["sum"], { condition: "square == 4" }),
    ];
    const { points: hits, counts } = await run(collector, program, points, { frames: 0 });
    expect(hits.map(({ point, values }) => [point, ...values])).toEqual([
      [1, "1"],
      [0, "7"],
      [0, "8"],
      [0, "9"],
    ]);
    expect(counts).toEqual([3, 1]);
  });

  test("are none of two thousand less", async () => {
    const program = compiled("many.c", MANY, ["gcc", "-O0"]);
    const { points, end, stdout } = await run(collector, program, [at(program, "add", ["i", "total"])]);
    expect(points).toHaveLength(2000);
    expect(points.map(({ values }) => values[0])).toEqual(Array.from({ length: 2000 }, (_, i) => `${i}`));
    expect(points.at(-1)?.values[1]).toBe(String((1998 * 1999) / 2));
    expect(end).toEqual({ how: "exited", exitCode: 7 });
    expect(stdout).toBe("total 1999000\n");
  });

  test("of an endless program are kept when it is stopped", async () => {
    const { program, source } = fixture("c", "endless");
    const points = [at({ program, source }, "spin", ["counter"])];
    const enough = new AbortController();
    const record = await recorded("lldb", launching({ program, cwd: dirname(source) }), planOf(points), {
      collector,
      signal: enough.signal,
      progress: (seen) => seen >= 50 && enough.abort(),
    });
    expect(record.end).toEqual({ how: "stopped" });
    expect(record.points.length).toBeGreaterThanOrEqual(50);
    expect(record.points.map(({ values }) => values[0])).toEqual(record.points.map((_, i) => `${i}`));
    const [, pid = "0"] = /ready (\d+)/.exec(record.stdout) ?? [];
    expect(existsSync(`/proc/${pid}`) && pid !== "0").toBe(false);
  });

  test("before a crash are kept, with its reason", async () => {
    const program = fixture("c", "uncaught");
    const { points, end, stdout } = await run(collector, program, [at(program, "throw", ["length", "text"])]);
    expect(points.map(({ values }) => values[0])).toEqual(["9"]);
    expect(points[0]?.values[1]).toMatch(/^0x[0-9a-f]{16} "\{settings"$/);
    expect(points[0]?.frames.slice(0, 3).map((one) => one.function)).toEqual(["parse", "load", "main"]);
    expect(end).toEqual({
      how: "exited",
      exitCode: 139,
      signal: "SIGSEGV",
      why: "signal SIGSEGV: address not mapped to object (fault address=0x0)",
    });
    expect(stdout).toBe("about to fail\n");
  });

  test("see the input, the arguments and the environment that were given", async () => {
    const program = fixture("c", "stdin");
    const stdin = Buffer.from("1\n20\n300\n");
    const points = [at(program, "take", ["line"])];
    const { points: hits, stdout } = await run(collector, program, points, { stdin });
    expect(hits.map(({ values }) => values[0])).toEqual(['"1"', '"20"', '"300"']);
    expect(stdout).toBe("got 1\ngot 20\ngot 300\nsum 321\n");

    const shows = compiled("shows.c", SHOWS, ["gcc", "-O0"]);
    const opening = launching({
      program: shows.program,
      args: ["a b", "$HOME 'q'", ""],
      cwd: dirname(shows.source),
      env: { PATH: process.env.PATH ?? "", PYTHONPATH: "/of/the/program", WORDS: 'it\'s "so"' },
    });
    const at4 = [at(shows, "end", ["argc"])];
    const record = await recorded("lldb", opening, planOf(at4), { collector });
    expect(record.points.map(({ values }) => values)).toEqual([["4"]]);
    expect(record.stdout).toBe("<a b><$HOME 'q'><>/of/the/program it's \"so\" (null)\n");
    expect(record.stderr).toBe("to stderr\n");
  });

  test("of threads name the thread", async () => {
    const program = fixture("c", "threads");
    const points = [at(program, "work-return", ["number", "square", "name"])];
    const plain = essence(await run("stops", program, points));
    const inside = essence(await run(collector, program, points));
    const sorted = ({ hits }: typeof plain) =>
      hits.map(({ values, frames, thread }) => JSON.stringify({ values, frames, thread })).sort();
    expect(sorted(inside)).toEqual(sorted(plain));
  });
});

const SHOWS = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    printf("<%s>", argv[i]);
  printf("%s %s %s\\n", getenv("PYTHONPATH"), getenv("WORDS"), getenv("LINES"));
  fprintf(stderr, "to stderr\\n");
  return 0; // @marker end
}
`;

const COMPARES = `int main(void) {
  unsigned char small = 200;
  unsigned large = 7;
  signed char negative = -5;
  return small + large + negative == 0; // @marker here
}
`;

describe("points inside LLDB", LONG, () => {
  test("of expressions that fail have no value, the others have", async () => {
    const program = fixture("c", "loop");
    const points = [at(program, "loop-add", ["i", "nosuch", "square + 1", "*(int *)0"])];
    const plain = await run("stops", program, points);
    const inside = await run("lldb", program, points);
    expect(inside.points[2]?.values).toEqual(["2", UNAVAILABLE, "5", UNAVAILABLE]);
    expectSame(essence(plain), essence(inside));
  });

  test("take conditions that need the compiler", async () => {
    const program = fixture("c", "loop");
    const points = [at(program, "loop-add", ["i"], { condition: "i % 4 == 1 && sum > 0" })];
    const { points: hits } = await run("lldb", program, points);
    expect(hits.map(({ values }) => values[0])).toEqual(["5", "9"]);
  });

  test("compare numbers as C does", async () => {
    const program = compiled("compares.c", COMPARES, ["gcc", "-O0"]);
    const conditions = [
      "small > -1",
      "small == 200",
      "large > -1",
      "negative < 0",
      "negative == -5",
      "small < -1",
    ];
    const points = conditions.map((condition) => at(program, "here", ["small"], { condition }));
    const { counts } = await run("lldb", program, points);
    expect(counts).toEqual([1, 1, 0, 1, 1, 0]);
  });

  test("that are being read when the run is ended are whole, or not there", async () => {
    const { program, source } = fixture("c", "endless");
    // Each needs the compiler: nearly all of the time goes into reading.
    const expressions = Array.from({ length: 40 }, (_, i) => `counter * 100 + ${i}`);
    const points = [at({ program, source }, "spin", expressions)];
    const enough = new AbortController();
    const record = await recorded("lldb", launching({ program, cwd: dirname(source) }), planOf(points), {
      collector: "lldb",
      signal: enough.signal,
      progress: (seen) => seen >= 3 && enough.abort(),
    });
    expect(record.end).toEqual({ how: "stopped" });
    expect(record.points.length).toBeGreaterThanOrEqual(3);
    expect(record.points.map(({ values }) => values)).toEqual(
      record.points.map((_, hit) => expressions.map((_, i) => `${hit * 100 + i}`)),
    );
  });

  test("refuse before the run what is no code", async () => {
    const program = compiled("many.c", MANY, ["gcc", "-O0"]);
    for (const expression of ["i +", "(i", "printf("]) {
      const failed = run("lldb", program, [at(program, "add", [expression])]);
      await expect(failed).rejects.toMatchObject({
        code: "BAD_ARGUMENT",
        message: expect.stringMatching(/: expected /),
      });
    }
  });

  test("that are not in the code name the lines that are", async () => {
    const program = compiled("many.c", MANY, ["gcc", "-O0"]);
    const lines = MANY.split("\n").length;
    const points = [
      { key: "beyond", path: program.source, line: lines + 20, expressions: ["i"] },
      { key: "elsewhere", path: `${program.source}.other.c`, line: 3, expressions: ["i"] },
      at(program, "nothing", ["total"]),
    ];
    const { bindings } = await run("lldb", program, points);
    expect(bindings[0]).toEqual({ state: "unbound", reason: "no code there", nearest: [5, 8, 9, 10] });
    expect(bindings[1]).toMatchObject({
      state: "unbound",
      reason: expect.stringMatching(/^the program has no debug information for many\.c\.other\.c/),
    });
    // LLDB would move a breakpoint on to the next line with code; a hit there is none of this line.
    expect(bindings[2]).toMatchObject({ state: "unbound", nearest: [4, 5, 8, 9] });
  });

  test("of a running process leave it as it was", async () => {
    const { program, source } = fixture("c", "endless");
    const child = spawn(program, { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const enough = new AbortController();
    const opening = {
      request: "attach" as const,
      plan: { pid: child.pid ?? 0, cwd: dirname(source), env: {}, extra: {} },
    };
    const plan = planOf([at({ program, source }, "spin", ["counter"])]);
    const record = await recorded("lldb", opening, plan, {
      collector: "lldb",
      signal: enough.signal,
      progress: (seen) => seen >= 20 && enough.abort(),
    });
    expect(record.end).toEqual({ how: "left" });
    expect(record.points.length).toBeGreaterThanOrEqual(20);
    const counts = record.points.map(({ values }) => Number(values[0]));
    expect(counts.map((one) => one - (counts[0] ?? 0))).toEqual(counts.map((_, i) => i));
    expect(child.exitCode ?? child.signalCode).toBeNull();
    process.kill(child.pid ?? 0, 0);
  });
});

describe.runIf(hasGdb)("gdb leaves to LLDB", LONG, () => {
  async function unfit(program: Program, expressions: string[], more: Parameters<typeof at>[3] = {}) {
    const launch = await prepared(
      "lldb",
      launching({ program: program.program, cwd: dirname(program.source) }),
    );
    const name = more.key ?? "main-print";
    const { key: _key, ...rest } = more;
    return (await loadCollector("gdb")).unfit(planOf([at(program, name, expressions, rest)]), launch);
  }

  test("what it would show in other words", async () => {
    expect(await unfit(fixture("cpp", "stats"), ["result"])).toBeUndefined();
    expect(await unfit(fixture("cpp", "stats"), ["values"])).toMatch(/std::vector<int.*shown by LLDB/);
    expect(await unfit(fixture("c", "stats"), ["result * 2"])).toBe("`result * 2` is more than a variable");
    expect(await unfit(fixture("c", "stats"), ["nosuch"])).toBe("`nosuch` is not a variable there");
    expect(await unfit(fixture("c", "stats"), ["result"], { condition: "result > 2" })).toBe(
      "`result` is not a whole number",
    );
  });

  test("whole functions, and processes that run", async () => {
    const { program, source } = fixture("c", "stats");
    const gdb = await loadCollector("gdb");
    const launch = await prepared("lldb", launching({ program, cwd: dirname(source) }));
    const lines = { functions: ["mean"], under: [dirname(source)], depth: 0 };
    expect(await gdb.unfit(planOf([], { lines }), launch)).toMatch(/not whole functions/);
    const plan = { pid: process.pid, cwd: "/", env: {}, extra: {} };
    const attached = await prepared("lldb", { request: "attach", plan });
    expect(await gdb.unfit(planOf([]), attached)).toMatch(/starts/);
  });
});
