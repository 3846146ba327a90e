/** `sonde diff`: what its answer leads with, and what it leaves out. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

async function diffed(sonde: Sonde, a: string, b: string): Promise<string[]> {
  const text = await sonde.text(["diff", "--a", a, "--b", b]);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  return text.split("\n");
}

test("a call that is given other values: the caller's line, with its text and what it gives on both sides", async () => {
  const sonde = borrowSonde();
  const text = (given: string) =>
    `def area(width, height):\n    return width * height\n\ndef room(size):\n    return area(size, ${given})\n\nprint(room(3))\n`;
  sonde.write("a/room.py", text("size + 1"));
  sonde.write("b/room.py", text("size - 1"));
  const lines = await diffed(sonde, "python3 a/room.py", "python3 b/room.py");
  expect(lines[0]).toMatch(
    /^first divergence: line a\/room\.py:5 in room: area is given other values: height differs .*changed line/,
  );
  expect(lines.join("\n")).toMatch(
    /A: a\/room\.py:5 \| return area\(size, size \+ 1\), calls area\(width=3, height=4\)/,
  );
  expect(lines.join("\n")).toMatch(
    /B: b\/room\.py:5 \| return area\(size, size - 1\), calls area\(width=3, height=2\)/,
  );
  expect(lines.join("\n")).not.toContain("room.py:1");
  expect(lines.at(-2)).toMatch(/^next: `sonde trace --function room -- python3 b\/room\.py`/);
});

test("a changed line that shows only later leads the answer", async () => {
  const sonde = borrowSonde();
  const text = (copied: string) =>
    `function start(given) {\n  const own = ${copied};\n  own.push(4);\n  return own;\n}\nconst base = [1];\nstart(base);\nconst count = base.length;\nconsole.log(count);\n`;
  sonde.write("a/list.js", text("[...given]"));
  sonde.write("b/list.js", text("given"));
  const lines = await diffed(sonde, "node a/list.js", "node b/list.js");
  expect(lines.slice(0, 2).join("\n")).toMatch(
    /^changed between A and B, and ran before the runs diverge\n {2}A a\/list\.js:2 \| const own = \[\.\.\.given\]; {2}→ {2}B b\/list\.js:2 \| const own = given;/,
  );
});

test("a changed line that ran only after the runs part: it is named, and not blamed for that", async () => {
  const sonde = borrowSonde();
  // Chance that a second run of A does not show: only the second of all runs is odd.
  const text = (sum: string) =>
    `def turn():\n    with open("turns", "a+") as file:\n        file.write(".")\n    odd = 0\n    if len(open("turns").read()) == 2:\n        odd = 1\n    return odd\n\ndef add(x, y):\n    total = ${sum}\n    return total\n\nturn()\nprint(add(2, 3))\n`;
  sonde.write("a/sum.py", text("x + y"));
  sonde.write("b/sum.py", text("x - y"));
  const lines = await diffed(sonde, "python3 a/sum.py", "python3 b/sum.py");
  expect(lines.slice(0, 3).join("\n")).toMatch(
    /^changed between A and B, and ran only after the runs diverge: something else, perhaps chance, makes them diverge\n {2}A a\/sum\.py:10 \| total = x \+ y {2}→ {2}B b\/sum\.py:10 \| total = x - y\nfirst divergence: line a\/sum\.py:5 in turn/,
  );
});

test("a missing statement is named by the version that has it", async () => {
  const sonde = borrowSonde();
  const text = (more: string) =>
    `def run(items):\n    seen = []\n    for one in items:\n        seen.append(one)\n${more}    return seen\n\nprint(run([3, 1]))\n`;
  sonde.write("a/run.py", text("    seen.sort()\n"));
  sonde.write("b/run.py", text(""));
  const lines = await diffed(sonde, "python3 a/run.py", "python3 b/run.py");
  expect(lines[0]).toMatch(/^first divergence: line a\/run\.py:5 in run/);
});

test("what differs while modules are loaded is one line", async () => {
  const sonde = borrowSonde();
  for (const side of ["a", "b"]) {
    const old = side === "a";
    sonde.write(`${side}/kinds.py`, `VERSION = ${old ? "'1.0'" : "'1.1'"}\nLIMIT = 10\n`);
    sonde.write(
      `${side}/app.py`,
      `import kinds\n\ndef cut(n):\n    return min(n, kinds.LIMIT)${old ? "" : " - 1"}\n\nprint(cut(30))\n`,
    );
  }
  const text = (await diffed(sonde, "python3 a/app.py", "python3 b/app.py")).join("\n");
  expect(text).toMatch(/^first divergence: line a\/app\.py:4 in cut: return value differs/);
  expect(text).toMatch(/while modules were loaded: \d+ differences?, first at a\/kinds\.py:1 \(VERSION\)/);
});

test("clocks, addresses, random numbers and folders are no differences", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const text = (by: number) =>
    `import os, random, time\n\ndef step(n):\n    began = time.perf_counter()\n    token = random.random()\n    where = os.path.abspath(__file__)\n    word = 'w' + str(hash('x'))\n    return n + ${by}\n\nn = 1\nfor i in range(3):\n    n = step(n)\nprint(n)\n`;
  sonde.write("a/step.py", text(1));
  sonde.write("b/step.py", text(2));
  const lines = await diffed(sonde, "python3 a/step.py", "python3 b/step.py");
  expect(lines[0]).toMatch(/^first divergence: line a\/step\.py:8 in step: return value differs/);
  expect(lines.join("\n")).toMatch(/ignored, because two runs of A differ in it too: .*began/);
});

test("an empty file is not left out as if it differed", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("kit/__init__.py", "");
  sonde.write("kit/sums.py", "def twice(n):\n    return n + n\n");
  sonde.write("app.py", "import sys\nfrom kit.sums import twice\n\nn = int(sys.argv[1])\nprint(twice(n))\n");
  const lines = await diffed(sonde, "python3 app.py 1", "python3 app.py 2");
  expect(lines[0]).toMatch(/^first divergence: line app\.py:4/);
  expect(lines.join("\n")).not.toContain("left out");
});

test("a side that hangs is ended soon after the other has", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const text = (step: string) =>
    `import time\nn = 0\nwhile n < 5:\n    n += ${step}\n    time.sleep(0.01)\nprint(n)\n`;
  sonde.write("a/loop.py", text("1"));
  sonde.write("b/loop.py", text("0"));
  const lines = await diffed(sonde, "python3 a/loop.py", "python3 b/loop.py");
  expect(lines[0]).toMatch(/^first divergence: line a\/loop\.py:4/);
  expect(lines.join("\n")).toMatch(/B partial: it was still running after 10 s/);
});

const GO = `package main

import "fmt"

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	rest := a % b
	return gcd(b, rest)
}

func main() {
	fmt.Println(gcd(48, 18))
}
`;

test("Go without a plan: every line, recursion too", { timeout: 120_000 }, async () => {
  const sonde = borrowSonde();
  for (const [side, text] of [
    ["a", GO],
    ["b", GO.replace("a % b", "a / b")],
  ] as const) {
    sonde.write(`${side}/gcd.go`, text);
    execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", `${side}/gcd`, `${side}/gcd.go`], {
      cwd: sonde.project,
    });
  }
  const lines = await diffed(sonde, "./a/gcd", "./b/gcd");
  expect(lines[0]).toMatch(/^first divergence: line a\/gcd\.go:9 in main\.gcd: rest differs .*changed line/);
});

const JAVA = `class Step {
    static int next(int n) {
        int more = n + 1;
        return more;
    }

    public static void main(String[] args) {
        System.out.println(next(next(3)));
    }
}
`;

test("Java without a plan, two versions side by side", { timeout: 120_000 }, async () => {
  const sonde = borrowSonde();
  for (const [side, text] of [
    ["a", JAVA],
    ["b", JAVA.replace("n + 1", "n + 2")],
  ] as const) {
    sonde.write(`${side}/Step.java`, text);
    execFileSync("javac", ["-g", "-d", `${side}/classes`, `${side}/Step.java`], { cwd: sonde.project });
  }
  const lines = await diffed(sonde, "java -cp a/classes Step", "java -cp b/classes Step");
  expect(lines[0]).toMatch(
    /^first divergence: line a\/Step\.java:3 in Step\.next: more differs .*changed line/,
  );
});
