/** A program run to its death, or the core file it left: place, message, every frame with its values. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CrashResult } from "../../src/library/commands.generated.ts";
import { splitWords } from "../../src/util/shell-words.ts";
import { builtFolder, compilerVersion, type Language } from "../support/builds.ts";
import { expectGolden } from "../support/golden.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

const BUDGET = 4096;

function crash(sonde: Sonde, args: string | string[]): Promise<CrashResult> {
  const words = typeof args === "string" ? args.split(" ") : args;
  return sonde.ask<CrashResult>(["crash", ...words], { timeoutMs: 60_000 });
}

/** What the frame of this function shows under a name. */
function value({ death }: CrashResult, inside: RegExp, name: RegExp): string | undefined {
  const frame = death?.frames.find((one) => inside.test(one.function));
  return frame?.values.find((one) => name.test(one.name))?.value;
}

function has(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

test("what a reader sees", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  for (const name of ["uncaught", "stats", "exit-code", "endless"]) sonde.fixture(`js/${name}.js`);
  const text = await transcript(sonde, [
    "crash uncaught.js",
    "crash stats.js",
    "crash -- node exit-code.js",
    "crash --timeout 1 -- node endless.js",
    "crash",
    "crash --core stats.js",
    "sessions",
  ]);
  expectGolden("crash", text.replaceAll(/ready \d+/g, "ready <pid>"));
});

interface Row {
  title: string;
  /** Where the program is, and how it is run. */
  place(): { sonde: Sonde; file: string; run: string[] };
  missing(): boolean;
  type: RegExp;
  message: RegExp;
  /** How the names of its variables look. */
  name?(plain: string): RegExp;
  ended: object;
  causes?: RegExp;
  /** Its functions are not looked for in its sources: the way on is a session. */
  sessionOnly?: true;
}

const plain = (name: string) => new RegExp(`^${name}$`);

function compiled(language: Language, extension: string): Pick<Row, "place" | "missing"> {
  return {
    missing: () => compilerVersion(language) === undefined,
    place: () => ({
      sonde: borrowSonde(builtFolder(language)),
      file: `uncaught.${extension}`,
      run: ["--", "./uncaught"],
    }),
  };
}

function script(folder: string, extension: string, command: string, ...version: string[]) {
  return {
    missing: () => !has(command, ...version),
    place: () => {
      const sonde = borrowSonde();
      sonde.fixture(`${folder}/uncaught.${extension}`);
      return { sonde, file: `uncaught.${extension}`, run: [`uncaught.${extension}`] };
    },
  };
}

const message = /cannot read 9 characters/;
const rows: Row[] = [
  { title: "C", ...compiled("c", "c"), type: /^SIGSEGV$/, message: /0x0/, ended: { signal: "SIGSEGV" } },
  { title: "C++", ...compiled("cpp", "cpp"), type: /range_error/, message, ended: { signal: "SIGABRT" } },
  { title: "Rust", ...compiled("rust", "rs"), type: /panic/, message, ended: { exitCode: 101 } },
  { title: "Go", ...compiled("go", "go"), type: /panic/, message, ended: { exitCode: 2 } },
  {
    title: "Python",
    ...script("python", "py", "python3", "--version"),
    type: /ValueError/,
    message,
    ended: { exitCode: 1 },
    causes: /JSONDecodeError: Expecting property name/,
  },
  {
    title: "Node",
    ...script("js", "js", process.execPath, "--version"),
    type: /RangeError/,
    message,
    ended: { exitCode: 1 },
    causes: /SyntaxError/,
  },
  {
    title: "Java",
    ...script("java", "java", "javac", "--version"),
    type: /IllegalStateException/,
    message,
    ended: { exitCode: 1 },
    causes: /NumberFormatException/,
    sessionOnly: true,
  },
  {
    title: "Ruby",
    ...script("ruby", "rb", "ruby", "-e", 'require "debug/version"'),
    type: /RangeError/,
    message,
    ended: { exitCode: 1 },
    causes: /JSON::ParserError/,
  },
  {
    title: "PHP",
    ...script("php", "php", "php", "-r", "exit(extension_loaded('xdebug') ? 0 : 1);"),
    type: /RangeException/,
    message,
    name: (name) => new RegExp(`^\\$${name}$`),
    ended: { exitCode: 255 },
  },
  {
    title: "Perl",
    ...script("perl", "pl", "perl", "-MPerl::LanguageServer", "-e", "1"),
    type: /RangeError/,
    message,
    name: (name) => new RegExp(`^\\$${name}$`),
    ended: { exitCode: 255 },
    sessionOnly: true,
  },
];

