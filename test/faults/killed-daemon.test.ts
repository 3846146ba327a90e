/** kill -9 of the daemon: what it launched is gone, what it attached to lives, and the next command starts clean. */
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { createSonde } from "../support/sonde.ts";
import { at, Beating, daemonPid, gone, nothingAtAll, programPid, startStopped, stopped } from "./world.ts";

describe("with a launched program", () => {
  test.each(["running", "stopped"])("that is %s: everything goes, and it is told once", async (state) => {
    const sonde = createSonde();
    await startStopped(sonde, "idle.js", "tick");
    if (state === "running") {
      await sonde.ask("breakpoint remove --all");
      await sonde.ask("continue --no-wait");
    }
    const program = await programPid(sonde);
    const daemon = await daemonPid(sonde);
    process.kill(daemon, "SIGKILL");
    await gone(program);
    await nothingAtAll(sonde);

    const next = await sonde.run("context");
    expect(next.status).toBe(3);
    expect(next.stderr).toContain(
      `previous daemon (pid ${daemon}) ended unexpectedly; the session it held was lost`,
    );
    expect(next.stderr).toContain("NO_SESSION");
    expect((await sonde.run("context")).stderr).not.toContain("unexpectedly");
    expect(await sonde.ask<MoveResult>("start idle.js --no-wait")).toMatchObject({ state: "running" });
  });

  test("and what that has started, also what left its group", async () => {
    const sonde = createSonde();
    sonde.fixture("js/idle.js");
    sonde.write(
      "family.js",
      `const { spawn } = require("node:child_process");
       for (const [command, args] of [["sleep", ["300"]], [process.execPath, ["idle.js"]]])
         spawn(command, args, { detached: true, stdio: "ignore" }).unref();
       spawn("sh", ["-c", "setsid sleep 301 & sleep 302"], { stdio: "ignore" });
       setInterval(() => {}, 1000);`,
    );
    await sonde.ask("start family.js --no-wait");
    const commands = () =>
      sonde
        .processes()
        .map(({ command }) => command)
        .join("\n");
    await expect.poll(commands).toMatch(/sleep 300[\s\S]*/);
    await expect
      .poll(() => ["sleep 300", "sleep 301", "sleep 302", "idle.js"].every((one) => commands().includes(one)))
      .toBe(true);
    process.kill(await daemonPid(sonde), "SIGKILL");
    await nothingAtAll(sonde);
  });

  test("during a command: the client is told", async () => {
    const sonde = createSonde();
    await startStopped(sonde, "idle.js", "tick");
    // Nothing that either waits for may come before the kill: to start a process takes longer than the program needs for a stop.
    await sonde.ask("breakpoint remove --all");
    await sonde.ask("continue --no-wait");
    const daemon = await daemonPid(sonde);
    const waiting = sonde.run("continue --timeout 60");
    const other = sonde.run("await --timeout 60");
    process.kill(daemon, "SIGKILL");
    for (const { status, stdout, stderr } of [await waiting, await other]) {
      // Either it was under way and lost, or it came to the next daemon, which knows no session.
      expect([1, 3, 4], `${status} ${stdout} ${stderr}`).toContain(status);
      expect(stderr).toMatch(/daemon ended while|NO_SESSION|NOT_RUNNING/);
    }
    await sonde.run("status");
  });
});

describe("with an attached program", () => {
  test.each(["running", "stopped at a breakpoint"])("that is %s: it lives on", async (state) => {
    const sonde = createSonde();
    const program = new Beating(sonde);
    await program.beats();
    if (state === "running") await sonde.ask(["attach", String(program.pid)]);
    else {
      const shot = await stopped(
        sonde.ask<MoveResult>(["attach", String(program.pid), "--break", at(sonde, program.file, "beat")]),
      );
      expect(shot.frame).toMatchObject({ function: "beat" });
    }
    process.kill(await daemonPid(sonde), "SIGKILL");
    await program.lives();
    expect(await sonde.refusal("context")).toMatchObject({ code: "NO_SESSION" });
    // And it can be attached to again.
    const again = await stopped(
      sonde.ask<MoveResult>(["attach", String(program.pid), "--break", at(sonde, program.file, "beat")]),
    );
    expect(again.frame).toMatchObject({ function: "beat" });
    await sonde.ask("detach");
    await program.lives();
  });
});
