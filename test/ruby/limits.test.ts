/** A running Ruby is refused with a reason; what a killed daemon left is cleared away. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { borrowSonde, createSonde } from "../support/sonde.ts";

const installed = spawnSync("ruby", ["-e", 'Gem::Specification.find_by_name("debug")']).status === 0;
const timeout = 60_000;

test.runIf(installed)("attach to a running Ruby is not for another adapter", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("ruby/idle.rb");
  const program = sonde.program("ruby", ["idle.rb"]);
  if (program.stdout) await once(program.stdout, "data");
  const { code, message, hint } = await sonde.refusal(["attach", String(program.pid)]);
  expect(code).toBe("UNSUPPORTED");
  expect(message).toContain("a running Ruby program cannot be attached to");
  expect(hint).toContain("sonde start");
  expect(program.exitCode).toBeNull();
});

test.runIf(installed)("folders of daemons that are gone are removed, others stay", { timeout }, async () => {
  const { pid: dead } = spawnSync("true");
  const left = mkdtempSync(join(tmpdir(), `sonde-ruby-${dead}-`));
  const kept = mkdtempSync(join(tmpdir(), `sonde-ruby-${process.pid}-`));
  onTestFinished(() => {
    for (const folder of [left, kept]) rmSync(folder, { recursive: true, force: true });
  });
  // A daemon looks for them before its first launch.
  const sonde = createSonde();
  sonde.fixture("ruby/loop.rb");
  expect(await sonde.ask("start loop.rb")).toMatchObject({ state: "exited", exitCode: 0 });
  expect(existsSync(left)).toBe(false);
  expect(existsSync(kept)).toBe(true);
});
