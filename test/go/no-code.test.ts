/** Why a breakpoint has no code: how the binary was built is told, and what to do about it. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };
const MAIN = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tx := 1\n\tfmt.Println(x)\n}\n';

function project(...flags: string[]) {
  const sonde = borrowSonde();
  sonde.write("go.mod", "module example.com/shop\n\ngo 1.21\n");
  sonde.write("main.go", MAIN);
  execFileSync("go", ["build", ...flags, "-gcflags=all=-N -l", "-o", "shop", "."], { cwd: sonde.project });
  return sonde;
}

test(
  "-trimpath: the name that the binary has for the file, and the map that makes them one",
  slow,
  async () => {
    const sonde = project("-trimpath");
    const said = await sonde.text("start ./shop --break main.go:7");
    const map = `example.com/shop=${sonde.project}`;
    expect(said).toContain("knows this file as example.com/shop/main.go");
    expect(said).toContain(`--map ${map}`);
    await sonde.ask("stop");
    const mapped = ["start", "./shop", "--break", "main.go:7", "--map", map];
    expect(await sonde.ask(mapped)).toMatchObject({ state: "stopped", snapshot: { frame: { line: 7 } } });
  },
);

test("-s -w: there is no debug information; and a file that is not in it", slow, async () => {
  const stripped = project("-ldflags=-s -w");
  expect(await stripped.text("start ./shop --break main.go:7")).toContain(
    "no debug information: build it without",
  );
  const sonde = project();
  sonde.write("sub/other.go", "package sub\n\nfunc Unused() int {\n\treturn 1\n}\n");
  expect(await sonde.text("start ./shop --break sub/other.go:4")).toContain(
    "other.go is not part of this program",
  );
});
