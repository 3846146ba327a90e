/** What runners report, read. The reports of jest and mocha, which no test here runs, are as their versions 30 and 12 wrote them. */
import { describe, expect, test } from "vitest";
import { RUNNERS } from "../../src/runners/index.ts";
import type { Report } from "../../src/runners/runner.ts";
import { isSameAgain, likeness } from "../../src/runners/same-failure.ts";

function read(
  runner: string,
  said: { stdout?: string; stderr?: string; report?: string },
): Report | undefined {
  const rules = RUNNERS.find(({ name }) => name === runner);
  if (!rules) throw new Error(`no runner ${runner}`);
  const line = {
    head: [runner],
    rest: [],
    cwd: "/p",
    exists: (path: string) => ["test_a.py", "tests/test_all.py"].includes(path),
  };
  return rules.survey(line, undefined).read({ stdout: "", stderr: "", report: undefined, ...said });
}

test("jest", () => {
  const stack =
    "\n    at Object.toBe (/p/cart.test.js:8:17)\n    at new Promise (<anonymous>)\n    at run (/p/node_modules/jest-circus/build/run.js:789:3)";
  const report = JSON.stringify({
    testResults: [
      {
        name: "/p/cart.test.js",
        status: "failed",
        assertionResults: [
          { fullName: "plain", status: "passed" },
          { fullName: "later", status: "pending" },
          {
            fullName: "cart discount (5)",
            status: "failed",
            failureMessages: [
              `Error: \u001b[2mexpect(\u001b[22mreceived).toBe(expected) // Object.is equality\n\nExpected: 30\nReceived: 25${stack}`,
            ],
          },
        ],
      },
      {
        name: "/p/bad.test.js",
        status: "failed",
        message: "  ● Test suite failed to run\n\n    Cannot find module './x'",
        assertionResults: [],
      },
    ],
  });
  expect(read("jest", { report })).toEqual({
    passed: 1,
    skipped: 1,
    failures: [
      {
        name: "cart discount (5)",
        file: "/p/cart.test.js",
        type: "Error",
        message: "expect(received).toBe(expected) // Object.is equality\n\nExpected: 30\nReceived: 25",
        places: [{ file: "/p/cart.test.js", line: 8 }],
        compared: [
          { label: "expected", value: "30" },
          { label: "received", value: "25" },
        ],
        again: ["-t", "^cart discount \\(5\\)$"],
      },
      expect.objectContaining({ name: "/p/bad.test.js", again: [] }),
    ],
  });
});

test("mocha", () => {
  const report = JSON.stringify({
    stats: { passes: 2, pending: 1, failures: 2 },
    failures: [
      {
        fullTitle: "cart discount",
        file: "/p/test/cart.spec.js",
        err: {
          message: "expected 25 to equal 30",
          actual: "25",
          expected: "30",
          stack:
            "AssertionError: expected 25 to equal 30\n    at Context.<anonymous> (test/cart.spec.js:10:20)\n    at process.processImmediate (node:internal/timers:483:21)",
        },
      },
      {
        fullTitle: 'cart hooked "before all" hook: make for "x"',
        file: "/p/test/cart.spec.js",
        err: {
          message: "hook 1",
          stack: "Error: hook 1\n    at Context.<anonymous> (test/cart.spec.js:17:47)",
        },
      },
    ],
  });
  expect(read("mocha", { report })).toEqual({
    passed: 2,
    skipped: 1,
    failures: [
      {
        name: "cart discount",
        file: "/p/test/cart.spec.js",
        type: "AssertionError",
        message: "expected 25 to equal 30",
        places: [{ file: "test/cart.spec.js", line: 10 }],
        compared: [
          { label: "expected", value: "30" },
          { label: "actual", value: "25" },
        ],
        again: ["--no-parallel", "--grep", "^cart discount$"],
      },
      // A hook is no test of a name: its whole file is run.
      expect.objectContaining({ type: "Error", message: "hook 1", again: ["--no-parallel"] }),
    ],
  });
});

