/** `sonde test` on what prints TAP: node-tap, borp, prove, and any program; and on names that are a part of one. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { perlRows } from "../contract/rows/perl.ts";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

const INSTALLED = join(resolve(import.meta.dirname, "../.."), ".adapters/test-runners/node_modules");
const slow = { timeout: 180_000 };
const SILENT = "the check threw nothing: this is its line, before it ran";

const CART = `exports.total = function total(prices, off) {
  let amount = 0;
  for (const price of prices) amount += price;
  return amount - off;
};
`;

function withCart(file: string, text: string): Sonde {
  const sonde = borrowSonde();
  sonde.write("cart.js", CART);
  sonde.write("package.json", "{}\n");
  sonde.write(file, text);
  return sonde;
}

function installed(sonde: Sonde): Sonde {
  mkdirSync(join(sonde.project, "node_modules"));
  for (const name of ["tap", "borp", ".bin"])
    symlinkSync(join(INSTALLED, name), join(sonde.project, "node_modules", name));
  return sonde;
}

const TAP_TESTS = `const t = require("tap");
const { total } = require("../cart.js");
t.test("cart", (t) => {
  t.test("adds nothing", (t) => {
    t.equal(total([], 0), 0);
    t.end();
  });
  t.test("adds (many)", (t) => {
    for (const [price, want] of [[1, 1], [10, 12], [7, 7], [8, 9]]) {
      const got = total([price], 0);
      t.equal(got, want, "total of one");
    }
    t.end();
  });
  t.end();
});
t.test("reads", async () => {
  const text = "b";
  throw new RangeError(\`not a number: \${text}\`);
});
`;

describe.skipIf(!existsSync(join(INSTALLED, "tap")))("tap", () => {
  test("the first failed check of a loop, with its values; an error by its name", slow, async () => {
    const sonde = installed(withCart("test/cart.test.js", TAP_TESTS));
    const answer = await asked(sonde, ["test", "--", "npx", "tap"]);
    expect(answer).toMatchObject({
      runner: "tap",
      counts: { failed: 2, passed: 1 },
      test: {
        name: "test/cart.test.js > cart > adds (many)",
        message: "total of one",
        compared: [
          { label: "expected", value: "12" },
          { label: "actual", value: "10" },
        ],
      },
      notes: [SILENT],
      others: ["test/cart.test.js > reads"],
    });
    expect(places(answer)[0]).toBe("cart.test.js:11 (anonymous)");
    expect(values(answer, 0)).toEqual({ price: "10", want: "12", got: "10" });
    const other = await asked(sonde, ["test", "--name", "reads", "--", "npx", "tap"]);
    expect(other).toMatchObject({ test: { type: "RangeError", message: "not a number: b" }, notes: [] });
    expect(values(other, 0)).toEqual({ text: '"b"' });
  });

  test("all pass", slow, async () => {
    const fine = TAP_TESTS.replace("[10, 12]", "[10, 10]")
      .replace("[8, 9]", "[8, 8]")
      .replace(/t\.test\("reads[\s\S]*/, "");
    const sonde = installed(withCart("test/cart.test.js", fine));
    expect(await asked(sonde, ["test", "--", "npx", "tap", "--allow-incomplete-coverage"])).toMatchObject({
      state: "passed",
      counts: { failed: 0, skipped: 0 },
    });
  });
});

const NODE_TESTS = `const { describe, test } = require("node:test");
const assert = require("node:assert");
const { total } = require("./cart.js");
describe("cart", () => {
  test("adds nothing", () => assert.equal(total([], 0), 0));
  test("adds (5)", () => {
    const got = total([10, 20], 5);
    assert.equal(got, 30);
  });
  test("someday", { todo: true }, () => assert.equal(1, 2));
});
test("the cart's end", () => {});
`;

test.skipIf(!existsSync(join(INSTALLED, "borp")))("borp", slow, async () => {
  const sonde = installed(withCart("cart.test.js", NODE_TESTS));
  const answer = await asked(sonde, ["test", "--", "npx", "borp", "cart.test.js"]);
  expect(answer).toMatchObject({
    runner: "borp",
    counts: { failed: 1, passed: 2, skipped: 1 },
    test: { name: "cart > adds (5)", type: "AssertionError" },
    origin: { calls: [{ function: "total", value: "25" }] },
  });
  expect(places(answer)).toEqual(["cart.test.js:8 (anonymous)"]);
  expect(values(answer, 0)).toEqual({ got: "25" });
});

