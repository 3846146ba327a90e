/** Runs of the real test runner over tests of one line, with the reporter of this project. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Excuse } from "./excused.ts";
import { judge } from "./second-tries.ts";

const ROOT = resolve(import.meta.dirname, "../..");

test("a run in which a test passes at its second try fails, and names the test", async () => {
  const { status, output } = await run("let tries = 0;\ntest('wavers', () => expect(++tries).toBe(2));");
  expect(output).toContain("The run fails, as these passed only at the second try:\n  a.test.js > wavers\n");
  expect(output).toMatch(/The first try of a\.test\.js > wavers:\nexpected 1 to be 2/);
  expect(output).toMatch(/Tests +1 passed/);
  expect(status).toBe(1);
});

test("a whole run is given the names instead", async () => {
  const list = join(mkdtempSync(join(tmpdir(), "sonde-names-")), "names.json");
  onTestFinished(() => rmSync(dirname(list), { recursive: true, force: true }));
  const wavers = "let tries = 0;\ntest('wavers', () => expect(++tries).toBe(2));";
  const { status, output } = await run(wavers, [], { SONDE_SECOND_TRIES: list });
  expect(output).toContain("to be run again alone:\n  a.test.js > wavers\n");
  expect(JSON.parse(readFileSync(list, "utf8"))).toEqual({ again: ["a.test.js > wavers"], failed: 0 });
  expect(status).toBe(0);
});

test("a whole run is given the names of a test or two that failed, if nothing else did", async () => {
  const list = join(mkdtempSync(join(tmpdir(), "sonde-names-")), "names.json");
  onTestFinished(() => rmSync(dirname(list), { recursive: true, force: true }));
  const fails = (name: string) => `test('${name}', () => expect(1).toBe(2));\n`;
  const env = { SONDE_SECOND_TRIES: list };
  const two = await run(fails("one") + fails("two"), [], env);
  expect(JSON.parse(readFileSync(list, "utf8"))).toEqual({
    again: ["a.test.js > one", "a.test.js > two"],
    failed: 2,
  });
  expect([two.status, two.output.includes("Failed, to be run again alone:")]).toEqual([1, true]);
  rmSync(list);
  await run(fails("one") + fails("two") + fails("three"), [], env);
  expect(existsSync(list)).toBe(false);
  await run(`${fails("one")}setTimeout(() => { throw new Error("beside") });`, [], env);
  expect(existsSync(list)).toBe(false);
});

test("an error that hides another is told with the other", async () => {
  const hides = `let tries = 0;
test('wavers', () => {
  if (tries++ === 0) throw Object.assign(new Error(), { error: new Error("at the end"), suppressed: new Error("before it") });
});`;
  const { output } = await run(hides);
  expect(output).toContain("The first try of a.test.js > wavers:\nbefore it\nat the end");
});

test("a run in which all pass at once does not", async () => {
  const { status, output } = await run("test('stands', () => expect(1).toBe(1));");
  expect(output).not.toContain("second try");
  expect(status).toBe(0);
});

test("a test that is excused does not fail the run, and is named", async () => {
  const excuse = {
    test: "a.test.js > wavers",
    reason: "the clock",
    since: new Date().toISOString().slice(0, 10),
  };
  const wavers = "let tries = 0;\ntest('wavers', () => expect(++tries).toBe(2));";
  const { status, output } = await run(wavers, [excuse]);
  expect(output).toContain(`and excused:\n  a.test.js > wavers (since ${excuse.since}: the clock)\n`);
  expect(status).toBe(0);
});

test("an excuse ends after thirty days, covers one test, and five are the most", () => {
  const excuse: Excuse = { test: "a > b", reason: "r", since: "2026-11-01" };
  const failing = (flaky: string[], list: Excuse[], day: string) =>
    judge(flaky, list, new Date(`${day}T12:00:00Z`)).failing;
  expect(failing(["a > b"], [excuse], "2026-11-30")).toEqual([]);
  expect(failing(["a > b"], [excuse], "2026-12-02")).toEqual([
    "a > b (excused since 2026-11-01: longer than 30 days)",
  ]);
  expect(failing(["a > b"], [{ ...excuse, since: "soon" }], "2026-11-02")).toHaveLength(1);
  expect(failing(["a > b > c"], [excuse], "2026-11-02")).toEqual(["a > b > c"]);
  expect(failing([], Array(6).fill(excuse), "2026-11-02")).toEqual(["excused.ts excuses more than 5 tests"]);
});

function run(
  tests: string,
  excused: Excuse[] = [],
  more: Record<string, string> = {},
): Promise<{ status: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "sonde-second-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const vitest = join(ROOT, "node_modules/vitest");
  writeFileSync(
    join(folder, "a.test.js"),
    `import { expect, test } from "${join(vitest, "dist/index.js")}";\n${tests}\n`,
  );
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `import { SecondTries } from ${JSON.stringify(join(import.meta.dirname, "second-tries.ts"))};
export default { test: { retry: 1, reporters: ["default", new SecondTries(${JSON.stringify(excused)})] } };\n`,
  );
  // A run inside a run: what the one around it has set is not its own.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|FORCE_COLOR$|SONDE_SECOND_TRIES$)/.test(name),
  );
  const env = { ...Object.fromEntries(kept), NO_COLOR: "1", ...more };
  return new Promise((done) => {
    const words = [join(vitest, "vitest.mjs"), "run", "--root", folder];
    execFile(process.execPath, words, { cwd: folder, env }, (error, stdout, stderr) => {
      done({ status: error?.code ?? 0, output: stdout + stderr });
    });
  });
}