test("unittest, before Python 3.11 and after, and modules that cannot be loaded", () => {
  const rule = "=".repeat(70);
  const line = "-".repeat(70);
  const block = (head: string, trace: string) =>
    `${rule}\n${head}\n${line}\nTraceback (most recent call last):\n${trace}\n\n`;
  const stderr = `F.E\n${block("FAIL: test_a (m.T)", '  File "/p/m.py", line 3, in test_a\n    self.fail()\nAssertionError: 1 != 2')}${block("FAIL: test_b (m.T.test_b) (i=1)", '  File "/p/m.py", line 9, in test_b\n    f()\nAssertionError: None')}${block("ERROR: tests.bad (unittest.loader._FailedTest.tests.bad)", "  File \"/usr/lib/python3/unittest/loader.py\", line 1, in x\n    y\nModuleNotFoundError: No module named 'q'")}${line}\nRan 4 tests in 0.001s\n\nFAILED (failures=2, errors=1, skipped=1)\n`;
  const report = read("unittest", { stderr });
  expect(report).toMatchObject({ passed: 0, skipped: 1 });
  expect(report?.failures.map(({ name, again }) => [name, again])).toEqual([
    ["m.T.test_a", ["-k", "*m.T.test_a"]],
    ["m.T.test_b (i=1)", ["-k", "*m.T.test_b"]],
    ["tests.bad", []],
  ]);
  expect(report?.failures[0]).toMatchObject({
    type: "AssertionError",
    message: "1 != 2",
    places: [{ file: "/p/m.py", line: 3 }],
  });
  expect(report?.failures[2]).toMatchObject({ type: "ModuleNotFoundError", message: "No module named 'q'" });
  expect(read("unittest", { stderr: "SyntaxError: invalid syntax\n" })).toBeUndefined();
});

describe("pytest", () => {
  const report = (inner: string) =>
    `<?xml version="1.0"?><testsuites><testsuite>${inner}</testsuite></testsuites>`;

  test("names in files and classes; what stands in XML as something else", () => {
    const found = read("pytest", {
      report: report(
        '<testcase classname="test_a.TestX" name="test_y[a&lt;b]" file="test_a.py" line="3"><failure message="m">E       assert &quot;a&quot; == &quot;b&quot;\n\ntest_a.py:6: AssertionError</failure></testcase><testcase classname="test_a" name="test_s" file="test_a.py"><skipped/></testcase><testcase classname="test_a" name="test_ok" file="test_a.py" />',
      ),
    });
    expect(found).toMatchObject({ passed: 1, skipped: 1 });
    expect(found?.failures).toEqual([
      {
        name: "test_a.py::TestX::test_y[a<b]",
        file: "test_a.py",
        type: "AssertionError",
        message: 'assert "a" == "b"',
        places: [{ file: "test_a.py", line: 6 }],
        compared: [
          { label: "left", value: '"a"' },
          { label: "right", value: '"b"' },
        ],
        again: ["-p", "no:xdist"],
      },
    ]);
  });

  test("a test that is written in another file than the one it belongs to", () => {
    const made =
      '<testcase classname="tests.test_all.TestAll" name="test_7" file="tests/__init__.py"><failure message="m">E  x</failure></testcase>';
    const [failure] = read("pytest", { report: report(made) })?.failures ?? [];
    expect(failure?.name).toBe("tests/test_all.py::TestAll::test_7");
  });

  test("plug-ins that must be turned off are, by options that only they know", () => {
    const one = report(
      '<testcase classname="test_a" name="t" file="test_a.py"><error message="e">x</error></testcase>',
    );
    const stdout = "rootdir: /p\nplugins: anyio-4.0, xdist-3.8.0, cov-7.0\n";
    expect(read("pytest", { report: one, stdout })?.failures[0]?.again).toEqual(["-n0", "--no-cov"]);
    expect(read("pytest", { report: one, stdout: "bringing up nodes...\n" })?.failures[0]?.again).toEqual([
      "-n0",
    ]);
  });

  test("no report: it did not come so far", () => {
    expect(read("pytest", { stdout: "usage: pytest [options]" })).toBeUndefined();
  });
});

