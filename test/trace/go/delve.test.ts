/** Go, read in one go at each stop: the record that the plain way gives. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collector as delve } from "../../../src/trace/collectors/delve/index.ts";
import type { Plan } from "../../../src/trace/plan.ts";
import { compilerVersion } from "../../support/builds.ts";
import { launching, planOf, prepared, type Recorded, recorded } from "../support.ts";
import { type Written, written } from "./programs.ts";

const LONG = 90_000;
const WITHOUT_GO = compilerVersion("go") === undefined ? "there is no go" : undefined;

function at({ source, line }: Written, marker: string, expressions: string[], condition?: string): Plan {
  return planOf([
    { path: source, line: line(marker), expressions, ...(condition === undefined ? {} : { condition }) },
  ]);
}

function by(collector: string, { source, folder }: Written, plan: Plan, args: string[] = [], stdin = "") {
  const opening = launching({ program: source, args, cwd: folder });
  return recorded("delve", opening, plan, { collector, stdin: Buffer.from(stdin) });
}

function told({ points, bindings, counts, end, stdout, stderr, notes }: Recorded) {
  return {
    hits: points.map(({ point, hit, thread, values, frames }) => ({ point, hit, thread, values, frames })),
    ...{ bindings, counts, end, stdout, stderr, notes },
  };
}

async function same(program: Written, plan: Plan, args: string[] = [], stdin = ""): Promise<Recorded> {
  const plain = await by("stops", program, plan, args, stdin);
  const fast = await by("delve", program, plan, args, stdin);
  expect(told(fast)).toEqual(told(plain));
  expect(fast.collector).toBe("delve");
  return fast;
}

describe.skipIf(WITHOUT_GO)(`delve${WITHOUT_GO ? ` (skipped: ${WITHOUT_GO})` : ""}`, () => {
  test("reads values, frames and output as the plain way does", { timeout: LONG }, async () => {
    const program = written();
    const expressions =
      "i local sum*2 half part part.Name *part part.Next.X names len(names) any none none.X nosuch names[1] i%2==0".split(
        " ",
      );
    const fast = await same(program, at(program, "here", expressions), ["7"], "one\ntwo\n");
    expect(fast).toMatchObject({ counts: [7], end: { how: "exited", exitCode: 3 } });
    expect(fast.stdout).toContain("read two");
    const value = (hit: number, name: string) => fast.points[hit]?.values[expressions.indexOf(name)];
    expect(value(3, "none.X")).toBe("<unavailable>");
    expect(value(4, "none.X")).toBe("4");
    expect(fast.points[6]?.thread).toBe("goroutine 1");
  });

  test("keeps only hits whose condition holds", { timeout: LONG }, async () => {
    const program = written();
    const fast = await same(program, at(program, "here", ["i"], "i % 3 == 1 && sum > 0"), ["12"]);
    expect(fast.points.map(({ values }) => values[0])).toEqual(["4", "7", "10"]);
  });

  test("goes on through more hits than it tries ways for", { timeout: LONG }, async () => {
    const program = written();
    const fast = await by("delve", program, at(program, "here", ["i", "part.X"]), ["250"]);
    expect(fast.points.map(({ values }) => Number(values[0]))).toEqual([...Array(250).keys()]);
    expect(new Set(fast.points.map(({ frames }) => frames.map((one) => one.function).join())).size).toBe(1);
    expect(fast.dropped).toBe(0);
  });

  test("tells goroutines apart", { timeout: LONG }, async () => {
    const program = written();
    const fast = await by("delve", program, at(program, "worker", ["number", "square"]), ["1", "threads"]);
    expect(fast.points.map(({ values }) => values.join()).sort()).toEqual(["1,1", "2,4", "3,9"]);
    expect(new Set(fast.points.map(({ thread }) => thread)).size).toBe(3);
    for (const { thread } of fast.points) expect(thread).toMatch(/^goroutine \d+/);
    expect(fast.notes.join()).not.toContain("missing");
  });

  test("binds as the plain way does where there is no code", { timeout: LONG }, async () => {
    const program = written();
    const plan = at(program, "nothing", ["number"]);
    // Such a run is ended at once: how much it has printed by then is chance.
    const silent = async (collector: string) => ({
      ...told(await by(collector, program, plan, ["1"])),
      stdout: undefined,
    });
    expect(await silent("delve")).toEqual(await silent("stops"));
  });

  test("ends a program that does not end, and tells a panic", { timeout: LONG }, async () => {
    const program = written();
    const abort = new AbortController();
    const spun = await recorded(
      "delve",
      launching({ program: program.source, args: ["1", "spin"], cwd: program.folder }),
      at(program, "spin", ["i"]),
      { collector: "delve", signal: abort.signal, progress: (seen) => seen >= 30 && abort.abort() },
    );
    expect(spun.end).toEqual({ how: "stopped" });
    expect(spun.points.map(({ values }) => values[0])).toEqual([...Array(30).keys()].map(String));
    const panicked = await same(program, at(program, "here", ["i"]), ["2", "panic"]);
    expect(panicked.end).toMatchObject({ how: "exited", exitCode: 2 });
    expect(panicked.stderr).toContain("panic: no good");
  });

  test("runs a binary that is already built", { timeout: LONG }, async () => {
    const program = written();
    execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", "built", program.source], {
      cwd: program.folder,
    });
    const binary = await recorded(
      "delve",
      launching({ program: join(program.folder, "built"), args: ["3"], cwd: program.folder }),
      at(program, "here", ["i"]),
      { collector: "delve" },
    );
    expect(binary.counts).toEqual([3]);
  });

  test("leaves to the plain way what it does not do", async () => {
    const launch = await prepared("delve", launching({ program: "/nowhere.go", cwd: "/" }));
    const lines = { functions: ["main.work"], under: [], depth: 0 };
    expect(await delve.unfit({ ...planOf([]), lines }, launch)).toMatch(/not at every line/);
    expect(await delve.unfit(planOf([]), launch)).toBeUndefined();
  });
});
