/** Kernel probes in Go programs, however they were built; and what is left to the debugger. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GoInformant } from "../../../src/trace/collectors/perf/go/informant.ts";
import { collector as perf } from "../../../src/trace/collectors/perf/index.ts";
import { Unfit } from "../../../src/trace/collectors/perf/language.ts";
import type { Plan, Point } from "../../../src/trace/plan.ts";
import { trace } from "../../../src/trace/trace.ts";
import { compilerVersion } from "../../support/builds.ts";
import { launching, planOf, prepared, type Recorded } from "../support.ts";
import { KINDS, type Written, written } from "./programs.ts";
import { at, build, by, LONG, running, sameOf, told, WITHOUT } from "./rig.ts";

const OLDER = { GOEXPERIMENT: "nodwarf5" };

/** Whether this go can still write the debug information of older ones. */
function writesOlder(): boolean {
  try {
    execFileSync("go", ["version"], { env: { ...process.env, ...OLDER }, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Of every line of the program before its goroutines, what a probe there can fetch of these. */
async function everything(program: Written, binary: string, names: string[]): Promise<Omit<Point, "key">[]> {
  const informant = new GoInformant(binary);
  const { source: path } = program;
  const points: Omit<Point, "key">[] = [];
  const lines = readFileSync(path, "utf8").split("\n");
  for (let line = 1; line <= Math.min(lines.length, program.line("goroutine") - 7); line++) {
    // Where several goroutines come by at once a stop tells of one of them.
    if (lines[line - 1]?.startsWith("func use(")) continue;
    const expressions: string[] = [];
    for (const one of names) {
      const [place] = await informant
        .places(planOf([{ path, line, expressions: [one] }]))
        .catch((error: unknown) => {
          if (error instanceof Unfit) return [];
          throw error;
        });
      if (place?.binding.state === "bound") expressions.push(one);
    }
    if (expressions.length > 0) points.push({ path, line, expressions });
  }
  return points;
}

describe.skipIf(WITHOUT)(`perf on Go's builds${WITHOUT ? ` (skipped: ${WITHOUT})` : ""}`, () => {
  const names = "i sum t.X result u8 odd text local escaped k twice len(rest)".split(" ");
  const builds = {
    "moved about, with debug information of older compilers": {
      flags: ["-gcflags=all=-N -l", "-buildmode=pie", "-ldflags=-compressdwarf=false"],
      env: writesOlder() ? OLDER : {},
      least: 60,
    },
    optimised: { flags: [], env: {}, least: 15 },
    "optimised, but nothing inlined": { flags: ["-gcflags=all=-l"], env: {}, least: 40 },
  };
  for (const [name, { flags, env, least }] of Object.entries(builds))
    test(`reads every line at once of a program that is ${name}`, { timeout: LONG }, async () => {
      const program = written(KINDS);
      const binary = build(program, flags, env);
      const points = await everything(program, binary, names);
      expect(points.length).toBeGreaterThan(least);
      await sameOf(launching({ program: binary, cwd: program.folder }), planOf(points));
    });

  test("builds and runs what go would", { timeout: LONG }, async () => {
    const program = written(KINDS);
    const { folder } = program;
    writeFileSync(join(folder, "go.mod"), "module example.com/a/kinds\n\ngo 1.23\n");
    const tested = join(folder, "main_test.go");
    writeFileSync(
      tested,
      `package main

import (
	"os"
	"testing"
)

func TestDeep(t *testing.T) {
	folder, _ := os.Getwd()
	got := deep(3)
	t.Log(folder, got) // @marker test
}
`,
    );
    const plan = at(program, "deep", ["n"]);
    const ran = await sameOf(launching({ command: ["go", "run", "."], cwd: folder }), plan);
    expect(ran).toMatchObject({ counts: [1], end: { exitCode: 3 } });
    const line =
      readFileSync(tested, "utf8")
        .split("\n")
        .findIndex((one) => one.includes("@marker")) + 1;
    const testing = planOf([{ path: tested, line, expressions: ["got", "folder", "t.chatty==nil"] }]);
    const args = ["go", "test", "-run", "TestDeep", "."];
    const [plain, done] = await Promise.all(
      ["stops", "perf"].map((one) => running(one, launching({ command: args, cwd: folder }), testing)),
    );
    // A goroutine's number depends on the processor that started it.
    const text = (record: Recorded | undefined) =>
      record && JSON.stringify(told(record)).replaceAll(/goroutine \d+/g, "goroutine");
    expect(text(done)).toBe(text(plain));
    expect(done?.points.map(({ values }) => values.slice(0, 2))).toEqual([["3", JSON.stringify(folder)]]);
    expect(done?.points[0]?.frames[0]?.function).toBe("kinds.TestDeep");
  });

  test("says what it cannot do, and leaves it to delve", { timeout: LONG }, async () => {
    const program = written(KINDS);
    const { folder } = program;
    const binary = build(program, ["-gcflags=all=-N -l"]);
    const why = async (plan: Plan) => {
      const launch = await prepared("delve", launching({ program: binary, cwd: folder }));
      return perf.unfit(plan, launch);
    };
    const here = (expression: string) => why(at(program, "here", [expression]));
    expect(await here("t")).toMatch(/only tell whether a pointer, slice, map or interface is nil/);
    expect(await here("*t")).toBe("a probe cannot fetch a main.Thing");
    expect(await here("array")).toBe("a probe cannot fetch a [3]int");
    expect(await here("nosuch")).toBe("nosuch is not a variable here");
    expect(await here("t.Nosuch")).toBe("Nosuch is not a field of t");
    expect(await here("t.Get()")).toMatch(/more than variables and whole numbers/);
    expect(await here("f64+0.5")).toMatch(/more than variables and whole numbers/);
    expect(await here("i+sum")).toBe("`i+sum` would not be evaluated as dlv does");
    expect(await here("-u")).toBe("`-u` would not be evaluated as dlv does");
    expect(await here("table")).toMatch(/only tell whether .* is nil/);
    expect(await here("array[3]")).toBe("array has 3 elements");
    expect(await why(at(program, "range", ["i"]))).toMatch(/range over a function|not a variable here/);
    expect(await why(at(program, "generic", ["first"]))).toBe("a probe cannot fetch a type parameter");
    expect(await why(at(program, "here", ["i"], "i + 1"))).toBe("`i + 1` is neither true nor false");
    const elsewhere = planOf([{ path: "/nowhere/other.go", line: 3, expressions: [] }]);
    expect(await why(elsewhere)).toBe("/nowhere/other.go is not in the program itself");
    const lines = { functions: ["main.work"], under: [], depth: 0 };
    expect(await why({ ...planOf([]), lines })).toMatch(/not at every line/);
    const launch = await prepared("delve", launching({ program: binary, cwd: folder }));
    const left = await trace({
      ...{ title: "left", plan: at(program, "here", ["i", "*t"]), launch },
      ...{ bounds: { first: 60, quiet: 60, total: 60 }, signal: new AbortController().signal },
    });
    expect(left).toMatchObject({ collector: "delve", counts: [8] });
    expect(left.passedOver).toEqual(["perf was not used: a probe cannot fetch a main.Thing"]);
  });

  test.skipIf(compilerVersion("c") === undefined)(
    "follows Go called from C as far as its own stack goes",
    { timeout: LONG },
    async () => {
      const program = written(`package main

/*
extern int goBack(int);
static int call(int n) { return goBack(n); }
*/
import "C"

//export goBack
func goBack(n C.int) C.int {
	m := int(n) + 1
	return C.int(m) // @marker back
}

func main() {
	for i := 0; i < 3; i++ {
		C.call(C.int(i))
	}
}
`);
      const plan = at(program, "back", ["m"]);
      const [plain, fast] = [await by("stops", program, plan), await by("perf", program, plan)];
      expect(fast.points.map(({ values }) => values)).toEqual(plain.points.map(({ values }) => values));
      const [theirs = [], ours = []] = [plain, fast].map((one) => one.points[0]?.frames);
      expect(ours.at(-1)?.function).toBe("runtime.cgocallback");
      expect(theirs.slice(0, ours.length)).toEqual(ours);
      expect(fast.notes.join()).toMatch(/frames of C code that called Go/);
    },
  );

  test("tells of hits in a child process that it leaves out", { timeout: LONG }, async () => {
    const program = written(`package main

import (
	"os"
	"os/exec"
)

func work(n int) int {
	return n + 1 // @marker here
}

func main() {
	if len(os.Args) > 1 {
		work(2)
		return
	}
	work(1)
	exec.Command(os.Args[0], "child").Run()
}
`);
    const fast = await by("perf", program, at(program, "here", ["n"]));
    expect(fast.points.map(({ values }) => values)).toEqual([["1"]]);
    expect(fast.notes).toEqual([
      "hits in child processes are not recorded; the collector delve records them",
    ]);
  });
});