describe("--name takes a part of a name", () => {
  test.each(["dds (5", "cart", "art > adds (5)", "cart > adds (5)"])("node:test: %s", slow, async (name) => {
    const sonde = withCart("cart.test.js", NODE_TESTS);
    const answer = await asked(sonde, ["test", "--name", name, "--", "node", "--test", "cart.test.js"]);
    expect(answer.test?.name).toBe("cart > adds (5)");
    expect(values(answer, 0)).toEqual({ got: "25" });
  });

  test("of none: which fail, or that it passes", slow, async () => {
    const sonde = withCart("cart.test.js", NODE_TESTS);
    const line = ["--", "node", "--test", "cart.test.js"];
    expect(await sonde.refusal(["test", "--name", "nosuch", ...line])).toMatchObject({
      message: "no failing test is called nosuch",
      hint: "these fail: cart > adds (5)",
    });
    expect(await asked(sonde, ["test", "--name", "cart's", ...line])).toMatchObject({ state: "passed" });
  });

  test.skipIf(compilerVersion("go") === undefined)("go test: of a subtest", slow, async () => {
    const sonde = borrowSonde();
    sonde.fixture("go/testing-cart");
    const inside = { cwd: "testing-cart", timeoutMs: 150_000 };
    for (const name of ["five_of", "Discount/five"]) {
      const answer = await asked(sonde, ["test", "--name", name, "--", "go", "test", "./..."], inside);
      expect(answer.test?.name).toBe("TestDiscount/five_off");
    }
  });
});

const PERL = `use Test::More;
sub total { my ($off, @prices) = @_; my $sum = 0; $sum += $_ for @prices; return $sum - $off; }
is(total(0), 0, 'nothing');
subtest 'discount' => sub {
  my $got = total(5, 10, 20);
  is($got, 30, 'five off');
};
done_testing;
`;

describe.skipIf(spawnSync("prove", ["--version"]).status !== 0)("Perl", () => {
  test.each([
    ["prove", ["prove", "t"], "t/cart.t > discount > five off"],
    ["TAP", ["perl", "t/cart.t"], "discount > five off"],
  ])("%s", slow, async (runner, words, name) => {
    const sonde = borrowSonde();
    sonde.write("t/cart.t", PERL);
    if (perlRows.length === 0) return;
    const answer = await asked(sonde, ["test", "--", ...words]);
    expect(answer).toMatchObject({
      runner,
      counts: { failed: 1, passed: 1, skipped: 0 },
      status: { exitCode: 1 },
      test: {
        name,
        compared: [
          { label: "expected", value: "'30'" },
          { label: "got", value: "'25'" },
        ],
      },
      notes: [SILENT],
    });
    expect(places(answer)[0]).toMatch(/^cart\.t:6 /);
    expect(values(answer, 0)).toEqual({ $got: "25" });
  });

  test.each([
    [["prove", "t/bail.t"], "t/bail.t > Bail out!"],
    [["perl", "t/bail.t"], "Bail out!"],
  ])("gives up, and says why: %j", slow, async (words, name) => {
    if (perlRows.length === 0) return;
    const sonde = borrowSonde();
    sonde.write("t/bail.t", "use Test::More;\nok(1);\nBAIL_OUT('no database');\n");
    expect(await asked(sonde, ["test", "--", ...words])).toMatchObject({
      state: "failed",
      counts: { failed: 1, passed: 1 },
      test: { name, message: "it bailed out: no database" },
    });
  });

  test("prove: a file that dies after a good point, and one that is fine", slow, async () => {
    if (perlRows.length === 0) return;
    const sonde = borrowSonde();
    sonde.write("t/a.t", "use Test::More tests => 2;\nok(1);\nok(1);\n");
    sonde.write(
      "t/dies.t",
      "use Test::More tests => 2;\nok(1, 'first');\nmy $zero = 0;\nmy $sum = 30;\nmy $x = $sum / $zero;\nok($x);\n",
    );
    const answer = await asked(sonde, ["test", "--", "prove", "t"]);
    expect(answer).toMatchObject({
      state: "failed",
      counts: { failed: 1, passed: 3 },
      test: { name: "t/dies.t", message: "Illegal division by zero at t/dies.t line 5." },
      notes: [],
    });
    expect(places(answer)[0]).toMatch(/^dies\.t:5 /);
    expect(values(answer, 0)).toMatchObject({ $zero: "0", $sum: "30" });
  });
});

test("a program that ends well before its plan does", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("short.py", 'print("1..3")\nprint("ok 1")\nprint("ok 2")\n');
  const answer = await asked(sonde, ["test", "--", "python3", "short.py"]);
  expect(answer).toMatchObject({
    state: "failed",
    status: { exitCode: 0 },
    test: { name: "the plan 1..3", message: "1 of 3 planned tests did not run" },
    output: ["1..3", "ok 1", "ok 2"],
  });
});

