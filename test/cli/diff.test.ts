/** `sonde diff`: the buggy line first, in one call. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { DiffResult } from "../../src/commands/diff/shapes.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const PYTHON = `def discount(price, percent):
    off = price * percent // 100
    return price + off  # the bug

def total(prices):
    s = 0
    for p in prices:
        s += discount(p, 10)
    return s

print(total([100, 250, 30]))
`;

const JAVASCRIPT = `function sum(xs) {
  let s = 0;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    s += x > 2 ? x : 0;
  }
  return s;
}
console.log(sum([1, 2, 3]));
`;

const C = `#include <stdio.h>

static int clamp(int value, int most) {
  int result = value;
  if (value > most) result = value;
  return result;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 6; i++) {
    total += clamp(i, 3);
  }
  printf("%d\\n", total);
  return 0;
}
`;

function two(sonde: Sonde, name: string, text: string, bug: string, mended: string): void {
  const [stem, extension] = name.split(".");
  sonde.write(`${stem}-a.${extension}`, text);
  if (!text.includes(bug)) throw new Error(`no ${bug} in ${name}`);
  sonde.write(`${stem}-b.${extension}`, text.replace(bug, mended));
}

function brief(text: string): string {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  return text.split("\n")[0] ?? "";
}

describe("two versions, no plan", () => {
  test("Python", async () => {
    const sonde = borrowSonde();
    two(sonde, "shop.py", PYTHON, "price + off", "price - off");
    const text = await sonde.text(["diff", "--a", "python3 shop-a.py", "--b", "python3 shop-b.py"]);
    expect(brief(text)).toMatch(/^first divergence: line shop-a\.py:3 in discount: return value differs/);
    expect(text).toMatch(
      /A: shop-a\.py:3 \| return price \+ off.*\n +return value = 110\n +B: shop-b\.py:3 .*\n +return value = 90/,
    );
  });

  test("Python, where the mended version has more lines", async () => {
    const sonde = borrowSonde();
    two(
      sonde,
      "shop.py",
      PYTHON.replace("price + off", "price - off"),
      "    s = 0\n",
      "    s = 0\n    prices = [p for p in prices if p > 50]\n",
    );
    const { first } = await sonde.ask<DiffResult>([
      "diff",
      "--a",
      "python3 shop-a.py",
      "--b",
      "python3 shop-b.py",
    ]);
    expect(first).toMatchObject({ kind: "values", differing: [{ name: "prices" }], b: { ran: 7 } });
  });

  test("JavaScript", async () => {
    const sonde = borrowSonde();
    two(sonde, "sum.js", JAVASCRIPT, "x > 2", "x > 0");
    const text = await sonde.text(["diff", "--a", "node sum-a.js", "--b", "node sum-b.js"]);
    expect(brief(text)).toMatch(/^first divergence: line sum-a\.js:5 in sum: s differs/);
  });

  test("C", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    two(sonde, "clamp.c", C, "result = value;\n  return", "result = most;\n  return");
    for (const side of ["a", "b"])
      execFileSync("cc", ["-g", "-O0", "-o", `clamp-${side}`, `clamp-${side}.c`], { cwd: sonde.project });
    const text = await sonde.text(["diff", "--a", "./clamp-a", "--b", "./clamp-b"]);
    expect(brief(text)).toMatch(/^first divergence: line clamp-a\.c:5 in clamp: result differs/);
  });
});

describe("other pairs", () => {
  test("two inputs, and the way taken", async () => {
    const sonde = borrowSonde();
    sonde.write(
      "sign.py",
      "n = int(input())\nif n < 0:\n    word = 'minus'\nelse:\n    word = 'plus'\nprint(word)\n",
    );
    sonde.write("one.txt", "1\n");
    sonde.write("two.txt", "2\n");
    const text = await sonde.text([
      "diff",
      "--stdin-a",
      "one.txt",
      "--stdin-b",
      "two.txt",
      "--",
      "python3",
      "sign.py",
    ]);
    expect(brief(text)).toMatch(/sign\.py:1.*: n differs/);
  });

  test("a plan, two kept traces, nothing that differs", async () => {
    const sonde = borrowSonde();
    two(sonde, "shop.py", PYTHON, "price + off", "price - off");
    for (const side of ["a", "b", "a"])
      await sonde.text(["trace", "--at", `shop-${side}.py:9=s`, "--", "python3", `shop-${side}.py`]);
    const same = await sonde.text("diff t1 t3");
    expect(same).toMatch(/^no difference in 1 recorded moment/);
    await sonde.text(["trace", "--function", "total", "--", "python3", "shop-a.py"]);
    await sonde.text(["trace", "--function", "discount", "--", "python3", "shop-a.py"]);
    const unlike = await sonde.text("diff t4 t5");
    expect(brief(unlike)).toMatch(/^the traces recorded different things: A total.*, B discount/);
    expect(unlike).toMatch(/shop-a\.py:8 ran 3 times in A, 0 in B/);
    expect(await sonde.refusal("diff t1")).toMatchObject({ code: "BAD_ARGUMENT" });
    expect(await sonde.refusal("diff -- python3 shop-a.py")).toMatchObject({
      code: "BAD_ARGUMENT",
      hint: expect.stringContaining("--flaky"),
    });
  });

  test("a test that fails now and then", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "flaky.py",
      "import os\ncount = int(open('count').read()) if os.path.exists('count') else 0\nopen('count', 'w').write(str(count + 1))\nodd = count % 2\nif odd:\n    raise SystemExit(1)\nprint('fine')\n",
    );
    const text = await sonde.text("diff --flaky 4 -- python3 flaky.py");
    expect(text).toMatch(
      /^4 runs: 2 passed \(A is one\), 2 failed \(B is one\)\nfirst divergence: line flaky\.py:4 .*odd differs/,
    );
  });

  test("one time for all runs, however many", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "stuck.py",
      "import os, time\ncount = int(open('count').read()) if os.path.exists('count') else 0\nopen('count', 'w').write(str(count + 1))\nif count > 1:\n    time.sleep(600)\nraise SystemExit(count)\n",
    );
    const text = await sonde.text("diff --flaky 50 --max-seconds 10 -- python3 stuck.py");
    expect(text).toMatch(/^[23] runs: 1 passed \(A is one\), [12] failed/);
    expect(text).toMatch(/[23] of 50 runs: after 10 s there was no time for more \(--max-seconds\)/);
    expect(await sonde.refusal("diff --flaky 50 --max-seconds 2 -- python3 stuck.py")).toMatchObject({
      code: "TIMEOUT",
      message: "the first run had not ended after 2 s",
    });
    // However the time that is left is rounded.
    expect(await sonde.refusal("diff --flaky 5 --max-seconds 1.0499 -- python3 stuck.py")).toMatchObject({
      code: "TIMEOUT",
      message: "the first run had not ended after 1.0499 s",
    });
    expect(await sonde.refusal("diff --flaky 101 -- python3 stuck.py")).toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringContaining("100 is the most"),
    });
  });

  test("a run that does not end leaves time for the other", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    two(sonde, "wait.py", "import time\nn = 1\ntime.sleep(600)\nprint(n)\n", "sleep(600)", "sleep(0)");
    const command = ["diff", "--max-seconds", "8", "--a", "python3 wait-a.py", "--b", "python3 wait-b.py"];
    expect(await sonde.ask(command)).toMatchObject({
      a: { partial: "it was still running after 4 s", end: { how: "stopped" } },
      b: { end: { how: "exited", exitCode: 0 } },
    });
  });
});
