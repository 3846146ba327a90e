/** Whole calls in Go: stepped through one at a time, however many goroutines come by. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../../support/builds.ts";
import { launching, planOf, recorded, scratch } from "../support.ts";

const WITHOUT_GO = compilerVersion("go") === undefined ? "there is no go" : undefined;

const PROGRAM = `package main

import "fmt"

func price(count int, rate float64) float64 {
	p := float64(count) * rate
	p += 1
	return p
}

func main() {
	done := make(chan float64)
	for n := 1; n <= 4; n++ {
		go func() { done <- price(n, 2) }()
	}
	sum := 0.0
	for range 4 {
		sum += <-done
	}
	fmt.Println(sum, price(9, 1))
}
`;

/** With a goroutine that waits, so that there is more than one; one function calls itself and is called by the other. */
const NESTED = `package main

import "fmt"

func inner(n int) int {
	if n == 5 {
		return inner(n-1) + 6
	}
	return n * 2
}

func outer(n int) int {
	a := inner(n)
	b := other(a)
	return b + inner(5) + 1
}

func other(n int) int {
	return n - 5
}

func main() {
	stay := make(chan int)
	go func() { stay <- 0 }()
	fmt.Println(outer(3) + 6)
	<-stay
}
`;

describe.skipIf(WITHOUT_GO)(`calls in Go${WITHOUT_GO ? ` (skipped: ${WITHOUT_GO})` : ""}`, () => {
  test("of goroutines that run at once are whole, and the program ends by itself", {
    timeout: 90_000,
  }, async () => {
    const folder = scratch();
    const program = join(folder, "main.go");
    writeFileSync(program, PROGRAM);
    const plan = planOf([], { lines: { functions: ["price"], under: [], depth: 0 } });
    const record = await recorded("delve", launching({ program, cwd: folder }), plan, { collector: "stops" });
    expect(record).toMatchObject({ end: { how: "exited", exitCode: 0 }, stdout: "24 10\n" });
    const events = record.hits.flatMap((one) => (one.kind === "point" ? [] : [one]));
    const calls = events.filter(({ kind }) => kind === "call");
    expect(calls.length).toBeGreaterThanOrEqual(2); // the last one runs alone
    for (const { call, changes } of calls) {
      const own = events.filter((one) => one.call === call);
      expect(own.map(({ kind, line }) => (kind === "line" ? line : kind))).toEqual([
        "call",
        5,
        6,
        7,
        8,
        "return",
      ]);
      expect(changes.map(([name]) => name).sort()).toEqual(["count", "rate"]);
    }
  });

  test("of several named functions are all there, also one that another of them calls", {
    timeout: 90_000,
  }, async () => {
    const folder = scratch();
    const program = join(folder, "main.go");
    writeFileSync(program, NESTED);
    const plan = planOf([], { lines: { functions: ["outer", "inner"], under: [], depth: 0 } });
    const record = await recorded("delve", launching({ program, cwd: folder }), plan, { collector: "stops" });
    expect(record).toMatchObject({ end: { how: "exited", exitCode: 0 }, stdout: "22\n" });
    const events = record.hits.flatMap((one) => (one.kind === "point" ? [] : [one]));
    const calls = events.filter(({ kind }) => kind === "call");
    expect(calls.map((one) => [one.function, one.parent, ...one.changes.flat()])).toEqual([
      ["main.outer", undefined, "n", "3"],
      ["main.inner", 1, "n", "3"],
      ["main.inner", 1, "n", "5"],
      ["main.inner", 3, "n", "4"],
    ]);
  });

  test("of main end where it returns to the runtime, whose own function has the same name", {
    timeout: 90_000,
  }, async () => {
    const folder = scratch();
    const program = join(folder, "main.go");
    writeFileSync(program, PROGRAM);
    const plan = planOf([], { lines: { functions: ["main"], under: [], depth: 0 } });
    const record = await recorded("delve", launching({ program, cwd: folder }), plan, { collector: "stops" });
    const events = record.hits.flatMap((one) => (one.kind === "point" ? [] : [one]));
    expect(new Set(events.map((one) => one.function))).toEqual(new Set(["main.main"]));
    expect(events.at(-1)?.kind).toBe("return");
  });
});
