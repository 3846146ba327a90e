/** A plain name that several packages have means the function of `main`, and otherwise none of them. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const MAIN = `package main

import (
	"fmt"
	"myapp/parser"
	"net/url"

	"example.com/lib"
)

func Join(a, b string) string {
	return a + b
}

func main() {
	where, _ := url.Parse("http://a/b")
	fmt.Println(parser.Parse("x"), lib.Parse("y"), lib.Join("c", "d"), Join("a", where.Path))
}
`;

test("a library's function is not taken for the program's own", { timeout: 180_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("lib/go.mod", "module example.com/lib\n\ngo 1.18\n");
  sonde.write(
    "lib/lib.go",
    'package lib\n\nfunc Parse(s string) string {\n\treturn "lib " + s\n}\n\nfunc Join(a, b string) string {\n\treturn b + a\n}\n',
  );
  sonde.write(
    "parser/parser.go",
    'package parser\n\nfunc Parse(s string) string {\n\treturn "own " + s\n}\n',
  );
  sonde.write(
    "go.mod",
    "module myapp\n\ngo 1.18\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ./lib\n",
  );
  sonde.write("main.go", MAIN);
  execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", "app", "."], { cwd: sonde.project });
  const printed = execFileSync("./app", { cwd: sonde.project, encoding: "utf8" });
  expect(printed).toBe("own x lib y dc a/b\n");
  const stopped = await sonde.text(["start", "--break", "Join", "--", "./app"]);
  expect(stopped).toMatch(/main\.Join/);
  await sonde.text("stop");
  const none = await sonde.text(["start", "--break", "Parse", "--", "./app"]);
  expect(none).toMatch(
    /never bound: breakpoint 1 Parse: .*ambiguous: .*\b(?:example\.com\/lib|myapp\/parser)\.Parse/,
  );
});