test("go: several packages, a package without a test that failed, output that is no event", () => {
  const event = (one: Record<string, string>) => JSON.stringify(one);
  const stdout = [
    "not json {",
    event({ Action: "run", Package: "a", Test: "TestX" }),
    event({
      Action: "output",
      Package: "a",
      Test: "TestX",
      Output: "    x_test.go:7: first\n        second\n",
    }),
    event({ Action: "fail", Package: "a", Test: "TestX" }),
    event({ Action: "fail", Package: "a" }),
    event({ Action: "pass", Package: "b", Test: "TestY" }),
    event({ Action: "output", Package: "b", Output: "exit status 3\n" }),
    event({ Action: "fail", Package: "b" }),
  ].join("\n");
  expect(read("go test", { stdout })).toEqual({
    passed: 1,
    skipped: 0,
    failures: [
      {
        name: "a: TestX",
        message: "first\nsecond",
        places: [{ file: "x_test.go", line: 7 }],
        compared: [],
        again: ["-run", "^TestX$", "a"],
      },
      { name: "b", message: "", places: [], compared: [], again: ["b"] },
    ],
  });
  const failed = event({ Action: "fail", Package: "a" });
  expect(read("go test", { stdout: failed, stderr: "x.go:3: undefined: y\n" })).toBeUndefined();
});

test("cargo: a target that was killed", () => {
  const stdout =
    "\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 2 ignored; 0 measured\n\n\nrunning 2 tests\ntest x ... ok\n";
  const stderr =
    "     Running unittests src/lib.rs\nerror: test failed, to rerun pass `-p shop --test whole`\n\nCaused by:\n  process didn't exit successfully (signal: 6, SIGABRT)\n";
  expect(read("cargo test", { stdout, stderr })).toEqual({
    passed: 1,
    skipped: 2,
    failures: [
      {
        name: "-p shop --test whole",
        places: [],
        compared: [],
        again: ["", "-p", "shop", "--test", "whole"],
      },
    ],
  });
});

test("ctest", () => {
  const stdout =
    "1/4 Test #1: good .............................   Passed    0.00 sec\n2/4 Test #2: cart totals ......................***Failed    0.01 sec\n3/4 Test #3: later ............................***Skipped   0.00 sec\n4/4 Test #4: dies .............................Subprocess aborted***Exception:   0.00 sec\n\n50% tests passed, 2 tests failed out of 4\n";
  const report = read("ctest", { stdout });
  expect(report?.failures.map(({ name }) => name)).toEqual(["cart totals", "dies"]);
  expect(report).toMatchObject({ passed: 1, skipped: 1 });
});

test("node:test: names from the outermost suite on, suites are not counted", () => {
  const report = `TAP version 13
# Subtest: outer \\# 1
    # Subtest: inner
        # Subtest: leaf
        not ok 1 - leaf
          ---
          location: 'file:///p/a.test.js:3:1'
          failureType: 'testCodeFailure'
          error: 'it''s wrong'
          name: 'TypeError'
          stack: |-
            f (file:///p/a.js:8:43)
            Test.run (node:internal/test_runner/test:796:25)
          ...
        1..1
    not ok 1 - inner
      ---
      type: 'suite'
      failureType: 'subtestsFailed'
      error: '1 subtest failed'
      ...
    # Subtest: soon
    ok 2 - soon # TODO
      ---
      duration_ms: 1
      ...
    1..2
not ok 1 - outer \\# 1
  ---
  type: 'suite'
  failureType: 'subtestsFailed'
  ...
1..1
`;
  expect(read("node:test", { report })).toEqual({
    passed: 0,
    skipped: 1,
    failures: [
      {
        name: "outer # 1 > inner > leaf",
        file: "/p/a.test.js",
        type: "TypeError",
        message: "it's wrong",
        places: [{ file: "/p/a.js", line: 8 }],
        compared: [],
        again: ["--test-name-pattern=(^|\\s)leaf$"],
      },
    ],
  });
});