test.for(rows)("$title", { timeout: 120_000 }, async (row, { skip }) => {
  if (row.missing()) skip("not on this machine");
  const { sonde, file, run } = row.place();
  const result = await crash(sonde, run);
  const { death } = result;
  expect(result).toMatchObject({ crashed: true, ended: row.ended, survived: [] });
  expect(death?.exception?.type).toMatch(row.type);
  expect(death?.exception?.message).toMatch(row.message);
  expect(death?.frame?.line).toBe(marker(join(sonde.project, file), "throw"));
  expect(death?.frames.map((frame) => frame.function.split(/::|\./).at(-1)).slice(0, 1)).toEqual(["parse"]);
  const name = row.name ?? plain;
  expect(value(result, /parse$/, name("length"))).toBe("9");
  expect(value(result, /load(_settings)?$/, name("name"))).toContain("settings");
  expect(value(result, /main$/i, name("name"))).toContain("settings");
  if (row.causes) expect(death?.exception?.causes.join("\n")).toMatch(row.causes);
  expect(result.output.lines.map((line) => line.text)).toContain("about to fail");
  const text = await sonde.text(["crash", ...run], { timeoutMs: 60_000 });
  expect(text).toMatch(new RegExp(`^crashed: \\S*${file}:${death?.frame?.line} in `));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET);
  if (row.sessionOnly) expect(text).toContain(`\nnext: \`${result.again}\` stops there`);
  else expect(text).toContain(`\nnext: \`${result.next}\` shows `);
  if (result.next !== undefined) {
    const trace = await sonde.text(splitWords(result.next).slice(1), { timeoutMs: 60_000 });
    expect(trace).toMatch(/^ *\S*\bparse\(.*uncaught\.\w+:\d+$/m);
  }
  expect(await sonde.text("sessions")).toContain("no sessions");
});

test("Node: a rejection that nobody handles", async () => {
  const sonde = borrowSonde();
  const file = sonde.fixture("js/rejection.js");
  const result = await crash(sonde, "rejection.js");
  expect(result).toMatchObject({ crashed: true, ended: { exitCode: 1 } });
  expect(result.death?.exception).toMatchObject({ type: "Error", message: "no price for pear" });
  expect(result.death?.frame?.line).toBe(marker(file, "throw"));
  expect(value(result, /fetchPrice/, /^item$/)).toBe('"pear"');
  expect(result.death?.frames.map((frame) => frame.function)).toContain("main");
});

test("Python: a chain without `from`, and the values of each frame", { timeout: 60_000 }, async ({
  skip,
}) => {
  if (!has("python3", "--version")) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "chain.py",
    `def price(item):
    try:
        return {"apple": 1}[item]
    except KeyError:
        raise LookupError(f"no price for {item}")


try:
    price("pear")
except LookupError as inner:
    raise RuntimeError("the order failed") from inner
`,
  );
  const { death } = await crash(sonde, "chain.py");
  expect(death?.exception).toMatchObject({ type: "RuntimeError", message: "the order failed" });
  expect(death?.exception?.causes).toEqual(["LookupError: no price for pear", "KeyError: 'pear'"]);
});

test("an exception that ends a thread but not the program", { timeout: 60_000 }, async ({ skip }) => {
  if (!has("python3", "--version")) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "survives.py",
    `import threading


def work(number):
    return 1 / number


for number in (0, 0):
    thread = threading.Thread(target=work, args=(number,))
    thread.start()
    thread.join()
print("went on")
`,
  );
  const result = await crash(sonde, "survives.py");
  expect(result).toMatchObject({ crashed: false, ended: { how: "exited", exitCode: 0 } });
  expect(result.death?.exception).toMatchObject({ type: "ZeroDivisionError" });
  expect(result.survived).toMatchObject([{ what: "ZeroDivisionError: division by zero" }]);
  expect(await sonde.text("crash survives.py")).toMatch(
    /^did not crash: exited: code 0; uncaught exceptions before that: survives\.py:5/,
  );
});

test("a signal that no debugger of the language sees coming", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "abort.js",
    'console.log("about to fail");\nprocess.kill(process.pid, "SIGSEGV");\nsetInterval(() => {}, 1000);\n',
  );
  const result = await crash(sonde, "abort.js");
  expect(result).toMatchObject({ crashed: true, ended: { signal: "SIGSEGV" } });
  expect(result.death).toBeUndefined();
  expect(await sonde.text("crash abort.js")).toMatch(/^crashed: exited: killed by SIGSEGV/);
});

test("a core file shows the same", { timeout: 60_000 }, async ({ skip }) => {
  if (compilerVersion("c") === undefined) skip("no C compiler");
  const sonde = borrowSonde();
  const program = join(builtFolder("c"), "core");
  execFileSync("sh", ["-c", `ulimit -c unlimited; "${program}" || true`], {
    cwd: sonde.project,
    stdio: "ignore",
  });
  const [core = "core"] = execFileSync("sh", ["-c", "ls core*"], {
    cwd: sonde.project,
    encoding: "utf8",
  }).split("\n");
  const result = await crash(sonde, ["--core", core, program]);
  expect(result).toMatchObject({ crashed: true, core, death: { exception: { type: "SIGSEGV" } } });
  expect(result.death?.frame?.line).toBe(marker(`${program}.c`, "crash"));
  expect(result.death?.frames.map((frame) => frame.function)).toEqual(["count", "check", "order", "main"]);
  expect(value(result, /^count$/, /^reserved$/)).toBe("7");
  expect(value(result, /^order$/, /^wanted$/)).toBe("5");
  expect(await sonde.text(["crash", "--core", core, program])).toContain(`core file ${core}`);
});

