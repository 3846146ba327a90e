/** `sonde test` on the runners of Go, Rust and C, by the real binary. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtOnce, compilerVersion } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, FIXTURES, type Sonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

/** A first build of anything may have to compile the language's own library. */
const slow = { timeout: 240_000 };
const inside = { cwd: "testing-cart", timeoutMs: 240_000 };

/** lldb-dap spends at most 10 ms on a summary: on a busy machine it leaves elements out, or says only the type. */
const LIST = expect.stringMatching(/^(\{(10, )?(20|\.\.\.)\}|\w+\[2\])$/);

function withCart(language: "go" | "rust" | "c"): Sonde {
  const sonde = borrowSonde();
  sonde.fixture(`${language}/testing-cart`);
  return sonde;
}

describe.skipIf(compilerVersion("go") === undefined)("go test", () => {
  const file = (name: string) => join(FIXTURES, "go/testing-cart/cart", name);

  test("a helper's t.Errorf in a subtest, and who called it", slow, async () => {
    const answer = await asked(withCart("go"), ["test", "--", "go", "test", "./..."], inside);
    expect(answer).toMatchObject({
      runner: "go test",
      counts: { failed: 2, passed: 2, skipped: 1 },
      status: { exitCode: 1 },
      test: {
        name: "TestDiscount/five_off",
        message: "got 25, want 30",
        compared: [
          { label: "got", value: "25" },
          { label: "want", value: "30" },
        ],
      },
      others: ["TestParse"],
    });
    expect(places(answer)).toEqual([
      `cart_test.go:${marker(file("cart_test.go"), "errorf")} cart.check`,
      `cart_test.go:${marker(file("cart_test.go"), "call")} cart.TestDiscount.func1`,
    ]);
    expect(values(answer, 0)).toEqual({ got: "25", want: "30" });
    expect(values(answer, 1)).toMatchObject({ prices: expect.stringContaining("[10,20]") });
  });

  test("a panic in the code under test", slow, async () => {
    const line = ["test", "--name", "TestParse", "--", "go", "test", "./..."];
    const answer = await asked(withCart("go"), line, inside);
    expect(answer.test).toMatchObject({ name: "TestParse", type: "panic", message: "not a number: b" });
    expect(places(answer)).toEqual([
      `cart.go:${marker(file("cart.go"), "panic")} cart.Parse`,
      `cart_test.go:${marker(file("cart_test.go"), "parse")} cart.TestParse`,
    ]);
    expect(values(answer, 0)).toMatchObject({ text: '"b"', n: "0" });
  });

  test("all pass; what does not compile", slow, async () => {
    const sonde = withCart("go");
    const fine = await asked(sonde, ["test", "--", "go", "test", "./fine"], inside);
    expect(fine).toMatchObject({ state: "passed", counts: { failed: 0, passed: 1, skipped: 1 } });
    sonde.write("testing-cart/bad/bad_test.go", "package bad\n\nfunc TestX() { return nothing }\n");
    const refused = await sonde.refusal(["test", "--", "go", "test", "./bad"], inside);
    expect(refused).toMatchObject({
      code: "LAUNCH_FAILED",
      message: expect.stringContaining("bad_test.go:3"),
    });
  });
});

describe.skipIf(compilerVersion("rust") === undefined)("cargo test", () => {
  const file = (name: string) => join(FIXTURES, "rust/testing-cart", name);

  test("an assertion in a library; by name a panic below an integration test", slow, async () => {
    const sonde = withCart("rust");
    const line = ["cargo", "test", "--offline"];
    const answer = await asked(sonde, ["test", "--", ...line], inside);
    expect(answer).toMatchObject({
      runner: "cargo test",
      counts: { failed: 3, passed: 2, skipped: 0 },
      status: { exitCode: 101 },
      test: {
        name: "--lib › tests::discount",
        type: "panic",
        message: expect.stringContaining("after the discount"),
        compared: [
          { label: "left", value: "25" },
          { label: "right", value: "30" },
        ],
      },
    });
    expect([...answer.others].sort()).toEqual(["--test whole › reads", "--test whole › returns"]);
    expect(places(answer)).toEqual([
      `lib.rs:${marker(file("src/lib.rs"), "assertion")} shop::tests::discount`,
    ]);
    expect(values(answer, 0)).toEqual({ prices: LIST, got: "25" });
    const named = ["test", "--name", "--test whole › reads", "--", ...line];
    const other = await asked(sonde, named, inside);
    expect(places(other)).toEqual([
      `lib.rs:${marker(file("src/lib.rs"), "unwrap")} shop::parse`,
      `whole.rs:${marker(file("tests/whole.rs"), "call")} whole::reads`,
    ]);
    expect(values(other, 1)).toMatchObject({ text: '"1b"' });
    // No panic, so no place to stop at: what it returned is all there is.
    const returned = await asked(sonde, ["test", "--name", "returns", "--", ...line], inside);
    expect(returned).toMatchObject({ state: "failed", test: { name: "returns", message: 'Error: "bad 4"' } });
    expect(returned.stop).toBeUndefined();
    expect(returned.notes.join("\n")).toMatch(/debugger did not see this failure/);
  });

  test("all pass", slow, async () => {
    const line = ["test", "--", "cargo", "test", "--offline", "--lib", "plain"];
    expect(await asked(withCart("rust"), line, inside)).toMatchObject({
      state: "passed",
      counts: { failed: 0, passed: 1, skipped: 0 },
      status: { exitCode: 0 },
    });
  });
});

