/** What a command took is given back when there is nothing to do. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { daemonPid, PATIENCE } from "../faults/world.ts";
import { createSonde } from "../support/sonde.ts";

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Parts of the daemon that these commands load stay, so 15 MB; the recordings take more than twice as much. */
const KEPT_MB = 25;

test("after large traces the daemon is about as small as it was", { timeout: 90_000 }, async () => {
  const sonde = createSonde();
  sonde.write("app.js", "let sum = 0;\nfor (let i = 0; i < 20000; i++) {\n  sum += i;\n}\n");
  await sonde.ask("status");
  const pid = await daemonPid(sonde);
  const fresh = residentMb(pid);
  for (let n = 0; n < 3; n++)
    await sonde.ask("trace --at app.js:3 --watch sum -- node app.js", { timeoutMs: 60_000 });
  expect(await daemonPid(sonde)).toBe(pid);
  await expect.poll(() => residentMb(pid) - fresh, PATIENCE).toBeLessThan(KEPT_MB);
});
