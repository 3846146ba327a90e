/** Whole calls in compiled languages: recursion with its depth, what calls return, and whose function a plain name means. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const C = `#include <stdio.h>
int fact(int n) {
  if (n <= 1)
    return 1;
  int rest = fact(n - 1);
  return n * rest;
}
int main(void) {
  printf("%d\\n", fact(4));
  return 0;
}
`;

const GO = `package main

import "fmt"

func fact(n int) int {
	if n <= 1 {
		return 1
	}
	rest := fact(n - 1)
	return n * rest
}

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

func pair(s string, k int8) (string, int8, error) {
	return s + "!", k * 2, nil
}

func late() (n int) {
	defer func() { n = 9 }()
	return n + 1
}

func main() {
	fmt.Println(fact(4), gcd(12, 18), late())
	fmt.Println(pair("a", 100))
}
`;

async function traced(sonde: Sonde, name: string, program: string): Promise<string> {
  return sonde.text(["trace", "--function", name, "--", program]);
}

function expectFourCalls(text: string, returned: readonly number[]): void {
  const indents = [...text.matchAll(/^( *)(?:main\.)?fact\(n=(\d)\)/gm)].map(([, space = "", n]) => [
    n,
    space.length,
  ]);
  expect(indents.map(([n]) => n)).toEqual(["4", "3", "2", "1"]);
  const depths = indents.map(([, depth]) => Number(depth));
  expect(depths).toEqual([...depths].sort((a, b) => a - b));
  expect(new Set(depths).size).toBe(4);
  expect([...text.matchAll(/returned (\d+)/g)].map(([, value]) => Number(value))).toEqual(returned);
}

test("C: each call of a function that calls itself", { timeout: 120_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("fact.c", C);
  execFileSync("gcc", ["-g", "-O0", "-o", "fact", "fact.c"], { cwd: sonde.project });
  expectFourCalls(await traced(sonde, "fact", "./fact"), [1, 2, 6, 24]);
});

test("Go: recursion, results as the program prints them, and your function before the runtime's", {
  timeout: 180_000,
}, async () => {
  const sonde = borrowSonde();
  sonde.write("main.go", GO);
  execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", "calls", "main.go"], { cwd: sonde.project });
  const printed = execFileSync("./calls", { cwd: sonde.project, encoding: "utf8" });
  expect(printed).toBe("24 6 9\na! -56 <nil>\n");
  expectFourCalls(await traced(sonde, "fact", "./calls"), [1, 2, 6, 24]);
  const gcd = await traced(sonde, "gcd", "./calls");
  expect(gcd).toMatch(/main\.gcd\(a=12, b=18\)/);
  expect(gcd).toMatch(/returned 6\n/);
  expect(await traced(sonde, "pair", "./calls")).toMatch(/returned "a!", -56, nil\n/);
  // What is deferred changes it: nobody knows before.
  const late = await traced(sonde, "late", "./calls");
  expect(late).toMatch(/^ *main\.late\(/m);
  expect(late).not.toMatch(/returned 1\n/);
});

test("Go: diff names the line whose result differs, though no variable does", {
  timeout: 180_000,
}, async () => {
  const sonde = borrowSonde();
  for (const [side, text] of [
    ["a", GO],
    ["b", GO.replace("return n * rest", "return n + rest")],
  ] as const) {
    sonde.write(`${side}/main.go`, text);
    execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", `${side}/calls`, `${side}/main.go`], {
      cwd: sonde.project,
    });
  }
  const text = await sonde.text(["diff", "--a", "./a/calls", "--b", "./b/calls"]);
  expect(text).toMatch(
    /^first divergence: line a\/main\.go:10 in main\.fact: return value differs .*changed line/,
  );
});
