/** Go binaries that were built with optimisation, and lines that have no code, by every collector. */
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../../support/builds.ts";
import { WITHOUT_PROBES } from "../perf/programs.ts";
import { launching, planOf, type Recorded } from "../support.ts";
import { type Written, written } from "./programs.ts";
import { at, build, LONG, running } from "./rig.ts";

const WITHOUT_GO = compilerVersion("go") === undefined;
const ALL = [...(WITHOUT_PROBES === undefined ? ["perf"] : []), "delve", "stops"];

const PROGRAM = `package main

import "os"

var total = 3

//go:noinline
func show(n int) { os.Stdout.WriteString(string(rune('a' + n))) }

//go:noinline
func work(x, y int) int {
	n := x * 2
	for k := 0; k < 2; k++ {
		n = n + y
		total += k
		show(n % 20) // @marker here
	}
	if 1 > 2 {
		show(x) // @marker never
	}
	show(x) // @marker after
	return n + x
}

func main() {
	work(1, 2)
	work(3, 4)
}
`;

async function recordedBy(collector: string, program: Written, binary: string, how: Parameters<typeof at>) {
  const [, ...rest] = how;
  return running(collector, launching({ program: binary, cwd: program.folder }), at(program, ...rest));
}

const values = ({ points }: Recorded) => points.map((one) => one.values.join(","));

describe.skipIf(WITHOUT_GO).each(ALL)("%s", { timeout: LONG }, (collector) => {
  test("tells of an optimised binary only what is set once, and says how to see the rest", async () => {
    const program = written(PROGRAM);
    const binary = build(program, []);
    const here = await recordedBy(collector, program, binary, [program, "here", ["x", "n", "k", "total"]]);
    // What is set once may have lost its place; what is set again is never told.
    expect(here.points.length).toBe(4);
    for (const [at, { values: told }] of here.points.entries()) {
      expect(["<unavailable>", at < 2 ? "1" : "3"]).toContain(told[0]);
      expect(told.slice(1)).toEqual(Array(3).fill("<unavailable>"));
    }
    const notes = here.notes.join("\n");
    expect(notes).toMatch(/optimised code \(main\.go:\d+\): a line may have run more or less often/);
    expect(notes).toMatch(/n, k, total.* no value is reported; build with -gcflags='all=-N -l' to see it/);
    const weighed = await recordedBy(collector, program, binary, [program, "here", ["x"], "n > 5"]);
    expect(weighed.counts).toEqual([0]);
    expect(weighed.notes.join("\n")).toMatch(/`n > 5` cannot be evaluated, so hits are not recorded/);
  });

  test("tells everything of one that is not", async () => {
    const program = written(PROGRAM);
    const binary = build(program, ["-gcflags=all=-N -l"]);
    const here = await recordedBy(collector, program, binary, [program, "here", ["x", "n", "k", "total"]]);
    expect(values(here)).toEqual(["1,4,0,3", "1,6,1,4", "3,10,0,4", "3,14,1,5"]);
    expect(here.notes.filter((one) => one.includes("optimised"))).toEqual([]);
  });

  test("has no hits of a line that was left out, and names those that have code", async () => {
    const program = written(PROGRAM);
    const binary = build(program, ["-gcflags=all=-N -l"]);
    const never = await recordedBy(collector, program, binary, [program, "never", ["x"]]);
    expect(never.points).toEqual([]);
    const nearest = expect.arrayContaining([program.line("after")]);
    expect(never.bindings).toMatchObject([{ state: "unbound", reason: "no code there", nearest }]);
  });
});

test.skipIf(WITHOUT_GO)(
  "the lines of an optimised function show only what is set once; those of one that is not, everything",
  { timeout: LONG },
  async () => {
    const program = written(PROGRAM);
    const lines = { functions: ["main.work"], depth: 0, under: [program.folder] };
    const shown = async (flags: string[]) => {
      const opening = launching({ program: build(program, flags), cwd: program.folder });
      const record = await running("stops", opening, planOf([], { lines }));
      const changes = record.hits.flatMap((one) => (one.kind === "point" ? [] : one.changes));
      const valuesOf = (name: string) =>
        changes.flatMap(([changed, value]) => (changed === name && /\d/.test(value) ? [value] : []));
      return { notes: record.notes.join(), n: valuesOf("n"), k: valuesOf("k"), x: valuesOf("x") };
    };
    const optimised = await shown([]);
    expect(optimised).toMatchObject({ n: [], k: [] });
    for (const value of optimised.x) expect(["1", "3"]).toContain(value);
    expect(optimised.notes).toContain("values that are not proven to be current are <unavailable>");
    const plain = await shown(["-gcflags=all=-N -l"]);
    expect(plain.n).toEqual(expect.arrayContaining(["2", "4", "6", "10", "14"]));
    expect(plain.notes).not.toContain("optimisation");
  },
);
