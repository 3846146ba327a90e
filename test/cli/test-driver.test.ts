/** Commands that start tests as programs of their own: what they print, and what is not known of them. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };

test("make check and a shell script are run, and it is said that no debugger was there", slow, async () => {
  const sonde = await borrowSonde();
  writeFileSync(join(sonde.project, "Makefile"), "check:\n\t@./run.sh\n");
  writeFileSync(
    join(sonde.project, "run.sh"),
    "#!/bin/sh\nprintf '\\033[31mtotal is 7\\033[0m\\n'\nexit 3\n",
  );
  chmodSync(join(sonde.project, "run.sh"), 0o755);
  const made = await sonde.run("test -- make check");
  expect(made.stdout).toContain("failed: make check  · no test runner recognised  · exit code 2");
  expect(made.stdout).toContain("make was run without a debugger, and which tests it ran is not known");
  expect(made.stdout).toContain("| total is 7\n");
  const script = await sonde.run("test -- ./run.sh");
  expect(script.stdout).toContain("exit code 3");
  expect(script.stdout).toContain("give the command line of a test program that run.sh starts");
});

test("a command that is not there is an error as before", slow, async () => {
  const sonde = await borrowSonde();
  const { stdout, stderr } = await sonde.run("test -- ./nosuch");
  expect(stdout + stderr).toMatch(/^error /m);
});
