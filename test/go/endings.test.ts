/** Whatever is killed, whenever: the next command tells the truth soon, and nothing we started is left; what we attached to lives on. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { printed } from "../contract/rig.ts";
import { builtFolder } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, createSonde, type Sonde } from "../support/sonde.ts";

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

function at(program: string, name: string): string {
  return `${program}.go:${marker(join(builtFolder("go"), `${program}.go`), name)}`;
}

/** Its runtime has started, and it has answered once. */
async function runs(program: ChildProcess): Promise<void> {
  const answered = printed(program.stdout, "got 1");
  program.stdin?.write("1\n");
  await answered;
}

/** Where a breakpoint was: one that reads does so when it is given a line, the other by itself within the time. */
async function passesBreakpoint(program: ChildProcess, state: string): Promise<void> {
  if (state === "stopped") return new Promise((resolve) => setTimeout(resolve, 400));
  const answered = printed(program.stdout, "got 5");
  program.stdin?.write("5\n");
  await answered;
}

const VICTIMS = { dlv: /\/dlv dap/, program: /sonde-go-[\w-]+\/loop$/, daemon: /daemon\.(c|m)?js/ } as const;
const cases = (["dlv", "program", "daemon"] as const).flatMap((victim) =>
  (["running", "stopped"] as const).map((state) => ({ victim, state })),
);

