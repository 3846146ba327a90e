/** A dlv that somebody else started, by its port. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde, TEST_ADAPTERS } from "../support/sonde.ts";

const MAIN = `package main

import "fmt"

func main() {
	x := 41
	fmt.Println("one", x)
	fmt.Println("two")
}
`;

/** The port that it says it listens on, and all that it and the program print. */
async function served(sonde: Sonde, ...flags: string[]) {
  sonde.write("go.mod", "module example.com/shop\n\ngo 1.21\n");
  sonde.write("main.go", MAIN);
  execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", "shop", "."], { cwd: sonde.project });
  const words = ["exec", "./shop", "--headless", ...flags, "--listen=127.0.0.1:0"];
  const dlv = sonde.program(join(TEST_ADAPTERS, "delve/dlv"), words);
  let said = "";
  const port = await new Promise<string>((resolve, reject) => {
    dlv.stdout?.on("data", (chunk: Buffer) => {
      said += chunk;
      const found = /listening at: 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    dlv.once("exit", () => reject(new Error(`dlv has ended: ${said}`)));
  });
  return { port, said: () => said };
}

test("one for many clients: stopped, and left to run on", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const { port, said } = await served(sonde, "--accept-multiclient");
  expect(await sonde.text(["attach", "--port", port, "--break", "main.go:7"])).toMatch(
    /^stopped: breakpoint 1 .*main\.go:7 in main\.main/,
  );
  expect(await sonde.ask("print x")).toMatchObject({ value: "41" });
  expect(await sonde.text("detach")).toContain("runs on");
  await expect.poll(said, { timeout: 10_000 }).toContain("one 41\ntwo\n");
});

test("one for one client: the program cannot be left, and that is said", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const { port, said } = await served(sonde);
  await sonde.ask(["attach", "--port", port, "--break", "main.go:8"]);
  expect(await sonde.refusal("detach")).toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("--accept-multiclient"),
  });
  expect(await sonde.text("stop")).toMatch(/^ended: session port-\d+\n$/);
  expect(said()).not.toContain("two");
});
