/** perf and what it works with can be killed in the middle of a run: the record says where it ends. */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { beatOf, LANGUAGES, Truth } from "../../faults/campaign/programs.ts";
import { borrowSonde } from "../../support/sonde.ts";
import { WITHOUT_PROBES } from "./programs.ts";

const { c } = LANGUAGES;

/** The answer to a trace of which a process is killed after its first hits. */
async function tracedWhileKilled(victim: RegExp): Promise<string> {
  const sonde = borrowSonde(c.folder());
  const truth = new Truth(sonde);
  const words = ["trace", "--follow", "--collector", "perf", "--at", beatOf(c), "--watch", c.round];
  const client = sonde.spawn([...words, "--", ...c.command(c.folder()), truth.file]);
  client.stdin?.end();
  let said = "";
  for (const stream of [client.stdout, client.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/\d hit/);
  const found = sonde.processes().find(({ command }) => victim.test(command));
  process.kill(found?.pid ?? Number.NaN, "SIGKILL");
  await once(client, "close");
  return said;
}

describe.skipIf(WITHOUT_PROBES)("killed while it records", { timeout: 60_000 }, () => {
  test("perf: the run is over, and the record is said to be partial", async () => {
    const said = await tracedWhileKilled(/^\S*perf record/);
    expect(said).toContain("PARTIAL: perf was killed by SIGKILL; what came after that is not recorded");
    expect(said).not.toContain("faster than the kernel's buffer");
  });
});
