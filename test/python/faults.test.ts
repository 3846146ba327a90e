/** kill -9 of any part, while the program runs and while it is stopped: the next answer is true, and nothing is left. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { daemonPid, nothingAtAll, nothingLeft, PATIENCE, programPid } from "../faults/world.ts";
import type { Sonde } from "../support/sonde.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, Counting, pythonSonde, stops } from "./programs.ts";

async function started(state: string): Promise<Sonde> {
  const sonde = pythonSonde();
  await stops(sonde, ["start", "idle.py", "--break", at(sonde, "idle.py", "tick")]);
  if (state === "running") {
    await sonde.ask("breakpoint remove --all");
    await sonde.ask("continue --no-wait");
  }
  return sonde;
}

function lives(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe.each(["running", "stopped"])("while it is %s", (state) => {
  test("the program", async () => {
    const sonde = await started(state);
    const pid = await programPid(sonde);
    process.kill(pid, "SIGKILL");
    // On a loaded machine it lives on for a moment, and until then it is true that it is stopped.
    await expect.poll(() => lives(pid), PATIENCE).toBe(false);
    expect(await sonde.ask<MoveResult>("await --timeout 10")).toMatchObject({
      state: "exited",
      signal: "SIGKILL",
    });
    expect(await sonde.refusal("next")).toMatchObject({ code: "SESSION_ENDED" });
    await nothingLeft(sonde);
  });

  test("the daemon", async () => {
    const sonde = await started(state);
    process.kill(await daemonPid(sonde), "SIGKILL");
    await nothingAtAll(sonde);
  });

  test("the daemon, of a process that was attached to", { timeout: 60_000 }, async () => {
    const sonde = borrowSonde();
    const program = new Counting(sonde);
    await program.counts();
    await stops(sonde, ["attach", String(program.pid), "--break", at(sonde, "counting.py", "print")]);
    if (state === "running") {
      await sonde.ask("breakpoint remove --all");
      await sonde.ask("continue --no-wait");
    }
    process.kill(await daemonPid(sonde), "SIGKILL");
    await program.counts();
    expect(program.child.signalCode).toBeNull();
  });
});
