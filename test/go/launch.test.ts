/** Every way to start a Go program, and what is left of it afterwards. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde, createSonde, type Sonde } from "../support/sonde.ts";

const MODULE = "module example.test/app\n\ngo 1.20\n";
const MAIN = `package main

import (
	"fmt"
	"os"
)

func main() {
	answer := twice(21)
	fmt.Println("answer", answer, os.Args[1:], flavour)
}
`;
const TWICE = "package main\n\nfunc twice(n int) int {\n\tdoubled := n * 2\n\treturn doubled\n}\n";

/** A module of two files, and a folder for temporary files: watched, where the daemon is the test's own. */
function app(sonde = borrowSonde()): { sonde: Sonde; env: { TMPDIR: string }; left(): string[] } {
  sonde.write("go.mod", MODULE);
  sonde.write("main.go", MAIN);
  sonde.write("twice.go", TWICE);
  sonde.write("plain.go", '//go:build !sweet\n\npackage main\n\nconst flavour = "plain"\n');
  sonde.write("sweet.go", '//go:build sweet\n\npackage main\n\nconst flavour = "sweet"\n');
  const TMPDIR = join(sonde.project, "tmp");
  mkdirSync(TMPDIR, { recursive: true });
  return {
    sonde,
    env: { TMPDIR },
    left: () => readdirSync(TMPDIR).filter((one) => one.startsWith("sonde-go")),
  };
}

async function output(sonde: Sonde): Promise<string> {
  const { lines } = await sonde.ask<{ lines: { text: string }[] }>("output --tail 1000");
  return lines.map(({ text }) => text).join("\n");
}

test("a folder for temporary files with a path too long for a socket", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  sonde.write("go.mod", MODULE);
  sonde.write("main.go", "package main\n\nfunc main() {\n\tprintln(42)\n}\n");
  const TMPDIR = join(sonde.project, "t".repeat(90));
  mkdirSync(TMPDIR);
  const started = await sonde.ask<MoveResult>("start main.go --break main.go:4", { env: { TMPDIR } });
  expect(started).toMatchObject({ state: "stopped", snapshot: { frame: { line: 4 } } });
  await sonde.ask("stop");
  await expect.poll(() => readdirSync(TMPDIR), { timeout: 5000 }).toEqual([]);
});

test("a file stands for its package; the binary is nowhere to be seen, and gone afterwards", {
  timeout: 60_000,
}, async () => {
  const { sonde, env, left } = app(createSonde());
  const before = readdirSync(sonde.project);
  const stopped = await sonde.ask<MoveResult>("start main.go --break twice.go:5 -- a b", { env });
  expect(stopped).toMatchObject({
    state: "stopped",
    snapshot: { frame: { function: "main.twice", line: 5 }, thread: { name: "goroutine 1" } },
  });
  expect(left()).toHaveLength(1);
  expect(await sonde.ask("continue")).toMatchObject({ state: "exited", exitCode: 0 });
  expect(await output(sonde)).toBe("answer 42 [a b] plain");
  expect(readdirSync(sonde.project)).toEqual(before);
  await expect.poll(left, { timeout: 5000 }).toEqual([]);
});

test.for([
  ["go run .", "plain"],
  ["go run -tags sweet .", "sweet"],
  ["go run main.go twice.go plain.go", "plain"],
])("%s", { timeout: 60_000 }, async ([line = "", flavour = ""]) => {
  const { sonde, env } = app();
  const words = ["start", "--break", "twice.go:4", "--", ...line.split(" "), "x", "-v"];
  expect(await sonde.ask(words, { env })).toMatchObject({
    state: "stopped",
    snapshot: { reason: "breakpoint" },
  });
  await sonde.ask("continue");
  expect(await output(sonde)).toBe(`answer 42 [x -v] ${flavour}`);
});

