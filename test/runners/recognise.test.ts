/** Which runner a command line means, and the lines that are made of it. */
import { describe, expect, test } from "vitest";
import { RUNNERS, recognise } from "../../src/runners/index.ts";
import { scriptOf, scriptWords } from "../../src/runners/package-script.ts";
import type { Failure, Line, Runner } from "../../src/runners/runner.ts";

function words(text: string): string[] {
  return text.split(" ").filter(Boolean);
}

test.each([
  ["pytest -x tests", "pytest", "-x tests"],
  ["python3.12 -X dev -m pytest tests", "pytest", "tests"],
  ["uv run pytest", "pytest", ""],
  ["A=1 timeout 30 .venv/bin/pytest -q", "pytest", "-q"],
  ["python -m unittest discover -s tests", "unittest", "discover -s tests"],
  ["python3 tests/test_cart.py -v", "unittest", "-v"],
  ["npx vitest run", "vitest", "run"],
  ["node_modules/.bin/vitest", "vitest", ""],
  ["npx --no-install jest src", "jest", "src"],
  ["node --experimental-vm-modules node_modules/jest/bin/jest.js", "jest", ""],
  ["yarn mocha", "mocha", ""],
  ["npx tap test", "tap", "test"],
  ["node_modules/.bin/tap -Rspec", "tap", "-Rspec"],
  ["npx borp --coverage", "borp", "--coverage"],
  ["prove -l t", "prove", "-l t"],
  ["node --test", "node:test", "--test"],
  ["node --import tsx --test src", "node:test", "--import tsx --test src"],
  ["node cart.test.js", "node:test", "cart.test.js"],
  ["go test ./...", "go test", "./..."],
  ["go -C sub test .", "go test", "."],
  ["cargo +nightly test --lib", "cargo test", "--lib"],
  ["cargo t", "cargo test", ""],
  ["ctest --test-dir build", "ctest", "--test-dir build"],
  ["./gradlew -p sub :core:test", "gradle", "-p sub :core:test"],
  ["gradle build -x lint", "gradle", "build -x lint"],
])("%s", (line, runner, rest) => {
  const found = recognise(words(line));
  expect(found?.runner.name).toBe(runner);
  expect(found?.rest).toEqual(words(rest));
  expect([...(found?.head ?? []), ...(found?.rest ?? [])]).toEqual(words(line));
});

test.each([
  "node app.js",
  "python app.py",
  "go run ./cmd/test",
  "go build test",
  "cargo run test",
  "./build/tests",
  "./tap",
  "cat pytest",
  "ls jest",
  "npm test",
  "gradle run",
  "gradle -p test assemble",
])("%s is any program", (line) => {
  expect(recognise(words(line))).toBeUndefined();
});

/** The line by which one failing test is run alone. */
function single(line: string, failure: Partial<Failure>, there: string[] = []): string {
  const { known, runner } = lineOf(line, there);
  const found = runner.single(known, { name: "", places: [], compared: [], ...failure });
  return found.command.join(" ");
}

function survey(line: string, name?: string, there: string[] = []): string {
  const { known, runner } = lineOf(line, there);
  return runner.survey(known, name).command("REPORT").join(" ");
}

function lineOf(line: string, there: string[]): { known: Line; runner: Runner } {
  const found = recognise(words(line));
  if (!found) throw new Error(`no runner: ${line}`);
  const { head, rest, runner } = found;
  return { known: { head, rest, cwd: "/p", exists: (path) => there.includes(path) }, runner };
}

describe("one test alone", () => {
  test("pytest: paths, workers and early ends are left out, options are kept", () => {
    const failure = { name: "tests/a.py::test_x", again: ["-n0", "--no-cov"] };
    expect(
      single("pytest -n 4 --tb short -x tests tests/b.py::y -k z", failure, ["tests", "tests/b.py"]),
    ).toBe("pytest --tb short -k z -n0 --no-cov tests/a.py::test_x");
  });

  test("node:test: the file itself, as one types it in its folder, not the runner of files", () => {
    const failure = { file: "/p/a.test.js", again: ["--test-name-pattern=(^|\\s)x$"] };
    expect(single("node --import tsx --test --test-reporter spec --test-concurrency=4 src", failure)).toBe(
      "node --test-name-pattern=(^|\\s)x$ --import tsx a.test.js",
    );
    expect(single("node --test", { ...failure, file: "/q/a.test.js" })).toBe(
      "node --test-name-pattern=(^|\\s)x$ /q/a.test.js",
    );
  });

  test("vitest, jest, mocha: one file, one process", () => {
    const failure = { file: "/p/a.test.ts", again: ["-t", "^x$"] };
    expect(single("npx vitest watch src --reporter=dot -c v.config.ts --coverage", failure)).toBe(
      "npx vitest /p/a.test.ts -c v.config.ts --run --no-file-parallelism --no-coverage --retry=0 -t ^x$",
    );
    expect(single("jest --coverage -w 4 src --config j.json", failure)).toBe(
      "jest --config j.json --runInBand --coverage=false --watchAll=false --testTimeout=600000 -t ^x$ --runTestsByPath /p/a.test.ts",
    );
    expect(
      single("mocha -p -t 5 -r ts-node/register test", {
        ...failure,
        again: ["--no-parallel", "--grep", "^x$"],
      }),
    ).toBe("mocha -r ts-node/register --timeout 0 --no-parallel --grep ^x$ /p/a.test.ts");
  });

  test("go, cargo: one package, one target", () => {
    const failure = { again: ["-run", "^A$/^b$", "example.com/shop/cart"] };
    expect(single("go test -v -race --count 3 -tags x ./... -args -q", failure)).toBe(
      "go test -race -tags x -count=1 -parallel=1 -run ^A$/^b$ example.com/shop/cart -args -q",
    );
    const target = { again: ["tests::x", "-p", "shop", "--lib"] };
    expect(single("cargo test --workspace --features f x -- --ignored --nocapture", target)).toBe(
      "cargo test --features f -p shop --lib -- --ignored --exact tests::x --test-threads=1 --nocapture",
    );
  });
});

