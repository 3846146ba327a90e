/** `sonde test` on the runners of Python and JavaScript, by the real binary: one call, to the user's failing line. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { marker } from "../support/markers.ts";
import { borrowSonde, FIXTURES, type Sonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const OWN_PYTHON = join(ROOT, ".adapters/pytest/bin/python");
const slow = { timeout: 90_000 };

/** The machine's, or the one that scripts/test-adapters.mjs has made. */
function pythonWithPytest(): string {
  const found = ["python3", OWN_PYTHON].find(
    (python) => spawnSync(python, ["-m", "pytest", "--version"]).status === 0,
  );
  if (found === undefined) throw new Error("no pytest: `npm test` installs it");
  return found;
}

describe.skipIf(spawnSync("python3", ["--version"]).status !== 0)("Python", () => {
  let pytest: string[];
  beforeAll(() => {
    pytest = [pythonWithPytest(), "-m", "pytest"];
  });

  const file = (name: string) => join(FIXTURES, "python/testing-cart", name);

  function withCart(): Sonde {
    const sonde = borrowSonde();
    sonde.fixture("python/testing-cart");
    return sonde;
  }

  const inCart = { cwd: "testing-cart", timeoutMs: 90_000 };

  test("pytest: the assertion, its values, the other failures", slow, async () => {
    const sonde = withCart();
    const answer = await asked(sonde, ["test", "--", ...pytest, "test_cart.py"], inCart);
    expect(answer).toMatchObject({
      runner: "pytest",
      state: "failed",
      counts: { failed: 3, passed: 3, skipped: 0 },
      status: { exitCode: 1 },
      test: {
        name: "test_cart.py::TestCart::test_discount[5]",
        type: "AssertionError",
        compared: [
          { label: "left", value: "25" },
          { label: "right", value: "30" },
        ],
      },
      others: ["test_cart.py::test_parse", "test_cart.py::test_needs_fixture"],
    });
    expect(places(answer)).toEqual([
      `test_cart.py:${marker(file("test_cart.py"), "assertion")} test_discount`,
    ]);
    expect(values(answer, 0)).toMatchObject({ got: "25", off: "5", prices: "[10, 20]" });
    // What pytest's rewriting of assertions leaves among the locals is nobody's.
    expect(Object.keys(values(answer, 0)).filter((name) => name.startsWith("@"))).toEqual([]);
    expect(await sonde.ask("sessions")).toMatchObject({ sessions: [] });
  });

  test("by name: an exception in the code under test, each frame with its values", slow, async () => {
    const answer = await asked(withCart(), ["test", "--name", "test_parse", "--", ...pytest], inCart);
    expect(answer.test).toMatchObject({ name: "test_cart.py::test_parse", type: "ValueError" });
    expect(answer.stop?.exception?.message).toContain("'b'");
    expect(places(answer)).toEqual([
      `cart.py:${marker(file("cart.py"), "int")} parse`,
      `test_cart.py:${marker(file("test_cart.py"), "call")} test_parse`,
    ]);
    expect(values(answer, 0)).toMatchObject({ part: "'b'", numbers: "[1]" });
    expect(values(answer, 1)).toMatchObject({ items: "'1,b'" });
  });

  test("a fixture that fails, a module that cannot be imported", slow, async () => {
    const sonde = withCart();
    const fixture = await asked(sonde, ["test", "--name", "needs_fixture", "--", ...pytest], inCart);
    expect(places(fixture)).toEqual([`test_cart.py:${marker(file("test_cart.py"), "fixture")} broken`]);
    expect(values(fixture, 0)).toEqual({ path: "'nowhere'" });
    const broken = await asked(sonde, ["test", "--", ...pytest, "bad_import.py"], inCart);
    expect(broken).toMatchObject({ test: { name: "bad_import.py" }, status: { exitCode: 2 } });
    expect(broken.stop?.exception?.message).toContain("there_is_no_such_module");
    expect(places(broken)).toEqual([`bad_import.py:${marker(file("bad_import.py"), "import")} <module>`]);
    expect(values(broken, 0)).toEqual({ limit: "3" });
  });

  test("all pass; no such test; nothing there to run", slow, async () => {
    const sonde = withCart();
    const text = await sonde.text(["test", "--", ...pytest, "test_passing.py"], inCart);
    expect(text).toBe(
      `passed: ${pytest.join(" ")} test_passing.py  · pytest: 3 passed, 1 skipped  · exit code 0\n`,
    );
    const refused = await sonde.refusal(["test", "--name", "nothing", "--", ...pytest], inCart);
    expect(refused).toMatchObject({ code: "BAD_ARGUMENT", message: "no failing test is called nothing" });
    const other = await sonde.refusal(["test", "--name", "[x]", "--", ...pytest, "-k", "parse"], inCart);
    expect(other).toMatchObject({ code: "BAD_ARGUMENT", hint: "these fail: test_cart.py::test_parse" });
    const none = await asked(sonde, ["test", "--", ...pytest, "nowhere.py"], inCart);
    expect(none).toMatchObject({ state: "failed", status: { exitCode: 4 } });
    expect(none.output.join("\n")).toContain("not found: nowhere.py");
  });

  test("a test that fails only after another is run with it", slow, async () => {
    const answer = await asked(withCart(), ["test", "--", ...pytest, "test_order.py"], inCart);
    expect(answer.notes.join("\n")).toMatch(/run alone, this test passes/);
    expect(places(answer)).toEqual([`test_order.py:${marker(file("test_order.py"), "order")} test_second`]);
    expect(values(answer, 0)).toEqual({ size: "1" });
  });

  test("from another folder, with options of pytest's own", slow, async () => {
    const line = [
      "test",
      "--cwd",
      "testing-cart",
      "--",
      ...pytest,
      "-q",
      "--tb",
      "short",
      "-x",
      "-k",
      "parse",
    ];
    const answer = await asked(withCart(), line, { timeoutMs: 90_000 });
    expect(answer.test?.name).toBe("test_cart.py::test_parse");
    expect(answer.stop?.frames).toHaveLength(2);
  });

  test("unittest", slow, async () => {
    const line = ["test", "--", "python3", "-m", "unittest", "cart_unittest"];
    const answer = await asked(withCart(), line, inCart);
    expect(answer).toMatchObject({
      runner: "unittest",
      counts: { failed: 1, passed: 2, skipped: 0 },
      test: {
        name: "cart_unittest.CartTest.test_total",
        type: "AssertionError",
        message: "2 != 3 : discount",
      },
    });
    const line20 = marker(file("cart_unittest.py"), "equal");
    expect(places(answer)).toEqual([`cart_unittest.py:${line20} test_total`]);
    expect(values(answer, 0)).toMatchObject({ off: "1", got: "2" });
  });

  test("the answer as text is short and to the point", slow, async () => {
    const text = await withCart().text(["test", "--", ...pytest, "test_cart.py"], inCart);
    expect(Buffer.byteLength(text)).toBeLessThan(1280);
    expect(text).toMatch(
      /^failed: test_cart\.py::TestCart::test_discount\[5\] {2}· pytest: 3 failed, 3 passed {2}· exit code 1\n {2}AssertionError: /,
    );
    expect(text).toContain(
      `\nat test_cart.py:${marker(file("test_cart.py"), "assertion")} in test_discount\n`,
    );
    expect(text).toContain("\n  got = 25  (int)\n");
    expect(text).toContain("2 other failing tests: `sonde test --name <test> -- ");
    expect(text).not.toMatch(/test session starts|rootdir/);
  });
});

