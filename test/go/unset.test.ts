/** Declarations over several lines: until they have run, dlv shows what was in the variable's place before. */
import { expect, test } from "vitest";
import { declaring, unsetNames } from "../../src/adapters/delve/statements.ts";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";

const PROGRAM = `package main

import "fmt"

func twice(n int) int { return 2 * n }

func sum(all ...int) int {
	total := 0
	for _, one := range all {
		total += one
	}
	return total
}

func main() {
	items := []struct {
		A int
		B string
	}{{1, "x"}, {2, "y"}}
	count := sum(
		twice(3),
		len(items),
	)
	fmt.Println(count, items)
}
`;

test("no value before the declaration has run to its end", { timeout: 90_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("main.go", PROGRAM);
  await sonde.ask<MoveResult>(["start", "main.go", "--break", "main.go:21", "--break", "main.go:24"]);
  const names = async () => {
    const { scopes } = await sonde.ask<{ scopes: { kind?: string; values: { name: string }[] }[] }>("locals");
    const own = scopes.filter(({ kind }) => kind === "locals");
    return own.flatMap(({ values }) => values.map(({ name }) => name));
  };
  expect(await names()).toEqual(["items"]);
  expect((await sonde.run(["print", "count + 1"])).stderr).toContain("count has no value yet");
  expect((await sonde.run(["print", "len(items)"])).stdout).toContain("= 2");
  await sonde.ask("continue");
  expect((await names()).sort()).toEqual(["count", "items"]);
});

const RESULTS = `package main

import "fmt"

func split(n int) (a, b int, err error) {
	a = n / 2
	b = n - a
	return
}

func main() {
	fmt.Println(split(7))
}
`;

test("a function's results have no value at its head", { timeout: 90_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("main.go", RESULTS);
  const start = await sonde.text(["start", "main.go", "--function-break", "main.split"]);
  expect(start).toContain("  n = 7  (int)\nstack");
  const next = await sonde.text("next");
  for (const name of ["a", "b"]) expect(next).toContain(`  ${name} = 0  (int)`);
  const trace = await sonde.text(["trace", "--function", "split", "--", "go", "run", "main.go"]);
  expect(trace).toContain("main.split(n=7)");
});

test.each(["perf", "delve", "stops"])("a trace by %s has none either", { timeout: 90_000 }, async (by) => {
  const sonde = borrowSonde();
  sonde.write("main.go", PROGRAM);
  const { stdout, stderr } = await sonde.run([
    ...["trace", "--collector", by, "--at", "main.go:21", "--watch", "count", "--", "go", "run", "main.go"],
  ]);
  // Kernel probes refuse what they cannot read; another way is taken where none was asked for.
  expect(stdout + stderr).toMatch(by === "perf" ? /declaration of count|<unavailable>/ : /<unavailable>/);
});

const TEXT = `package main

var (
	one = f(
		1)
	two, _ = 2, 3
)

func (t *T[int]) m(g func(interface{}) int) {
	a, b := f(
		1, // (
		"} :=",
	), \`raw
	{\`
	if c := f(
		a); c > 0 {
		d := a +
			b
		use(d)
	} else if e, ok := m[
		1]; ok {
		use(e)
	}
	var h []func(int)
	k := func(x int) int {
		y := []T{
			{x},
		}
		return y[0]
	}(
		5)
again:
	for i := range []int{1, 2} {
		switch v := any(i).(type) {
		case int:
			use(v)
		default:
		}
	}
	go func() { use(h) }()
	goto again
}

func (t T) results(n int) (a, b int,
	err error) {
	f := func(x int) (m map[string]int) {
		return nil
	}
	use(f)
}
func types(n int) (pkg.T, map[string]int, error) { return }
func typed(n int) (chan int, func(a int) (b int)) {
	return
}
`;

test("where statements end, by Go's own rule", () => {
  const lines = TEXT.split("\n");
  const all = declaring(lines);
  const told = lines.flatMap((text, at) => {
    const names = unsetNames(all ?? [], at + 1);
    return names.length > 0 ? [[text.trim(), names.join(" ")]] : [];
  });
  expect(told).toEqual([
    ["1)", "one"],
    ["1, // (", "a b"],
    ['"} :=",', "a b"],
    ["), `raw", "a b"],
    ["{`", "a b"],
    ["b", "d"],
    ["{x},", "y"],
    ["}", "y"],
    ["}(", "k"],
    ["5)", "k"],
    ["func (t T) results(n int) (a, b int,", "a b err"],
    ["err error) {", "a b err"],
    ["}", "f"],
  ]);
  const literal = lines.findIndex((text) => text.includes("(m map")) + 1;
  expect(unsetNames(all ?? [], literal, true)).toEqual(["m"]);
  // A name that is there already keeps its value; so do loops' variables, and results of a function on one line.
  const reused = [
    "func f(k int) (n int) { return }",
    "func g() (err error) {",
    "\ta, err := h(",
    "\t\t1)",
    "}",
  ];
  expect(unsetNames(declaring(reused) ?? [], 4)).toEqual(["a"]);
  expect(unsetNames(declaring(reused) ?? [], 1)).toEqual([]);
  const list = ["func f() {", "\tfor i, v := range []int{", "\t\t1,", "\t} {", "\t\tuse(i, v)", "\t}", "}"];
  expect(declaring(list)).toHaveLength(3);
  expect(declaring(["func f() {", "\tx := (1", "}"])).toBeUndefined();
});