describe("the failure that was reported", () => {
  const failure = {
    name: "x",
    message: "no <T at 0x7f01> in cart\nmore",
    places: [{ file: "sub/test_a.py", line: 6 }],
    compared: [],
  };

  test.each([
    ["by its words, whatever addresses are in them", "no <T at 0x55aa> in cart", [], "surely"],
    ["by its line, where it has no words", "", [{ file: "/p/sub/test_a.py", line: 6 }], "surely"],
    ["perhaps, by its line with other words", "other", [{ file: "/p/sub/test_a.py", line: 6 }], "perhaps"],
    [
      "perhaps, by a line further out alone",
      "other",
      [
        { file: "/p/sub/a.py", line: 3 },
        { file: "/p/sub/test_a.py", line: 6 },
      ],
      "perhaps",
    ],
    ["not another line", "other", [{ file: "/p/sub/test_a.py", line: 7 }], "no"],
    ["not another file of the same end", "other", [{ file: "/p/sub/my_test_a.py", line: 6 }], "no"],
    ["not a message that is only a part", "cart", [], "no"],
    ["not one without words", "", [], "no"],
  ])("%s", (_what, message, places, expected) => {
    expect(likeness(failure, { message, places })).toBe(expected);
  });

  test("by its words, though they are few and the runner says the type first", () => {
    const told = { ...failure, message: "AssertionError: 25 != 30" };
    expect(likeness(told, { message: "25 != 30", places: [] })).toBe("surely");
    expect(likeness(told, { message: "5 != 30", places: [] })).toBe("no");
  });

  test("is an assertion on its line, which the runner has put into other words, and no other error there", () => {
    const places = [{ file: "/p/a.js", line: 3 }];
    const told = { name: "x", message: "expected 30, received 25", places, compared: [] };
    const message = "25 == 30";
    expect(likeness(told, { type: "AssertionError", message, places })).toBe("surely");
    expect(likeness({ ...told, type: "Error" }, { type: "AssertionError", message, places })).toBe("perhaps");
    expect(likeness(told, { type: "SyntaxError", message, places })).toBe("perhaps");
  });

  test("is any, where the runner told nothing about it", () => {
    expect(likeness({ name: "x", places: [], compared: [] }, { message: "y", places: [] })).toBe("surely");
  });

  test.each([
    ["3 !== 2", "AssertionError: 3 !== 2", true],
    ["3 !== 2", "AssertionError: 4 !== 2", false],
    [
      "assert [4] == [3]\n  At index 0: <T at 0x7f>",
      "AssertionError('assert [4] == [3]\\n  At index 0: <T at 0x55>')",
      true,
    ],
    [
      "assert 'a\\n\\nb' == 'b\\na'\n  - b",
      "AssertionError('assert \\'a\\\\n\\\\nb\\' == \\'b\\\\na\\'\\n  - b')",
      true,
    ],
    ["ValueError: odd: 'b'", "ValueError(\"odd: 'b'\")", true],
    ['it\'s "odd"', "ValueError('it\\'s \"odd\"')", true],
    ["a long text that goes on", "Error: a long text that g…", true],
    ["a long text that goes on", "Error: a long tale that g…", false],
    ["5 !== 2", "AssertionError: 5 !== 22", false],
    ["5 !== 2\n", "AssertionError: 5 !== 2 {generat…", true],
    [
      "The expression evaluated to a falsy value:\n\n  assert.ok(check(0))\n",
      "AssertionError: false == true {generatedMessage: true",
      undefined,
    ],
    ["The expression evaluated to a falsy value:\n\n  assert(a)\n", "AssertionError: 5 !== 2", false],
    ["assert 5 == 2", "AssertionError('assert 7 == 2')", false],
    [
      "Promise {\n  <pending>,\n  [Symbol(async_id_symbol)]: 625,\n  [Symbol(trigger_async_id_symbol)]: 622\n}",
      "AssertionError: Promise {\n  <pending>,\n  [Symbol(async_id_symbol)]: 731,\n  [Symbol(trigger_async_id_symbol)]: 9\n}",
      true,
    ],
    ["KeyError: 'id'", "ValueError('invalid width')", false],
    ["KeyError: 'id'", "KeyError('id')", true],
    ["", "Error: x", undefined],
    ["x", "", undefined],
  ])("seen again: %s, %s", (message, again, expected) => {
    expect(isSameAgain({ message }, again)).toBe(expected);
  });

  test.each([
    ["KeyError", "'id'", "ValueError('invalid width')", false],
    ["ValueError", "odd", "TypeError('odd')", false],
    ["lib.Bad", "status was 404, wanted 200", "Bad(404)", undefined],
    ["FileNotFoundError", "[Errno 2] Gone: 'a.cfg'", "FileNotFoundError(2, 'Gone')", undefined],
    ["AssertionError", "5 != 2", "AssertionError('5 != 2')", true],
    ["AssertionError", "5 != 2", "AssertionError('7 != 2')", false],
    ["AssertionError", "5 !== 2", "AssertionError [ERR_ASSERTION]: 5 !== 2", true],
  ])("seen again, with its type: %s: %s, %s", (type, message, again, expected) => {
    expect(isSameAgain({ type, message }, again)).toBe(expected);
  });
});
