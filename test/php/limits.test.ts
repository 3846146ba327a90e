/** What PHP's debugger cannot do is refused with a reason and another way. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const installed = spawnSync("php", ["-r", 'exit(phpversion("xdebug") ? 0 : 1);']).status === 0;
const timeout = 60_000;

test.runIf(installed)("pause of a running program", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("php/endless.php");
  expect(await sonde.ask("start endless.php --no-wait")).toMatchObject({ state: "running" });
  const { code, message, hint } = await sonde.refusal("pause");
  expect(code).toBe("UNSUPPORTED");
  expect(message).toContain("Xdebug cannot interrupt PHP");
  expect(hint).toContain("sonde restart");
  expect(await sonde.refusal("next")).toMatchObject({ code: "NOT_STOPPED" });
  await sonde.ask("stop");
});

test.runIf(installed)("attach to a running PHP is not for another adapter", { timeout }, async () => {
  const sonde = borrowSonde();
  sonde.fixture("php/endless.php");
  const program = sonde.program("php", ["endless.php"]);
  if (program.stdout) await once(program.stdout, "data");
  const { code, message, hint } = await sonde.refusal(["attach", String(program.pid)]);
  expect(code).toBe("UNSUPPORTED");
  expect(message).toContain("a running PHP program cannot be attached to");
  expect(hint).toContain("sonde start");
  expect(program.exitCode).toBeNull();
});
