/** py-spy, where `sonde setup py-spy` has installed it: a running Python is sampled from outside. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSonde, TEST_ADAPTERS } from "../../support/sonde.ts";
import { type ProfileData, started } from "./support.ts";

test("setup installs it, and a process is then sampled by it", async () => {
  await using sonde = createSonde();
  // A folder of its own, in which py-spy is not yet.
  const adapters = join(sonde.home, "share", "adapters");
  rmSync(adapters);
  mkdirSync(adapters);
  symlinkSync(join(TEST_ADAPTERS, "debugpy"), join(adapters, "debugpy"));
  sonde.fixture("profile/busy.py");
  expect(await sonde.text("setup py-spy", { timeoutMs: 120_000 })).toMatch(/py-spy [\d.]+: installed/);
  const pid = await started(sonde, "python3", ["busy.py", "60000"]);
  const profile = await sonde.ask<ProfileData>(`profile cpu --pid ${pid} --seconds 1`);
  expect(profile.means).toMatch(/^py-spy \d/);
  expect(profile.top[0]).toMatchObject({ name: "hot", line: 6 });
}, 150_000);