describe("a launched program", () => {
  test.for(cases)("$state, and the $victim is killed", slow, async ({ victim, state }) => {
    const sonde = createSonde();
    sonde.write("loop.go", LOOP);
    const TMPDIR = join(sonde.project, "tmp");
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
    if (victim === "program") expect(stdout + stderr).toMatch(/killed (by SIGKILL|while it was stopped)/);
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
  const how = cases.filter(({ victim }) => victim !== "program");
  test.for(how)(
    "$state, and the $victim is killed: it lives on, untraced",
    slow,
    async ({ victim, state }) => {
      const sonde = borrowSonde(builtFolder("go"));
      const program = sonde.program(join(builtFolder("go"), state === "stopped" ? "idle" : "stdin"), []);
      const pid = program.pid ?? 0;
      if (state === "stopped") {
        await printed(program.stdout, "ready");
        const words = ["attach", String(pid), "--break", at("idle", "tick")];
        expect(await sonde.ask<MoveResult>(words)).toMatchObject({ state: "stopped" });
      } else {
        await runs(program);
        await sonde.ask(["attach", String(pid), "--break", at("stdin", "take"), "--no-wait"]);
      }
      expect(isTraced(pid)).toBe(true);
      process.kill(pidOf(sonde, VICTIMS[victim]), "SIGKILL");
      const { ms } = await sonde.run(victim === "daemon" ? "status" : "await --timeout 2");
      expect(ms).toBeLessThan(SOON_MS);
      await expect.poll(() => isTraced(pid), { timeout: 5000 }).toBe(false);
      await expect
        .poll(() => sonde.processes().filter((one) => /dlv/.test(one.command)), { timeout: 5000 })
        .toEqual([]);
      if (victim === "dlv")
        await expect
          .poll(() => sonde.text("status"), { timeout: 5000 })
          .toMatch(/dlv was killed by SIGKILL; process \d+ keeps running without it/);
      await passesBreakpoint(program, state);
      expect([program.exitCode, program.signalCode]).toEqual([null, null]);
    },
  );

  test(
    "keeps its breakpoints from stop to stop, through steps, assignments and changes to them",
    slow,
    async () => {
      const sonde = borrowSonde(builtFolder("go"));
      const program = sonde.program(join(builtFolder("go"), "idle"), []);
      await printed(program.stdout, "ready");
      const stopped = async (words: string | string[]) => {
        const answer = await sonde.ask<MoveResult>(words);
        if (answer.state !== "stopped") throw new Error(JSON.stringify(answer));
        return answer.snapshot;
      };
      await stopped(["attach", String(program.pid), "--break", at("idle", "tick")]);
      expect(await stopped("continue")).toMatchObject({ reason: "breakpoint", breakpoints: [{ hit: 2 }] });
      await sonde.ask(["break", at("idle", "sleep")]);
      expect(await stopped("continue")).toMatchObject({ frame: { function: "main.main" } });
      await sonde.ask(["breakpoint", "remove", "2"]);
      await sonde.ask("set count 1000");
      expect(await stopped("continue")).toMatchObject({ breakpoints: [{ id: 1 }] });
      expect(await stopped("finish")).toMatchObject({ frame: { function: "main.main" } });
      expect(await stopped("continue")).toMatchObject({ breakpoints: [{ id: 1 }] });
      await sonde.ask("detach");
      await passesBreakpoint(program, "stopped");
      expect([program.exitCode, program.signalCode]).toEqual([null, null]);
    },
  );

  test("is killed: that is told", slow, async () => {
    const sonde = borrowSonde(builtFolder("go"));
    const program = sonde.program(join(builtFolder("go"), "idle"), []);
    await printed(program.stdout, "ready");
    await sonde.ask(["attach", String(program.pid), "--no-wait"]);
    program.kill("SIGKILL");
    const { stdout, stderr, ms } = await sonde.run("await --timeout 2");
    expect(ms).toBeLessThan(SOON_MS);
    expect(stdout + stderr).toMatch(/SIGKILL|ended|exited/);
  });

  test("is killed where it stands: the next command says so", slow, async () => {
    const sonde = borrowSonde(builtFolder("go"));
    const program = sonde.program(join(builtFolder("go"), "idle"), []);
    await printed(program.stdout, "ready");
    await sonde.ask(["attach", String(program.pid), "--break", at("idle", "tick")]);
    program.kill("SIGKILL");
    // Its debugger holds what is left of it, and does not look.
    const state = () => /^State:\t(\w)/m.exec(readFileSync(`/proc/${program.pid}/status`, "utf8"))?.[1];
    await expect.poll(state, { timeout: 5000 }).toBe("Z");
    expect(await sonde.refusal("context")).toMatchObject({
      code: "SESSION_ENDED",
      message: expect.stringContaining("was killed while it was stopped"),
      hint: expect.stringMatching(/^`sonde attach <pid>`/),
    });
    expect(await sonde.text("status")).toContain("ended: the process was killed while it was stopped");
  });
});

const WRITES = `package main

import (
	"fmt"
	"os"
	"time"
)

func tick(n int) {
	os.WriteFile("count.txt", []byte(fmt.Sprint(n)), 0o644)
}

func main() {
	for n := 1; n < 3000; n++ {
		tick(n)
		time.Sleep(10 * time.Millisecond)
	}
}
`;

describe("a launched program that is left", () => {
  const moves = {
    stopped: [],
    running: [
      ["breakpoint", "disable", "1"],
      ["continue", "--no-wait"],
      ["break", "writes.go:10", "--condition", "n < 0"],
    ],
    // The system would have a thread trap at its next instruction too, if it was left so.
    stepping: [["step", "--instruction"]],
  };
  test.for(Object.entries(moves))("while it is %s runs on, past its breakpoints", slow, async ([, words]) => {
    const sonde = borrowSonde();
    sonde.write("writes.go", WRITES);
    await sonde.ask("start writes.go --break writes.go:10");
    for (const one of words) await sonde.ask(one);
    const { pid = 0 } = await sonde.ask<{ pid?: number }>("detach");
    expect(pid).toBeGreaterThan(0);
    await writesOn(sonde);
    expect(isTraced(pid)).toBe(false);
    process.kill(pid, "SIGKILL");
  });
});

async function writesOn(sonde: Sonde): Promise<void> {
  const count = () => Number(sonde.read("count.txt"));
  await expect.poll(count, { timeout: 10_000 }).toBeGreaterThan(0);
  const before = count();
  await expect.poll(count, { timeout: 10_000 }).toBeGreaterThan(before + 5);
}

/** Meets a breakpoint in `spin` all the time, on several threads. */
const SPINS = WRITES.replace(
  "func main() {",
  `var sum int

func spin(n int) {
	sum += n
}

func main() {
	for range 5 {
		go func() {
			for i := 1; ; i++ {
				spin(i)
				time.Sleep(50 * time.Microsecond)
			}
		}()
	}`,
);
const SPIN = SPINS.split("\n").indexOf("\tsum += n") + 1;

// The signal by which dlv halts a program is left over where a thread stops for another reason in that moment.
describe("a program that meets breakpoints all the time", () => {
  test.each(["launched", "attached"])("lives on when it was %s and is left", slow, async (how) => {
    const sonde = borrowSonde();
    sonde.write("spins.go", SPINS);
    const { project: cwd, env } = sonde;
    execFileSync("go", ["build", "-gcflags=all=-N -l", "spins.go"], { cwd, env });
    for (let round = 0; round < 4; round++) {
      const program = how === "attached" ? sonde.program("./spins", []) : undefined;
      const opening = program === undefined ? ["start", "./spins"] : ["attach", String(program.pid)];
      await sonde.ask([...opening, "--no-wait"]);
      await sonde.ask(["break", `spins.go:${SPIN}`, "--condition", "n < 0"]);
      const { pid = 0 } = await sonde.ask<{ pid?: number }>("detach");
      await writesOn(sonde);
      expect(isTraced(pid)).toBe(false);
      process.kill(pid, "SIGKILL");
    }
  });
});