describe("node:test", () => {
  const file = (name: string) => join(FIXTURES, "js/testing-node", name);
  const inside = { cwd: "testing-node", timeoutMs: 90_000 };

  function withCart(): Sonde {
    const sonde = borrowSonde();
    sonde.fixture("js/testing-node");
    return sonde;
  }

  test("an assertion, then by name an error in the code under test", slow, async () => {
    const sonde = withCart();
    const answer = await asked(sonde, ["test", "--", "node", "--test", "cart.test.js"], inside);
    expect(answer).toMatchObject({
      runner: "node:test",
      counts: { failed: 2, passed: 1, skipped: 0 },
      status: { exitCode: 1 },
      test: {
        name: "cart > discount (5)",
        type: "AssertionError",
        compared: [
          { label: "expected", value: "30" },
          { label: "actual", value: "25" },
        ],
      },
      others: ["cart > parse"],
    });
    expect(places(answer)).toEqual([`cart.test.js:${marker(file("cart.test.js"), "assertion")} (anonymous)`]);
    expect(values(answer, 0)).toEqual({ prices: "[10, 20]", got: "25" });
    const line = ["test", "--name", "cart > parse", "--", "node", "--test", "cart.test.js"];
    const other = await asked(sonde, line, inside);
    expect(places(other)).toEqual([
      `cart.js:${marker(file("cart.js"), "throw")} (anonymous)`,
      `cart.js:8 parse`,
      `cart.test.js:${marker(file("cart.test.js"), "call")} (anonymous)`,
    ]);
    expect(values(other, 0)).toEqual({ part: '"b"' });
  });

  test("across an await: who awaits is shown too", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "later.test.mjs",
      `import assert from "node:assert";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "node:test";
async function load(id) {
  await delay(1);
  const found = id * 2;
  assert.equal(found, 7);
}
test("later", async () => {
  await load(3);
});
`,
    );
    const answer = await asked(sonde, ["test", "--", "node", "--test", "later.test.mjs"]);
    expect(places(answer)).toEqual(["later.test.mjs:7 load", "later.test.mjs:10 (anonymous)"]);
    expect(values(answer, 0)).toEqual({ id: "3", found: "6" });
  });

  test("a package's script; a file that cannot be loaded", slow, async () => {
    const answer = await asked(withCart(), ["test", "npm", "test"], inside);
    expect(answer).toMatchObject({ runner: "node:test", counts: { failed: 3, passed: 2, skipped: 1 } });
    expect(answer.stop?.exception).toMatchObject({ type: "RangeError", message: "over 3" });
    expect(places(answer)).toEqual([`broken.test.js:${marker(file("broken.test.js"), "load")} <module>`]);
    expect(values(answer, 0)).toMatchObject({ limit: "3" });
  });

  test("all pass", slow, async () => {
    const answer = await asked(withCart(), ["test", "--", "node", "--test", "passing.test.js"], inside);
    expect(answer).toMatchObject({
      state: "passed",
      counts: { failed: 0, passed: 1, skipped: 1 },
      status: { exitCode: 0 },
    });
    expect(answer.stop).toBeUndefined();
  });
});

