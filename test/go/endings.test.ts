/** Whatever is killed, whenever: the next command tells the truth soon, and nothing we started is left; what we attached to lives on. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printed } from "../contract/rig.ts";
import { builtFolder } from "../support/builds.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };
/** A second, and what a machine with other work on it may add. */
const SOON_MS = 3000;

const LOOP = `package main

import "time"

var count = 0

func tick() {
	count++
}

func main() {
	for start := time.Now(); time.Since(start) < time.Minute; {
		tick()
		time.Sleep(20 * time.Millisecond)
	}
}
`;

function pidOf(sonde: Sonde, command: RegExp): number {
  const found = sonde.processes().filter((one) => command.test(one.command));
  if (found.length !== 1) throw new Error(`${command}: ${JSON.stringify(sonde.processes())}`);
  return found[0]?.pid ?? 0;
}

function isTraced(pid: number): boolean {
  return !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

const VICTIMS = { dlv: /\/dlv dap/, program: /sonde-go-\w+\/loop$/, daemon: /daemon\.(c|m)?js/ } as const;
const cases = (["dlv", "program", "daemon"] as const).flatMap((victim) =>
  (["running", "stopped"] as const).map((state) => ({ victim, state })),
);

describe("a launched program", () => {
  test.for(cases)("$state, and the $victim is killed", slow, async ({ victim, state }) => {
    const sonde = createSonde();
    sonde.write("loop.go", LOOP);
    const TMPDIR = join(sonde.home, "tmp");
    mkdirSync(TMPDIR);
    const env = { TMPDIR };
    await sonde.ask(
      ["start", "loop.go", ...(state === "stopped" ? ["--break", "loop.go:8"] : ["--no-wait"])],
      { env },
    );
    process.kill(pidOf(sonde, VICTIMS[victim]), "SIGKILL");
    const next = victim === "daemon" ? "status" : "await --timeout 2";
    const { stdout, stderr, ms } = await sonde.run(next, { env });
    expect(ms).toBeLessThan(SOON_MS);
    if (victim === "dlv") expect(stdout + stderr).toMatch(/dlv was killed by SIGKILL/);
    if (victim === "program") expect(stdout + stderr).toMatch(/killed (by SIGKILL|while it stood still)/);
    // The daemon and its guard, or nobody.
    await expect
      .poll(() => sonde.processes().filter((one) => /dlv|sonde-go|loop/.test(one.command)), { timeout: 5000 })
      .toEqual([]);
    await expect
      .poll(() => readdirSync(TMPDIR).filter((one) => one.startsWith("sonde-go")), { timeout: 5000 })
      .toEqual([]);
  });
});

describe("an attached process", () => {
  const how = [
    ...cases.filter(({ victim }) => victim === "daemon"),
    { victim: "dlv", state: "running" } as const,
    { victim: "dlv", state: "stopped" } as const,
  ];
  test.for(how)(
    "$state, and the $victim is killed (dlv: with no breakpoint set): it lives on, untraced",
    slow,
    async ({ victim, state }) => {
      const sonde = createSonde(builtFolder("go"));
      const program = sonde.program(join(builtFolder("go"), "idle"), []);
      await printed(program.stdout, "ready");
      const pid = program.pid ?? 0;
      // A breakpoint is a changed instruction: with dlv shot dead nobody would put the old one back.
      const breaks = victim === "daemon" ? ["--break", "idle.go:14"] : [];
      await sonde.ask([
        "attach",
        String(pid),
        ...(state === "running" || victim === "dlv" ? ["--no-wait"] : breaks),
      ]);
      if (victim === "dlv" && state === "stopped") await sonde.ask("pause");
      expect(isTraced(pid)).toBe(true);
      process.kill(pidOf(sonde, VICTIMS[victim]), "SIGKILL");
      const { ms } = await sonde.run(victim === "daemon" ? "status" : "await --timeout 2");
      expect(ms).toBeLessThan(SOON_MS);
      await expect.poll(() => isTraced(pid), { timeout: 5000 }).toBe(false);
      await expect
        .poll(() => sonde.processes().filter((one) => /dlv/.test(one.command)), { timeout: 5000 })
        .toEqual([]);
      // Long enough to come by the place of the breakpoint again.
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect([program.exitCode, program.signalCode]).toEqual([null, null]);
    },
  );

  test("is killed: that is told", slow, async () => {
    const sonde = createSonde(builtFolder("go"));
    const program = sonde.program(join(builtFolder("go"), "idle"), []);
    await printed(program.stdout, "ready");
    await sonde.ask(["attach", String(program.pid), "--no-wait"]);
    program.kill("SIGKILL");
    const { stdout, stderr, ms } = await sonde.run("await --timeout 2");
    expect(ms).toBeLessThan(SOON_MS);
    expect(stdout + stderr).toMatch(/SIGKILL|ended|exited/);
  });
});
