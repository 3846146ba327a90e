/** Of what a test run printed, the program's part. As the runners of these versions print: node 20 and 24, pytest 9, unittest 3.11, vitest 4, jest 30, mocha 11. */
import { expect, test } from "vitest";
import { RUNNERS } from "../../src/runners/index.ts";
import { ownWords } from "../../src/runners/own-words.ts";

function own(runner: string, printed: string): string[] {
  const rules = RUNNERS.find(({ name }) => name === runner);
  if (!rules) throw new Error(`no runner ${runner}`);
  return ownWords(
    printed.split("\n").map((text) => ({ text })),
    rules,
  ).map(({ text }) => text);
}

const SAID = ["adding now", "# of items: 2"];
const HERE = SAID.join("\n");

test.each([
  [
    "node:test",
    `${HERE}
TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 4.67
  error: '2 == 3'
  stack: |-
    TestContext.<anonymous> (/p/gaps.test.js:6:10)
  ...
1..1
# tests 1
# suites 0
# pass 0
# fail 1
# cancelled 0
# skipped 0
# todo 0
# duration_ms 16.216381`,
  ],
  [
    "node:test",
    `${HERE}
✔ fine (0.5ms)
ℹ tests 1
ℹ pass 1
ℹ duration_ms 37.1`,
  ],
  [
    "pytest",
    `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.0, pluggy-1.6.0
rootdir: /p
collected 2 items

test_cart.py F.                                                          [100%]

=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
>       assert total([1, 2]) == 3
E       assert 2 == 3

test_cart.py:4: AssertionError
----------------------------- Captured stdout call -----------------------------
${HERE}
=========================== short test summary info ============================
FAILED test_cart.py::test_total - assert 2 == 3
========================= 1 failed, 1 passed in 0.21s ==========================`,
  ],
  [
    "unittest",
    `${HERE}
F
======================================================================
FAIL: test_total (u_cart.T.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/p/u_cart.py", line 5, in test_total
AssertionError: 2 != 3

----------------------------------------------------------------------
Ran 1 test in 0.003s

FAILED (failures=1)`,
  ],
  [
    "vitest",
    `
\u001b[46m RUN \u001b[49m \u001b[36mv4.1.12 \u001b[39m/p

stdout | cart.spec.ts > cart > plain
${HERE}

 ❯ cart.spec.ts (1 test | 1 failed) 18ms
     × plain 9ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  cart.spec.ts > cart > plain
AssertionError: expected 25 to be 30

⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed (1)
      Tests  1 failed (1)
   Start at  11:11:27
   Duration  1.04s (transform 91ms)
`,
  ],
  [
    "jest",
    `${HERE}
FAIL ./cart.test.js
  ✕ adds (3 ms)

  ● adds

    expect(received).toBe(expected)

      at Object.toBe (cart.test.js:4:20)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 total
Snapshots:   0 total
Time:        0.3 s
Ran all test suites.`,
  ],
  [
    "mocha",
    `

${HERE}
  1) adds

  0 passing (4ms)
  1 failing

  1) adds:

      AssertionError: 2 == 3
      at Context.<anonymous> (cart.js:4:10)
`,
  ],
  [
    "go test",
    `=== RUN   TestTotal
${HERE}
--- FAIL: TestTotal (0.00s)
FAIL
FAIL	example.com/cart	0.002s
exit status 1`,
  ],
  [
    "cargo test",
    `
running 1 test
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----
${HERE}

thread 'tests::adds' panicked at src/lib.rs:9:9:
assertion \`left == right\` failed
  left: 2
 right: 3
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

failures:
    tests::adds

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`,
  ],
])("%s", (runner, printed) => {
  expect(own(runner, printed)).toEqual(SAID);
});

test("what only begins like a report is the program's", () => {
  const text = "  ---\nname: a\nthe end";
  expect(own("node:test", text)).toEqual(["name: a", "the end"]);
  expect(own("unittest", `${"=".repeat(70)}\nnews`)).toEqual(["=".repeat(70), "news"]);
});

test.each([
  [
    "pytest",
    "ERROR could not connect\ncollected 3 things from cache\nplatform is linux\n=== totals ===\nFAILED request 17",
  ],
  ["node:test", "✔ saved 3 rows\nok 7 retries left\n  a:\n  b"],
  ["vitest", " ✓ saved 3 rows\n❯ next"],
  ["mocha", "  - an item"],
])("%s: what only looks like its words is the program's", (runner, printed) => {
  expect(own(runner, printed)).toEqual(printed.split("\n"));
});