describe("vitest", () => {
  const file = (name: string) => join(FIXTURES, "js/testing-vitest", name);
  const inside = { cwd: "testing-vitest", timeoutMs: 90_000 };

  /** With the vitest that runs these tests as the project's own. */
  function withCart(): Sonde {
    const sonde = borrowSonde();
    const folder = join(sonde.fixture("js/testing-vitest"), "node_modules");
    mkdirSync(join(folder, ".bin"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/vitest"), join(folder, "vitest"));
    symlinkSync("../vitest/vitest.mjs", join(folder, ".bin/vitest"));
    expect(existsSync(join(folder, ".bin/vitest"))).toBe(true);
    return sonde;
  }

  test("an assertion in TypeScript, then by name an error in the code under test", slow, async () => {
    const sonde = withCart();
    const answer = await asked(sonde, ["test", "--", "npx", "vitest", "run"], inside);
    expect(answer).toMatchObject({
      runner: "vitest",
      counts: { failed: 2, passed: 2, skipped: 0 },
      status: { exitCode: 1 },
      test: {
        name: "cart discount (5)",
        type: "AssertionError",
        compared: [
          { label: "actual", value: "25" },
          { label: "expected", value: "30" },
        ],
      },
      others: ["cart parse"],
    });
    expect(places(answer)).toEqual([`cart.spec.ts:${marker(file("cart.spec.ts"), "assertion")} (anonymous)`]);
    expect(values(answer, 0)).toEqual({ items: "[{price: 10}, {price: 20}]", got: "25" });
    const other = await asked(sonde, ["test", "--name", "cart parse", "vitest"], inside);
    expect(places(other)).toEqual([
      `cart.ts:${marker(file("cart.ts"), "throw")} (anonymous)`,
      `cart.ts:12 parse`,
      `cart.spec.ts:${marker(file("cart.spec.ts"), "call")} (anonymous)`,
    ]);
  });

  test("all pass", slow, async () => {
    const answer = await asked(withCart(), ["test", "vitest", "passing"], inside);
    expect(answer).toMatchObject({ state: "passed", counts: { failed: 0, passed: 1, skipped: 0 } });
  });
});

describe("any program", () => {
  test("colours are left out", slow, async () => {
    const sonde = borrowSonde();
    const red = 'console.log("\\u001b[31m1 failed\\u001b[39m");\n';
    sonde.write("ends.js", `${red}process.exit(1);\n`);
    sonde.write("throws.js", `${red}throw new Error("not this");\n`);
    const ended = await asked(sonde, ["test", "--", "node", "ends.js"]);
    expect(ended.output).toEqual(["1 failed"]);
    const thrown = await asked(sonde, ["test", "--", "node", "throws.js"]);
    expect(thrown.stop?.output.lines).toEqual([{ stream: "stdout", text: "1 failed" }]);
  });

  test("stops at its uncaught error and tells how it ended", slow, async () => {
    const sonde = borrowSonde();
    const program = sonde.fixture("js/uncaught.js");
    const answer = await asked(sonde, ["test", "--", "node", program]);
    expect(answer).toMatchObject({ state: "failed", status: { exitCode: 1 } });
    expect(answer).not.toHaveProperty("runner");
    expect(answer).not.toHaveProperty("counts");
    expect(answer.stop?.exception).toMatchObject({ type: "RangeError" });
    expect(answer.stop?.frames[0]?.path).toBe(program);
  });

  test("passes, or fails without a word", slow, async () => {
    const sonde = borrowSonde();
    sonde.write("fine.js", "console.log('fine')\n");
    sonde.write("quiet.js", "console.log('not fine'); process.exitCode = 3\n");
    expect(await asked(sonde, ["test", "--", "node", "fine.js"])).toMatchObject({ state: "passed" });
    const quiet = await asked(sonde, ["test", "--", "node", "quiet.js"]);
    expect(quiet).toMatchObject({ state: "failed", status: { exitCode: 3 }, output: ["not fine"] });
  });

  test("refusals", async () => {
    const sonde = borrowSonde();
    expect(await sonde.refusal(["test"])).toMatchObject({ code: "BAD_ARGUMENT", message: "which tests?" });
    const missing = await sonde.refusal(["test", "--env", "PATH=/nowhere", "--", "pytest"]);
    expect(missing).toMatchObject({ code: "LAUNCH_FAILED", message: "there is no pytest on the PATH" });
  });

  test("tests that do not end are ended, and all they started", slow, async () => {
    const sonde = borrowSonde();
    const { started, ended } = endless(sonde);
    const line = ["test", "--timeout", "3", "--", "node", "--test", "endless.test.js"];
    const refused = sonde.refusal(line, { timeoutMs: 60_000 });
    await started;
    expect(await refused).toMatchObject({ code: "TIMEOUT", hint: expect.stringContaining("--timeout") });
    await ended;
  });

  test("they end with the client that asked", slow, async () => {
    const sonde = borrowSonde();
    const { started, ended } = endless(sonde);
    const client = sonde.spawn(["test", "--", "node", "--test", "endless.test.js"]);
    await started;
    client.kill("SIGKILL");
    await ended;
  });

  test("one that does not end under the debugger is shown where it stands", slow, async () => {
    const sonde = borrowSonde();
    const program = sonde.fixture("js/endless.js");
    const answer = await asked(sonde, ["test", "--timeout", "2", "--", "node", program]);
    expect(answer.state).toBe("failed");
    expect(answer.notes[0]).toBe("it did not end within 2 s: this is where it was then");
    expect(answer.stop?.frames.at(-1)?.path).toBe(program);
  });

  test("a deep stack full of values stays within the budget", slow, async () => {
    const sonde = borrowSonde();
    const locals = Array.from({ length: 25 }, (_, at) => `const v${at} = "${"x".repeat(100)}" + depth;`);
    sonde.write(
      "deep.js",
      `function deep(depth) {\n${locals.join("\n")}\nif (depth === 0) throw new Error("bottom");\nreturn deep(depth - 1);\n}\ndeep(50);\n`,
    );
    const text = await sonde.text(["test", "--", "node", "deep.js"], { timeoutMs: 60_000 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(text).toContain("Error: bottom");
    expect(text).toContain("\n  depth = 0  (number)\n");
    expect(text).toMatch(/\(\+\d+ more frames of yours, /);
  });
});

/** A test file that says that it runs, never ends, and leaves a process outside its group; a pipe is open as long as any of them lives. */
function endless(sonde: Sonde): { started: Promise<unknown>; ended: Promise<unknown> } {
  const pipe = join(sonde.project, "alive");
  execFileSync("mkfifo", [pipe]);
  sonde.write(
    "endless.test.js",
    `const pipe = require("node:fs").openSync(${JSON.stringify(pipe)}, "w");
require("node:child_process").spawn("sleep", ["600"], { detached: true, stdio: ["ignore", pipe, pipe] });
require("node:fs").writeSync(pipe, "up");
setInterval(() => {}, 1000);
`,
  );
  const reader = createReadStream(pipe);
  const ended = once(reader, "end");
  return { started: once(reader, "data"), ended };
}
