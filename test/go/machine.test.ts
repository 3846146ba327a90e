/** What Go shows of the machine under it, and numbers as they are written. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };

const DEEP = `package main

import "fmt"

func down(n uint64) uint64 {
	if n == 0 {
		return 0 // line 7
	}
	return down(n-1) + 1
}

func main() {
	var small uint64 = 5
	fmt.Println(small, down(300))
}
`;

test("registers by name, a function's instructions, unsigned numbers, every frame", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("deep.go", DEEP);
  execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", "deep", "deep.go"], { cwd: sonde.project });
  await sonde.ask("start ./deep --break deep.go:7");
  const names = ["rsp", "rip"];
  const { registers } = await sonde.ask<{ registers: { name: string }[] }>(["registers", ...names]);
  expect(registers.map(({ name }) => name.toLowerCase())).toEqual(names);
  const symbols = execFileSync("go", ["tool", "nm", "deep"], { cwd: sonde.project, encoding: "utf8" });
  const address = /^\s*([0-9a-f]+) T main\.down$/m.exec(symbols)?.[1];
  const { instructions } = await sonde.ask<{ instructions: { address: string }[] }>("disassemble main.down");
  expect(instructions[0]?.address).toBe(`0x${address}`);
  expect(await sonde.text("context")).toMatch(/more than \d+ frames more/);
  expect(await sonde.ask("frame 45")).toMatchObject({ frame: { index: 45, function: "main.down" } });
  expect(await sonde.ask("print n")).toMatchObject({ value: "45" });
  expect(await sonde.ask("up")).toMatchObject({ frame: { index: 46 } });
  expect(await sonde.ask("print n")).toMatchObject({ value: "46" });
  const main = await sonde.ask<{ values: { name: string; value: string }[] }>("frame 301");
  expect(main).toMatchObject({ frame: { function: "main.main" } });
  expect(main.values.find(({ name }) => name === "small")?.value).toBe("5");
  expect(await sonde.refusal("frame 4000")).toMatchObject({
    message: expect.stringMatching(/the last is 30\d/),
  });
  const all = await sonde.ask<{ total: number; hidden: number; uncounted?: true }>(
    "backtrace --limit 900 --all",
  );
  expect(all).toMatchObject({ hidden: 0 });
  expect(all.uncounted).toBeUndefined();
});