test("Python: what it came of, with frames of its own, and not the traceback again", {
  timeout: 60_000,
}, async ({ skip }) => {
  if (!has("python3", "--version")) skip("no python3");
  const sonde = borrowSonde();
  sonde.write(
    "chain.py",
    `import atexit


def parse(text):
    left, right = text.split(",")
    return left, right


def load(row):
    try:
        return parse(row)
    except ValueError as error:
        raise RuntimeError(f"bad row {row}") from error


def main():
    try:
        load("a,b,c")
    except RuntimeError as error:
        raise LookupError("no rows") from error


atexit.register(lambda: print("last words"))
main()
`,
  );
  const { death, output, crashed } = await crash(sonde, "chain.py");
  const names = (frames: { function: string; line: number }[]) =>
    frames.map((one) => `${one.function}:${one.line}`);
  expect(crashed).toBe(true);
  expect(names(death?.frames ?? [])).toEqual(["main:20", "<module>:24"]);
  expect(death?.causes.map(({ what, frames }) => [what, names(frames)])).toEqual([
    ["RuntimeError: bad row a,b,c", ["load:13", "main:18"]],
    ["ValueError: too many values to unpack (expected 2)", ["parse:5", "load:11"]],
  ]);
  expect(output.lines.map(({ text }) => text)).toEqual(["last words"]);
  const text = await sonde.text("crash chain.py");
  expect(text).toContain(
    "\ncaused by ValueError: too many values to unpack (expected 2)\n  parse  chain.py:5\n",
  );
  expect(text.match(/too many values/g)).toHaveLength(1);
  expect(text).not.toContain("Traceback");
});

test("earlier lines are where the answer says", async () => {
  const sonde = borrowSonde();
  sonde.write("many.js", "for (let i = 0; i < 60; i++) console.log(`line ${i}`);\nnull.x;\n");
  expect(await sonde.text("crash many.js")).toContain(
    "program output (40 earlier lines: --json)\n  | line 40\n",
  );
  const { output } = await crash(sonde, "many.js");
  expect(output.lines.map(({ text }) => text).slice(0, 2)).toEqual(["line 0", "line 1"]);
  expect(output).toMatchObject({ moreLines: 0 });
  sonde.write("more.js", "for (let i = 0; i < 4000; i++) console.log(`line ${i}`);\nnull.x;\n");
  const long = await crash(sonde, "more.js");
  const kept = long.output.lines.length;
  expect(long.output.moreLines + kept).toBe(4000);
  expect(await sonde.text("crash more.js")).toContain(
    `(3980 earlier lines: --json has the last ${kept - 20})`,
  );
});

test("threads with the same stack are one line", { timeout: 60_000 }, async ({ skip }) => {
  if (compilerVersion("go") === undefined) skip("no Go");
  const sonde = borrowSonde();
  sonde.write(
    "many.go",
    `package main

import "sync"

func work(jobs chan int, started *sync.WaitGroup) {
	started.Done()
	<-jobs
}

func main() {
	jobs := make(chan int)
	var started sync.WaitGroup
	started.Add(30)
	for range 30 {
		go work(jobs, &started)
	}
	started.Wait()
	var missing map[string]int
	missing["pear"] = 1
}
`,
  );
  const { death } = await crash(sonde, "many.go");
  expect(death?.exception?.message).toContain("assignment to entry in nil map");
  const workers = death?.others.filter((group) => group.frames[0]?.function === "main.work") ?? [];
  expect(workers.reduce((sum, group) => sum + group.threads.length, 0)).toBe(30);
  expect(workers.length).toBeLessThan(4); // some may be a line before
});

test("a deep stack and wide values keep to the budget", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "deep.js",
    `function down(depth) {
  const wide = "w".repeat(300), list = Array.from({ length: 200 }, (_, i) => i), other = { wide, list };
  if (depth === 0) throw new Error(\`at the bottom \${other.wide}\`);
  return down(depth - 1);
}
for (let i = 0; i < 50; i++) console.log("line", i, "x".repeat(200));
down(300);
`,
  );
  const text = await sonde.text("crash deep.js");
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET);
  expect(text).toMatch(/^crashed: deep\.js:3 in down/);
  expect(text).toContain("`sonde start deep.js` stops there");
});
test("Node: the text of `node -e`", async () => {
  const sonde = borrowSonde();
  const result = await crash(sonde, ["--", "node", "-e", "null.x"]);
  expect(result).toMatchObject({ crashed: true, ended: { exitCode: 1 }, survived: [] });
  expect(result.death?.frame).toMatchObject({ path: "[eval]", line: 1 });
  const caught = await crash(sonde, ["--", "node", "-e", "try { null.x } catch {}"]);
  expect(caught).toMatchObject({ crashed: false, ended: { exitCode: 0 } });
});

test("a throw that Node itself throws again is still one: the text of `node -e`", async () => {
  const sonde = borrowSonde();
  const text = await sonde.text(["crash", "--", "node", "-e", "let a = 1;\nnull.x"]);
  expect(text).toMatch(/^crashed: \[eval\]:2 in <module> .* exited: code 1$/m);
});
