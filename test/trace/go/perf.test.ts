/** Kernel probes in Go programs give the record that stopping gives: the same values, frames, goroutines, counts and ends. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { Unfit } from "../../../src/trace/collectors/perf/language.ts";
import { Code } from "../../../src/trace/go/code.ts";
import { spotsOf } from "../../../src/trace/go/places.ts";
import { probesLeft } from "../perf/programs.ts";
import { launching, planOf, prepared, type Recorded, recorded } from "../support.ts";
import { KINDS, written } from "./programs.ts";
import { at, build, by, LONG, same, told, WITHOUT } from "./rig.ts";

describe.skipIf(WITHOUT)(`perf on Go${WITHOUT ? ` (skipped: ${WITHOUT})` : ""}`, () => {
  test("reads every kind of value as dlv shows it", { timeout: LONG }, async () => {
    const program = written(KINDS);
    const variables =
      "i sum result i8 i16 i32 u u8 u16 u32 u64 up r b odd f64 f32 color flags took escaped *keep local count main.count array[0] array[2] slice[1] floats[3]";
    const paths =
      "t.X t.F t.On t.List[1] t.List[5] t.Grid[1][2] t.Id t.Base.Id t.Base.Inner.S t.Us t.S t.Tags[1].S t.Next.Next.X none.X none.List[0] (*t).X shared.X pointer.X len(text) len(t.List) cap(t.List) len(slice) len(none.List) len(rest) len(os.Args) os.Args[1]";
    const reckoned =
      "i+1;i<3;i == 1;sum*2;u+1;-i;^i;u8+10;i8*100;u-5;i<<3;i>>1;u8<<4;i&^1;i|6;i^3;i%3;i/2;10/i;10%i;i*i-i;!odd;odd && i > 3;odd || i == 2;odd == true;none == nil;none != nil;maybe != nil;table == nil;slice == nil;t.Any != nil;f64 > 1;f64 == 1;f32 < f32;f64 >= 123456789;u64 > 5;u64+10;u64*u64;color == 2;color+1;flags+1;took*2;len(text)*2;len(text)+i;i == len(slice);0x10+i;1_000*i;none.X+1;r == 98;(i+1)*2;i32 != -70000";
    const texts = [
      ...["text", "name", "rest[1]", 'text == "plain"', 'text != ""'],
      ...["t.Label", "t.Next.Label", 'none.Label == ""', "none.Label"],
    ];
    const { source, line } = program;
    const expressions = [...variables.split(" "), ...paths.split(" ")];
    const lists = [expressions, reckoned.split(";"), texts.slice(0, 5), texts.slice(5)];
    const numbers = lists.slice(0, 2).map((one) => ({ path: source, line: line("here"), expressions: one }));
    const fast = await same(program, planOf(numbers));
    expect(fast.counts).toEqual([8, 8]);
    for (const one of lists.slice(2)) await same(program, { ...at(program, "here", one), valueChars: 2000 });
    const value = (hit: number, expression: string) =>
      fast.points.filter(({ point }) => point === 0)[hit]?.values[expressions.indexOf(expression)];
    expect(value(1, "color")).toBe("Green (1)");
  });

  test("means by a name what dlv means: methods, closures, shadows, goroutines' own", {
    timeout: LONG,
  }, async () => {
    const program = written(KINDS);
    const { source, line } = program;
    const places: Record<string, string> = {
      entry: "i sum t.X t.Label len(rest) count",
      method: "before by t.X t.Label t.Base.Inner.S",
      value: "t.X t.Id t.List[0] t.Label",
      generic: "n twice n*2",
      closure: "k local i local+1",
      shadow: 'local i local=="!" sum len(local)',
      deep: "n",
      greet: "who len(who) len(list) cap(list) list[1] list[2] small",
    };
    const points = Object.entries(places).map(([marker, expressions]) => ({
      ...{ path: source, line: line(marker), expressions: expressions.split(" ") },
    }));
    const fast = await same(program, planOf(points));
    expect(fast.counts).toEqual([8, 1, 1, 2, 8, 6, 1, 1]);
    const generic = fast.points.filter(({ point }) => point === 3);
    expect(generic.map(({ frames }) => frames[0]?.function)).toEqual([
      "main.Pair[go.shape.int]",
      "main.Pair[go.shape.string]",
    ]);
  });

  test("sees every goroutine, on whatever thread it is", { timeout: LONG }, async () => {
    const program = written(KINDS);
    const plan = at(program, "goroutine", ["number", "by", "round", "number*100 + by + round"]);
    const [plain, fast] = [await by("stops", program, plan), await by("perf", program, plan)];
    const lines = ({ points }: Recorded) =>
      points.map(({ values, frames }) => JSON.stringify({ values, frames }));
    expect(lines(plain).sort()).toEqual(lines(fast).sort());
    expect(fast).toMatchObject({ counts: [200], dropped: 0 });
    const threads = new Set(fast.points.map(({ thread }) => thread));
    expect(threads.size).toBe(4);
    for (const thread of threads) {
      const hits = fast.points.filter((one) => one.thread === thread);
      expect(thread).toMatch(/^goroutine \d+$/);
      expect(hits.map(({ values }) => Number(values[2]))).toEqual([...Array(50).keys()]);
      expect(new Set(hits.map(({ values }) => values[0])).size).toBe(1);
    }
  });

  test("keeps only hits whose condition holds", { timeout: LONG }, async () => {
    const program = written(KINDS);
    const { source, line } = program;
    const conditions = [
      ...["i % 3 == 1 && sum > 0", 'text == "plain"', "maybe != nil && !odd || i == 3", "none != nil"],
      ...["f32 > 1", "color == 2", "len(slice) > 1", "none != nil && none.X > 0"],
    ];
    const fast = await same(
      program,
      planOf(
        conditions.map((condition) => ({ path: source, line: line("here"), expressions: ["i"], condition })),
      ),
    );
    expect(fast.counts).toEqual([3, 2, 1, 3, 3, 1, 4, 3]);
    // dlv stops where a condition fails; a record leaves such hits out.
    const failing = await by("perf", program, at(program, "here", ["i"], "none.X > 0"));
    expect(failing.points.map(({ values }) => values[0])).toEqual(["1", "4", "7"]);
  });

  test("records the program of the other collector as both of them do", { timeout: LONG }, async () => {
    const program = written();
    const expressions = "i local sum*2 half part.Name part.Next.X len(names) none.X names[1] i%2==0".split(
      " ",
    );
    const plan = at(program, "here", expressions);
    const fast = await same(program, plan, ["7"], "one\ntwo\n");
    expect(told(await by("delve", program, plan, ["7"], "one\ntwo\n"))).toEqual(told(fast));
    expect(fast).toMatchObject({ counts: [7], end: { how: "exited", exitCode: 3 } });
    expect(fast.stdout).toContain("read two");
    const panicked = await same(program, at(program, "here", ["i"]), ["2", "panic"]);
    expect(panicked.end).toMatchObject({ how: "exited", exitCode: 2 });
    // No code at that line: an error for both, so how far the program came by then is not compared.
    const nowhere = at(program, "nothing", ["number"]);
    const [fastest, plain] = [
      await by("perf", program, nowhere, ["1"]),
      await by("stops", program, nowhere, ["1"]),
    ];
    expect(fastest.bindings).toMatchObject([{ state: "unbound", nearest: expect.arrayContaining([33]) }]);
    expect(plain.bindings).toMatchObject([{ state: "unbound", nearest: expect.anything() }]);
  });

  test("keeps 20,000 hits of 20,000", { timeout: LONG }, async () => {
    const program = written();
    const plan = { ...at(program, "here", ["i", "part.X", "part.Name"]), frames: 3 };
    const fast = await by("perf", program, plan, ["20000"]);
    expect(fast).toMatchObject({ counts: [20_000], seen: 20_000, dropped: 0 });
    expect(fast.points.map(({ values }) => Number(values[0]))).toEqual([...Array(20_000).keys()]);
    expect(new Set(fast.points.map(({ frames }) => frames.map((one) => one.function).join()))).toEqual(
      new Set(["main.work,main.main,runtime.main"]),
    );
  });

  test("ends a program that does not end, and leaves no probe", { timeout: LONG }, async () => {
    const program = written();
    const abort = new AbortController();
    const spun = await recorded(
      "delve",
      launching({ program: program.source, args: ["1", "spin"], cwd: program.folder }),
      at(program, "spin", ["i"]),
      { collector: "perf", signal: abort.signal, progress: (seen) => seen >= 30 && abort.abort() },
    );
    expect(spun.end).toEqual({ how: "stopped" });
    expect(spun.points.slice(0, 30).map(({ values }) => values[0])).toEqual(
      [...Array(30).keys()].map(String),
    );
    expect(probesLeft()).toEqual([]);
  });

  test("attaches to a program, and leaves it as it was", { timeout: LONG }, async () => {
    const program = written(`package main

import (
	"fmt"
	"time"
)

func main() {
	for i := 0; ; i++ {
		time.Sleep(time.Millisecond) // @marker spin
		if i == 3 {
			fmt.Println("up")
		}
	}
}
`);
    const running = spawn(build(program, ["-gcflags=all=-N -l"]), { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void running.kill("SIGKILL"));
    await once(running.stdout, "data");
    const abort = new AbortController();
    const record = await recorded(
      "delve",
      { request: "attach", plan: { pid: running.pid ?? 0, cwd: program.folder, env: {}, extra: {} } },
      at(program, "spin", ["i"]),
      { collector: "perf", signal: abort.signal, progress: (seen) => seen >= 20 && abort.abort() },
    );
    expect(record.end).toEqual({ how: "left" });
    expect(record.points.length).toBeGreaterThanOrEqual(20);
    expect(record.points[0]).toMatchObject({
      thread: "goroutine 1",
      frames: [{ function: "main.main" }, {}, {}],
    });
    const numbers = record.points.map(({ values }) => Number(values[0]));
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
    expect(running.exitCode ?? running.signalCode).toBeNull();
    expect(probesLeft()).toEqual([]);
  });

  test("puts probes where dlv puts breakpoints", { timeout: LONG }, async () => {
    const program = written(KINDS);
    const launch = await prepared("delve", launching({ program: program.source, cwd: program.folder }));
    const lines = readFileSync(program.source, "utf8")
      .split("\n")
      .map((_, at) => at + 1);
    for (const flags of ["-N -l", "-l", ""]) {
      const binary = build(program, [`-gcflags=all=${flags}`]);
      const theirs = breakpoints(launch.found.path, binary, lines, program.source);
      const code = new Code(binary);
      const ours = new Map(lines.map((line) => [line, spots(code, program.source, line)]));
      const left = lines.filter((line) => ours.get(line) === undefined);
      for (const line of lines.filter((one) => !left.includes(one) && theirs.has(one)))
        expect([line, ours.get(line)]).toEqual([line, theirs.get(line)]);
      expect(theirs.size).toBeGreaterThan(40);
      // Of optimised code some is inlined, and left to dlv.
      if (flags === "-N -l") expect(left).toEqual([]);
      else expect([...theirs.keys()].filter((line) => !left.includes(line)).length).toBeGreaterThan(20);
    }
  });
});

interface Spot {
  addresses: number[];
  line: number;
}

/** Nothing where it is left to dlv. */
function spots(code: Code, path: string, line: number): Spot | undefined {
  try {
    const found = spotsOf(code, path, line);
    return { addresses: found.map(({ address }) => address).sort(), line: found[0]?.line ?? 0 };
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

/** Of lines that have code. */
function breakpoints(dlv: string, binary: string, lines: number[], path: string): Map<number, Spot> {
  const input = [...lines.map((line) => `break ${path}:${line}\nclearall`), "exit", ""].join("\n");
  const command = '"$0" exec "$1" --allow-non-terminal-interactive=true 2>&1';
  const said = execFileSync("/bin/sh", ["-c", command, dlv, binary], { input, encoding: "utf8" });
  const answers = said.split("\n").filter((line) => /Breakpoint \d+ set at|Command failed/.test(line));
  expect(answers.length).toBe(lines.length);
  return new Map(
    answers.flatMap((answer, at) => {
      const [, addresses = "", line] = / set at (\S+) for .*:(\d+)$/.exec(answer) ?? [];
      if (line === undefined) return [];
      return [[lines[at] ?? 0, { addresses: addresses.split(",").map(Number).sort(), line: Number(line) }]];
    }),
  );
}
