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
});