test("stop on entry is at main.main, not in the runtime", { timeout: 60_000 }, async () => {
  const { sonde, env } = app();
  const entry = await sonde.ask<MoveResult>("start --stop-on-entry main.go", { env });
  expect(entry).toMatchObject({
    state: "stopped",
    snapshot: { reason: "entry", frame: { function: "main.main" } },
  });
  expect(await sonde.ask("continue")).toMatchObject({ state: "exited" });
});

test("the compiler's words, when it cannot be built", { timeout: 60_000 }, async () => {
  const { sonde, env, left } = app(createSonde());
  sonde.write("twice.go", "package main\n\nfunc twice(n int) int {\n\treturn nothing\n}\n");
  const refusal = await sonde.refusal("start main.go", { env });
  expect(refusal).toMatchObject({
    code: "LAUNCH_FAILED",
    message: expect.stringContaining("undefined: nothing"),
  });
  await expect.poll(left, { timeout: 5000 }).toEqual([]);
  expect(await sonde.refusal("start -- go build .", { env })).toMatchObject({
    code: "BAD_ARGUMENT",
    hint: expect.stringContaining("go run"),
  });
});

test("a package that is no program is refused, with the command that runs its tests", {
  timeout: 60_000,
}, async () => {
  const { sonde, env } = app();
  const TEST = 'import "testing"\n\nfunc TestA(t *testing.T) {}\n';
  sonde.write("inv/a_test.go", `package inv\n\n${TEST}`);
  sonde.write("lib/lib.go", "package lib\n\nfunc One() int { return 1 }\n");
  sonde.write("lib/lib_test.go", `package lib\n\n${TEST}`);
  expect(await sonde.refusal("start ./inv", { env })).toMatchObject({
    code: "LAUNCH_FAILED",
    hint: expect.stringContaining("go test ./inv"),
  });
  for (const words of [["./lib"], ["--", "go", "run", "./lib"]])
    expect(await sonde.refusal(["start", ...words], { env })).toMatchObject({
      code: "LAUNCH_FAILED",
      message: expect.stringContaining("not package main"),
      hint: expect.stringContaining("go test ./lib"),
    });
});

test("go test: one test, which fails", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("go/gotest");
  const words = [
    "start",
    "--break",
    "gotest/sum.go:9",
    "--",
    "go",
    "-C",
    "gotest",
    "test",
    "-v",
    "-run",
    "Fails",
  ];
  expect(await sonde.ask(words)).toMatchObject({
    state: "stopped",
    snapshot: { stack: [{ function: "gotest.Sum" }, { function: "gotest.TestFails" }] },
  });
  expect(await sonde.ask("continue")).toMatchObject({ state: "exited", exitCode: 1 });
  const said = await output(sonde);
  expect(said).toContain("sum 4, not 5");
  expect(said).not.toContain("TestPasses");
});

test("go test: entry is the first test; many packages are refused by name", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("go/gotest");
  expect(await sonde.ask("start --stop-on-entry gotest/sum_test.go -- -run Fails")).toMatchObject({
    state: "stopped",
    snapshot: { reason: "entry", frame: { function: "gotest.TestFails" } },
  });
  await sonde.ask("stop");
  sonde.write("gotest/other/o_test.go", 'package other\n\nimport "testing"\n\nfunc TestO(t *testing.T) {}\n');
  expect(await sonde.refusal(["start", "--", "go", "-C", "gotest", "test", "./..."])).toMatchObject({
    code: "BAD_ARGUMENT",
    hint: expect.stringContaining("gotest/other"),
  });
});

test("ten megabytes of output neither block nor lose their end", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "much.go",
    'package main\n\nimport "fmt"\n\nfunc main() {\n\tfor i := 0; i < 200000; i++ {\n\t\tfmt.Printf("line %06d of a great many, äöü and more\\n", i)\n\t}\n}\n',
  );
  expect(await sonde.ask("start much.go --timeout 30")).toMatchObject({ state: "exited", exitCode: 0 });
  const { lines } = await sonde.ask<{ lines: { text: string }[] }>("output --tail 3");
  expect(lines.at(-1)?.text).toContain("line 199999 of a great many, äöü and more");
});