test("the run before: everything, or only what the name can mean", () => {
  expect(survey("pytest tests", "tests/a.py::T::test_x[1]", ["tests", "tests/a.py"])).toBe(
    "pytest tests/a.py::T::test_x[1] -o junit_family=xunit1 --junitxml=REPORT --color=no",
  );
  expect(survey("pytest tests", "test_x", ["tests"])).toContain("pytest tests -k test_x ");
  expect(survey("go test -run Y ./...", "example.com/p: TestA/b c")).toBe(
    "go test -json -run TestA/b c ./...",
  );
  expect(survey("vitest", "a (b)")).toBe("vitest --run --reporter=json --outputFile=REPORT -t a \\(b\\)");
  expect(survey("cargo test x -- --ignored", "--lib › tests::y")).toBe(
    "cargo test --no-fail-fast tests::y -- --ignored",
  );
});

test("every runner makes a line of its own words", () => {
  expect(new Set(RUNNERS.map(({ name }) => name)).size).toBe(RUNNERS.length);
});

describe("a package's script", () => {
  test.each([
    ["npm test", "test", ""],
    ["npm t -- -x", "test", "-x"],
    ["npm run test:unit -- a b", "test:unit", "a b"],
    ["pnpm test", "test", ""],
    ["yarn run check", "check", ""],
  ])("%s", (line, script, args) => {
    expect(scriptOf(words(line))).toEqual({ script, args: words(args) });
  });

  test.each(["npm install", "npx vitest", "node test", "yarn vitest"])("%s is none", (line) => {
    expect(scriptOf(words(line))).toBeUndefined();
  });

  test("is its words, unless it takes a shell", () => {
    const text = JSON.stringify({ scripts: { test: "vitest run 'a b'", all: "tsc && vitest", n: 3 } });
    expect(scriptWords(text, "test")).toEqual(["vitest", "run", "a b"]);
    for (const script of ["all", "n", "none"]) expect(scriptWords(text, script)).toBeUndefined();
    expect(scriptWords("not json", "test")).toBeUndefined();
  });
});

test.each([
  ["test", "target", []],
  ["test", "sub/target", ["-pl", "sub", "-am"]],
  ["-f sub/pom.xml test", "sub/target", []],
  ["--file=sub test", "sub/target", []],
  ["-f /p/sub/pom.xml test", "sub/core/target", ["-pl", "core", "-am"]],
  ["-f other/pom.xml test", "sub/target", []],
])("mvn %s, of which a test in %s failed: the module as that project calls it", (given, folder, selected) => {
  const runner = RUNNERS.find(({ name }) => name === "maven");
  const line = {
    head: ["mvn"],
    rest: words(given),
    cwd: "/p",
    exists: (path: string) => path === "sub/pom.xml",
  };
  const text = '<testsuite><testcase name="a" classname="C"><failure>x</failure></testcase></testsuite>';
  const files = [{ path: `${folder}/surefire-reports/TEST-C.xml`, text }];
  const said = { stdout: "", stderr: "", report: undefined, files };
  const [failure] = runner?.survey(line, undefined).read(said)?.failures ?? [];
  const single = failure === undefined ? undefined : runner?.single(line, failure);
  const at = single?.command.indexOf("-pl") ?? -1;
  expect(at < 0 ? [] : single?.command.slice(at, at + 3)).toEqual(selected);
  expect(single?.command).toContain("-Dtest=C#a");
});

test.each([
  ["test", "build", "cleanTest", "test --tests C.a"],
  ["check --parallel", "core/lib/build", "cleanTest", "core:lib:test --tests C.a"],
  [":integrationTest --tests D", "build", ":cleanIntegrationTest", ":integrationTest --tests C.a"],
])("gradle %s, of which a test in %s failed", (given, folder, cleaned, again) => {
  const runner = RUNNERS.find(({ name }) => name === "gradle");
  const line = { head: ["gradle"], rest: words(given), cwd: "/p", exists: () => false };
  const task = given.includes("integrationTest") ? "integrationTest" : "test";
  const text = '<testsuite><testcase name="a()" classname="C"><failure>x</failure></testcase></testsuite>';
  const files = [{ path: `${folder}/test-results/${task}/TEST-C.xml`, text }];
  const survey = runner?.survey(line, undefined);
  expect(survey?.command("")).toContain(cleaned);
  const [failure] = survey?.read({ stdout: "", stderr: "", report: undefined, files })?.failures ?? [];
  expect(failure?.name).toBe("C.a");
  const single = failure === undefined ? undefined : runner?.single(line, failure);
  expect(single).toEqual({ command: words(`gradle --no-daemon --console=plain ${again}`) });
});
