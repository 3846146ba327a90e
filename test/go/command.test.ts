/** The parts of the adapter that only think. */
import { execPath } from "node:process";
import { describe, expect, test } from "vitest";
import { assignmentOf } from "../../src/adapters/delve/evaluate.ts";
import { tooOld } from "../../src/adapters/delve/find.ts";
import { parseGoCommand, testArguments } from "../../src/adapters/delve/go-command.ts";
import { panicMessage } from "../../src/adapters/delve/panics.ts";
import { isGoExecutable } from "../../src/adapters/kit/go-code.ts";
import { builtFolder } from "../support/builds.ts";

const parse = (line: string) => parseGoCommand(line.split(" "), "/work");

describe("go run", () => {
  test("files, and what follows them is the program's", () => {
    expect(parse("go run a.go b.go -tags x")).toMatchObject({ what: ["a.go", "b.go"], args: ["-tags", "x"] });
  });

  test("flags of the build come before the package", () => {
    expect(parse("go run -tags a,b -race --mod=mod ./cmd/x one --two")).toMatchObject({
      verb: "run",
      buildFlags: ["-tags", "a,b", "-race", "--mod=mod"],
      what: ["./cmd/x"],
      args: ["one", "--two"],
    });
  });

  test("-C before or after the verb", () => {
    expect(parse("go -C sub run .").cwd).toBe("/work/sub");
    expect(parse("go run -C=sub .").cwd).toBe("/work/sub");
  });

  test("what would blind the debugger is left out, and said", () => {
    const { buildFlags, notes } = parseGoCommand(
      ["go", "run", "-trimpath", "-ldflags=-s -w -X main.v=1", "."],
      "/work",
    );
    expect(buildFlags).toEqual(["-ldflags=-X main.v=1"]);
    expect(notes).toHaveLength(2);
  });
});

describe("go test", () => {
  test("flags of the test binary get their long names, those of the build stay", () => {
    expect(parse("go test -v -run TestX/sub -tags a ./pkg -count=1 -own 3 -args more -v")).toMatchObject({
      verb: "test",
      what: ["./pkg"],
      buildFlags: ["-tags", "a"],
      args: ["-test.v", "-test.run=TestX/sub", "-test.count=1", "-own", "3", "more", "-v"],
    });
  });

  test("without a package it is the folder's", () => {
    expect(parse("go test").what).toEqual(["."]);
    expect(testArguments(["-run", "X", "-short"])).toEqual(["-test.run=X", "-test.short"]);
  });

  test.for(["go build .", "go vet", "go test -c .", "go run -exec sudo ."])("%s is refused", (line) => {
    expect(() => parse(line)).toThrow(/does not run|-exec/);
  });
});

test("assignments are told from comparisons", () => {
  expect(assignmentOf("n = 3")).toEqual({ target: "n", value: "3" });
  expect(assignmentOf("p.X[2].y += f(1)")).toEqual({ target: "p.X[2].y", value: "p.X[2].y + (f(1))" });
  expect(assignmentOf("*p = 4")).toEqual({ target: "*p", value: "4" });
  expect(assignmentOf("n++")).toEqual({ target: "n", value: "n + 1" });
  expect(assignmentOf('s = "a == b"')).toEqual({ target: "s", value: '"a == b"' });
  for (const one of ["n == 3", "n <= 3", "n != 3", "f(x) == 1", "a + b", 'f("x = 1")', "n >= 2"])
    expect(assignmentOf(one), one).toBeUndefined();
});

test("panic values as the program would print them", () => {
  expect(panicMessage('interface {}(string) "a \\"b\\""')).toBe('a "b"');
  expect(panicMessage('interface {}(*errors.errorString) *{s: "no"}')).toBe("no");
  expect(panicMessage('interface {}(runtime.errorString) "nil map"')).toBe("runtime error: nil map");
  expect(panicMessage("interface {}(main.Odd) {N: 3}")).toBe("main.Odd {N: 3}");
  expect(
    panicMessage("interface {}(runtime.boundsError) {x: 2, y: 0, signed: true, code: BoundsIndex (0)}"),
  ).toBe("runtime error: index out of range [2] with length 0");
});

test("an executable of Go's is known from others", () => {
  expect(isGoExecutable(`${builtFolder("go")}/stats`)).toBe(true);
  expect(isGoExecutable(execPath)).toBe(false);
  expect(isGoExecutable(`${builtFolder("go")}/stats.go`)).toBe(false);
  expect(isGoExecutable("/nowhere")).toBe(false);
});

test("a delve that came long before its Go is too old", () => {
  expect(tooOld("1.20.2", "1.26.8")).toBe(true);
  expect(tooOld("1.27.2", "1.26.8")).toBe(false);
});