const C = `#include <stdio.h>
#include <string.h>
static int n, bad;
static char all[4096];
static void check(int good, const char *name, int line, int now) {
  char *end = all + strlen(all);
  end += sprintf(end, "%sok %d - %s\\n", good ? "" : "not ", ++n, name);
  if (!good) { bad++; sprintf(end, "#   Failed test '%s'\\n#   at cart.c line %d.\\n", name, line); }
  if (now) { printf("%s", all); fflush(stdout); all[0] = 0; }
}
int main(int argc, char **argv) {
  for (int i = 0; i < 4; i++) {
    int got = i == 2 ? 5 : 10 + i;
    check(got == 10 + i, "in a loop", __LINE__, argc > 1);
  }
  printf("%s1..%d\\n", all, n);
  return argc > 2 ? 0 : bad;
}
`;

describe.skipIf(compilerVersion("c") === undefined)("a program that prints TAP", () => {
  function built(): Sonde {
    const sonde = borrowSonde();
    sonde.write("cart.c", C);
    execFileSync("gcc", ["-g", "-O0", "-o", "cart", "cart.c"], { cwd: sonde.project });
    return sonde;
  }

  test.each(["lldb", "cdt-gdb"])(
    "by %s: the visit of the line that failed, whatever the program's exit code",
    slow,
    async (adapter) => {
      const answer = await asked(built(), [
        "test",
        "--adapter",
        adapter,
        "--",
        "./cart",
        "lines",
        "ends well",
      ]);
      expect(answer).toMatchObject({
        state: "failed",
        runner: "TAP",
        counts: { failed: 1, passed: 3, skipped: 0 },
        status: { exitCode: 0 },
        test: { name: "in a loop" },
        notes: [SILENT],
      });
      expect(places(answer)).toEqual(["cart.c:14 main"]);
      expect(values(answer, 0)).toMatchObject({ i: "2", got: "5" });
    },
  );

  test("where it prints everything at its end, it is said that the visit is not known", slow, async () => {
    const answer = await asked(built(), ["test", "--", "./cart"]);
    expect(answer.notes).toEqual([
      "the check threw nothing: this is the last of 4 times that its line ran, and which of them failed is not known",
    ]);
    expect(answer.origin).toBeUndefined();
  });

  test("below a driver: what it says, and where", slow, async () => {
    const sonde = built();
    sonde.write("Makefile", "check:\n\t@./cart\n");
    const answer = await asked(sonde, ["test", "--", "make", "check"]);
    expect(answer).toMatchObject({ runner: "TAP", test: { name: "in a loop" } });
    expect(answer.notes).toContain("it names cart.c:14");
  });
});

describe("a runner that nobody knows", () => {
  const RUN = `import cases
bad = 0
for case in (cases.fine, cases.discount):
    try:
        case()
    except Exception as error:
        bad += 1
        print("FAILED", case.__name__)
raise SystemExit(bad)
`;

  test(
    "the first assertion that fails in the user's code, and that it is no more than that",
    slow,
    async () => {
      const sonde = borrowSonde();
      sonde.write("run.py", RUN);
      sonde.write(
        "cases.py",
        'def fine():\n    try: int("x")\n    except ValueError: pass\ndef discount():\n    got = 25\n    assert got == 30, "after the discount"\n',
      );
      const answer = await asked(sonde, ["test", "--", "python3", "run.py"]);
      expect(answer.runner).toBeUndefined();
      expect(answer).toMatchObject({ state: "failed", status: { exitCode: 1 } });
      expect(answer.notes).toEqual([
        "no test runner was recognised: this is the first failed assertion that the debugger saw in your code, and the program may have expected it",
      ]);
      expect(places(answer)[0]).toBe("cases.py:6 discount");
      expect(values(answer, 0)).toEqual({ got: "25" });
    },
  );

  test("an error that it prints", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "run.mjs",
      `function read(text) {
  if (Number.isNaN(Number(text))) throw new RangeError(\`not a number: \${text}\`);
}
try { JSON.parse("{"); } catch {}
try { read("b"); } catch (error) { console.log("FAILED read:", error.message); }
process.exit(1);
`,
    );
    const answer = await asked(sonde, ["test", "--", "node", "run.mjs"]);
    expect(answer.notes.join("\n")).toContain("whose message the program printed before it failed");
    expect(places(answer)[0]).toBe("run.mjs:2 read");
    expect(values(answer, 0)).toEqual({ text: '"b"' });
  });
});
