/** What dlv does not do by itself: several breakpoints on a line, conditions that fail, lines without code. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };

const LOOP = `package main

import "fmt"

func show(n int) {
	fmt.Println("n", n)

	// nothing here
	fmt.Println("shown")
}

func main() {
	for n := 0; n < 6; n++ {
		show(n)
	}
}
`;

async function started(...more: string[]): Promise<{ sonde: Sonde; first: MoveResult }> {
  const sonde = borrowSonde();
  sonde.write("main.go", LOOP);
  const breaks = more.flatMap((one) => ["--break", one]);
  return { sonde, first: await sonde.ask<MoveResult>(["start", "main.go", ...breaks]) };
}

/** Every stop to the end: which breakpoints, and n there. */
async function stops(
  sonde: Sonde,
  first: MoveResult,
  most = Number.POSITIVE_INFINITY,
): Promise<{ hit: number[]; n: string }[]> {
  const seen: { hit: number[]; n: string }[] = [];
  for (let result = first; result.state === "stopped"; result = await sonde.ask<MoveResult>("continue")) {
    expect(result.snapshot.reason).toMatch(/^(function )?breakpoint$/);
    const { value } = await sonde.ask<{ value: string }>("print n");
    seen.push({ hit: (result.snapshot.breakpoints ?? []).map(({ id }) => id).sort(), n: value });
    if (seen.length === most) break;
  }
  return seen;
}

test("two conditions on one line: each stop names those that hold", slow, async () => {
  const { sonde, first } = await started("main.go:6 if n == 1 || n == 4", "main.go:6 if n >= 4");
  expect(await stops(sonde, first)).toEqual([
    { hit: [1], n: "1" },
    { hit: [1, 2], n: "4" },
    { hit: [2], n: "5" },
  ]);
});

test("one without a condition stops always; removed, it leaves the other its own", slow, async () => {
  const { sonde, first } = await started("main.go:6 if n == 3", "main.go:6");
  expect(first).toMatchObject({ state: "stopped", snapshot: { breakpoints: [{ id: 2 }] } });
  await sonde.ask("breakpoint remove 2");
  expect(await stops(sonde, await sonde.ask<MoveResult>("continue"))).toEqual([{ hit: [1], n: "3" }]);
});

test("a condition that cannot be read takes no other along", slow, async () => {
  const { sonde, first } = await started("main.go:6 if n >", "main.go:6 if n == 2");
  expect(await sonde.text("breakpoints")).toMatch(/1 .*not bound: .*expected operand.*\n.*2 .* bound/);
  expect(first).toMatchObject({ state: "stopped", snapshot: { breakpoints: [{ id: 2 }] } });
  await sonde.ask(["break", "main.go:6 if n == 4"]);
  expect((await stops(sonde, first)).map(({ n }) => n)).toEqual(["2", "4"]);
});

test("what cannot be combined is said, and the first still does its work", slow, async () => {
  const { sonde, first } = await started("main.go:6 if n == 2");
  for (const [option, value, what] of [
    ["--hit-count", "3", "a hit count"],
    ["--log", "n is {n}", "a log message"],
  ] as const)
    expect(await sonde.text(["break", "main.go:6", option, value])).toMatch(
      new RegExp(`not bound: delve allows one breakpoint per line: ${what} cannot be combined`),
    );
  expect(await stops(sonde, first)).toEqual([{ hit: [1], n: "2" }]);
});

test("a condition that cannot be evaluated: a stop at its breakpoint, and why", slow, async () => {
  const { sonde, first } = await started("main.go:6 if zz > 1");
  expect(first).toMatchObject({
    state: "stopped",
    snapshot: { reason: "breakpoint", breakpoints: [{ id: 1 }], frame: { line: 6 } },
  });
  expect(JSON.stringify(first)).toContain(
    "breakpoint at main.go:6: its condition cannot be evaluated: could not find symbol value for zz",
  );
  await sonde.ask("breakpoint remove 1");
  await sonde.ask(["break", "-f", "show", "--condition", "n + 1"]);
  const text = await sonde.text("continue");
  expect(text).toMatch(/^stopped: breakpoint 2 /);
  expect(text).toMatch(
    /breakpoint at main.go:5: its condition cannot be evaluated: `n \+ 1` is not a boolean/,
  );
});

test("a line without code: the next that has some, also where there is one already", slow, async () => {
  const { sonde, first } = await started("main.go:7 if n == 1", "main.go:9 if n == 2", "main.go:11");
  expect(await sonde.text("breakpoints")).toMatch(
    /main\.go:7 .*line 9\n.*main\.go:9 .*bound\n.*main\.go:11 .*line 12/,
  );
  expect(first).toMatchObject({
    state: "stopped",
    snapshot: { breakpoints: [{ id: 3 }], frame: { function: "main.main", line: 12 } },
  });
  expect(await stops(sonde, await sonde.ask<MoveResult>("continue"))).toEqual([
    { hit: [1], n: "1" },
    { hit: [2], n: "2" },
  ]);
});

test(
  "a hit count that has been reached: it stays where it is, and stops nobody, whatever is set or removed beside it",
  slow,
  async () => {
    const { sonde } = await started("main.go:14");
    await sonde.ask("break main.go:6 --hit-count 2");
    await sonde.ask("break main.show --hit-count 2");
    const seen = await stops(sonde, await sonde.ask<MoveResult>("continue"), 4);
    expect(seen.map(({ hit }) => hit)).toEqual([[1], [3], [2], [1]]);
    const kept =
      /main\.go:6 .*hit count 2 +bound, 2 hits\n.*main\.show at main\.go:5 .*hit count 2 +bound, 2 hits/;
    await sonde.ask("break main.go:9 --log x");
    await sonde.ask("break fmt.Fprintf");
    expect(await sonde.text("breakpoints")).toMatch(kept);
    await sonde.ask("breakpoint remove 4 5");
    expect(await sonde.text("breakpoints")).toMatch(kept);
    const after = await stops(sonde, await sonde.ask<MoveResult>("continue"));
    expect(after.map(({ hit }) => hit)).toEqual([[1], [1], [1]]);
  },
);