describe.skipIf(compilerVersion("c") === undefined)("C", () => {
  const file = join(FIXTURES, "c/testing-cart/cart.c");

  function built(): { sonde: Sonde; program: string } {
    const sonde = withCart("c");
    const folder = join(sonde.project, "testing-cart");
    execFileSync("gcc", ["-g", "-O0", "-o", "cart", "cart.c"], { cwd: folder });
    return { sonde, program: join(folder, "cart") };
  }

  test("a test binary: assert, and how it ended", slow, async () => {
    const { sonde } = built();
    const answer = await asked(sonde, ["test", "./cart"], inside);
    expect(answer).toMatchObject({ state: "failed", status: { signal: "SIGABRT" } });
    expect(answer.stop?.exception?.message).toContain("got == 30");
    expect(places(answer)).toEqual([
      `cart.c:${marker(file, "assertion")} check_discount`,
      `cart.c:${marker(file, "main")} main`,
    ]);
    expect(values(answer, 0)).toEqual({ prices: LIST, got: "25" });
    expect(await asked(sonde, ["test", "./cart", "fine"], inside)).toMatchObject({
      state: "passed",
      status: { exitCode: 0 },
    });
  });

  test.skipIf(spawnSync("ctest", ["--version"]).status !== 0)("ctest", slow, async () => {
    const { sonde, program } = built();
    sonde.write(
      "testing-cart/CTestTestfile.cmake",
      `add_test(good "${program}" "fine")\nadd_test(cart.totals "${program}")\n`,
    );
    const answer = await asked(sonde, ["test", "ctest"], inside);
    expect(answer).toMatchObject({
      runner: "ctest",
      counts: { failed: 1, passed: 1, skipped: 0 },
      status: { exitCode: 8 },
      test: { name: "cart.totals" },
    });
    expect(places(answer)[0]).toBe(`cart.c:${marker(file, "assertion")} check_discount`);
  });

  test.skipIf(!existsSync("/usr/include/gtest/gtest.h")).each([[], ["--adapter", "cdt-gdb"]])(
    "GoogleTest, where it is installed, alone and below ctest: %s %s",
    slow,
    async (...by: string[]) => {
      const text = `#include <gtest/gtest.h>
static int total(int price, int off) { return price - off; }
TEST(Cart, Plain) { EXPECT_EQ(total(1, 0), 1); }
TEST(Cart, Discount) {
  int got = total(30, 5);
  EXPECT_EQ(got, 30);
}
`;
      const libraries = ["-lgtest", "-lgtest_main", "-pthread"];
      const words = ["-g", "-O0", "-o", "cart", "cart.cc", ...libraries];
      const sonde = borrowSonde(builtOnce("cart.cc", text, ["g++", ...words]));
      const answer = await asked(sonde, ["test", ...by, "./cart"], { timeoutMs: 90_000 });
      expect(answer.state).toBe("failed");
      expect(places(answer)).toEqual(["cart.cc:6 Cart_Discount_Test::TestBody"]);
      expect(values(answer, 0)).toEqual({ got: "25" });
      expect(answer.stop?.output.lines.map(({ text }) => text)).toContain("cart.cc:6: Failure");
      sonde.write("CTestTestfile.cmake", `add_test(cart.totals "${join(sonde.project, "cart")}")\n`);
      const below = await asked(sonde, ["test", ...by, "--name", "totals", "--", "ctest"]);
      expect(below).toMatchObject({ runner: "ctest", test: { name: "cart.totals" } });
      expect(places(below)).toEqual(["cart.cc:6 Cart_Discount_Test::TestBody"]);
      expect(values(below, 0)).toEqual({ got: "25" });
    },
  );
});
