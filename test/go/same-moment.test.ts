/** Goroutines that reach a line at the same moment: delve tells of one of them, and we of each. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";

const slow = { timeout: 90_000 };

/** Three rounds of eight, let go at once. */
const CROWD = `package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

var ran int64

func work(n int, gate *int64, wg *sync.WaitGroup) {
	defer wg.Done()
	for atomic.LoadInt64(gate) == 0 {
		runtime.Gosched()
	}
	box := []int{n}
	atomic.AddInt64(&ran, int64(len(box))) // here
}

func main() {
	runtime.GOMAXPROCS(8)
	for round := 0; round < 3; round++ {
		var wg sync.WaitGroup
		var gate int64
		for i := 0; i < 8; i++ {
			wg.Add(1)
			go work(round*8+i, &gate, &wg)
		}
		atomic.StoreInt64(&gate, 1)
		wg.Wait()
	}
	fmt.Println("ran", ran)
}
`;

/** One goroutine. */
const ALONE = `package main

import "fmt"

func main() {
	sum := 0
	for i := 0; i < 3; i++ {
		sum += i
	}
	fmt.Println(sum)
}
`;

const HERE = CROWD.split("\n").findIndex((line) => line.endsWith("// here")) + 1;
const ALL = [...Array(24).keys()];

function crowd() {
  const sonde = borrowSonde();
  sonde.write("main.go", CROWD);
  return sonde;
}

/** Every stop to the end: the number of the hit, and n there. */
async function stops(sonde: ReturnType<typeof crowd>, place: string) {
  const seen: { hit: number | undefined; n: number }[] = [];
  let result = await sonde.ask<MoveResult>(["start", "main.go", "--break", place]);
  while (result.state === "stopped") {
    const n = Number((await sonde.ask<{ value: string }>("print n")).value);
    seen.push({ hit: result.snapshot.breakpoints?.[0]?.hit, n });
    result = await sonde.ask<MoveResult>("continue");
  }
  expect(result).toMatchObject({ state: "exited", exitCode: 0 });
  return seen;
}

const numbers = (seen: { n: number }[]) => seen.map(({ n }) => n).sort((a, b) => a - b);

test("continue shows each of them once, and counts them one by one", slow, async () => {
  const seen = await stops(crowd(), `main.go:${HERE}`);
  expect(seen.map(({ hit }) => hit)).toEqual(ALL.map((n) => n + 1));
  expect(numbers(seen)).toEqual(ALL);
});

test("only those for whom the condition holds", slow, async () => {
  const seen = await stops(crowd(), `main.go:${HERE} if n % 2 == 1`);
  expect(numbers(seen)).toEqual(ALL.filter((n) => n % 2 === 1));
});

test("trace and probe count them all, and doubt nothing", slow, async () => {
  const sonde = crowd();
  const places = ["--at", `main.go:${HERE}=box`, "--at", `main.go:${HERE - 1}=n`];
  const traced = await sonde.text(["trace", ...places, "--", "go", "run", "main.go"]);
  expect(traced).toMatch(/^trace t\d+: 48 hits · exit code 0 · .* by delve/);
  expect(traced).not.toContain("missing");
  const probed = await sonde.text(["probe", `main.go:${HERE}`, "--hits", "24", "--", "go", "run", "main.go"]);
  expect(probed).toContain("(hit 24)");
});

test("a step takes the others along, and that is said", slow, async () => {
  const sonde = crowd();
  let text = await sonde.text(["start", "main.go", "--break", `main.go:${HERE}`]);
  for (let steps = 0; steps < 24 && !text.includes("went on with this step"); steps++)
    text = await sonde.text(/^stopped: breakpoint/.test(text) ? "next" : "continue");
  expect(text).toMatch(/note: \d other goroutines? (was|were) stopped too, and went on with this step/);
});

test("a log message of each is marked as one", slow, async () => {
  const sonde = crowd();
  await sonde.ask("start main.go --stop-on-entry");
  await sonde.ask(["break", `main.go:${HERE}`, "--log", "n={n}"]);
  const ended = await sonde.text("continue");
  expect(ended).toContain("log | n=23\n");
  expect(ended).toMatch(/^ *\| ran 24$/m);
  expect(ended).not.toMatch(/^ *\| n=/m);
});

test("a pointer is printed with its address, which --format takes", slow, async () => {
  const sonde = crowd();
  await sonde.ask(["start", "main.go", "--break", `main.go:${HERE} if n == 3`]);
  const { value } = await sonde.ask<{ value: string }>(["print", "&box[0]"]);
  expect(value).toMatch(/^0x[0-9a-f]+ \*3$/);
  const address = await sonde.ask<{ value: string }>(["print", "&box[0]", "--format", "address"]);
  expect(BigInt(address.value)).toBe(BigInt(value.split(" ")[0] ?? ""));
  expect((await sonde.ask<{ value: string }>(["print", "uintptr(&box[0])"])).value).toContain(
    `= ${value.split(" ")[0]}`,
  );
});

test("a condition that cannot be told stops, and no hit is said to be missing", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("main.go", ALONE);
  const text = await sonde.text(["start", "main.go", "--break", "main.go:8 if nosuch > 1"]);
  expect(text).toMatch(/^stopped: breakpoint 1 \(hit 1\)/);
  expect(text).toContain("its condition cannot be evaluated");
  expect(text).not.toContain("missing");
  expect(await sonde.text("continue")).not.toContain("missing");
});
