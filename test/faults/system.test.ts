/** The system refuses, or someone else has a hand on the program. */
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { binary, createSonde } from "../support/sonde.ts";
import { daemonPid, isAlive, nothingLeft, programPid, sessions, startStopped } from "./world.ts";

describe("a program frozen from outside (SIGSTOP)", () => {
  test("does not freeze us: a pause says that it runs, a stop ends it", async () => {
    const sonde = createSonde();
    sonde.fixture("js/idle.js");
    await sonde.ask("start idle.js --no-wait");
    const pid = await programPid(sonde);
    process.kill(pid, "SIGSTOP");
    expect(await sonde.ask<MoveResult>("pause --timeout 1")).toMatchObject({ state: "running" });
    expect(await sonde.text("status")).toContain("running");
    await sonde.ask("stop");
    expect(isAlive(pid)).toBe(false);
    await nothingLeft(sonde);
  });

  test("goes on where it was when it is let go", async () => {
    const sonde = createSonde();
    sonde.fixture("js/idle.js");
    await sonde.ask("start idle.js --no-wait");
    const pid = await programPid(sonde);
    process.kill(pid, "SIGSTOP");
    await sonde.ask("pause --timeout 0.2");
    process.kill(pid, "SIGCONT");
    expect(await sonde.ask<MoveResult>("await")).toMatchObject({
      state: "stopped",
      snapshot: { reason: "pause" },
    });
  });

  test("while it is stopped at a breakpoint: a stop ends it", async () => {
    const sonde = createSonde();
    await startStopped(sonde, "idle.js", "tick");
    process.kill(await programPid(sonde), "SIGSTOP");
    await sonde.ask("stop");
    await nothingLeft(sonde);
  });
});

test("a program blocked in a synchronous call: a pause says that it runs, and holds when the call returns", async () => {
  const sonde = createSonde();
  sonde.write(
    "blocked.js",
    // Said by whom it waits for: then it does.
    `require("node:child_process").execSync("echo blocked; sleep 3", { stdio: "inherit" });\nconsole.log("back"); for (;;);\n`,
  );
  await sonde.ask("start blocked.js --no-wait");
  await expect.poll(() => sonde.text("output")).toContain("blocked");
  expect(await sonde.ask<MoveResult>("pause --timeout 0.5")).toMatchObject({ state: "running" });
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ state: "stopped" });
});

test("no file descriptors left: a typed error, a daemon that lives, and room again after a stop", async () => {
  const sonde = createSonde();
  sonde.fixture("js/idle.js");
  const daemon = sonde.program("/bin/sh", ["-c", 'ulimit -n 100; exec "$0" daemon run', binary()]);
  await once(daemon.stderr as NodeJS.ReadableStream, "data").catch(() => {});
  const pid = await daemonPid(sonde);
  expect(pid).toBe(daemon.pid);
  const refusals: string[] = [];
  for (let i = 0; i < 16; i++) {
    const answer = await sonde.json(["start", "idle.js", "--no-wait", "--name", `n${i}`]);
    if (!answer.ok) refusals.push(`${answer.error.code}: ${answer.error.message}`);
  }
  expect(refusals.length).toBeGreaterThan(0);
  for (const refusal of refusals)
    expect(refusal).toMatch(/^(LAUNCH|ATTACH|ADAPTER)_FAILED: .*(EMFILE|ENFILE|too many)/i);
  expect((await sessions(sonde)).length).toBeGreaterThan(0);
  await sonde.ask("stop --all");
  await nothingLeft(sonde);
  expect(await sonde.ask<MoveResult>("start idle.js --no-wait")).toMatchObject({ state: "running" });
  expect(await daemonPid(sonde)).toBe(pid);
}, 60_000);

test("the folder for temporary files of who started the daemon is gone: programs are still built and started", async () => {
  const sonde = createSonde();
  const TMPDIR = join(sonde.project, "tmp");
  mkdirSync(TMPDIR);
  await sonde.ask("status", { env: { TMPDIR } });
  rmSync(TMPDIR, { recursive: true });
  sonde.write("app.c", "int main(void) {\n  return 3;\n}\n");
  expect(await sonde.ask("start app.c --build --break app.c:2")).toMatchObject({ state: "stopped" });
  expect(await sonde.ask("continue")).toMatchObject({ state: "exited", exitCode: 3 });
});

test("no room for a trace: said as that, and nothing is left of it", async () => {
  const sonde = createSonde();
  sonde.write("app.js", "for (let i = 0; i < 3000; i++) {\n  i * 2;\n}\n");
  // In blocks of 512 bytes: enough for all but the trace.
  const daemon = sonde.program("/bin/sh", ["-c", 'ulimit -f 800; exec "$0" daemon run', binary()]);
  await once(daemon.stderr as NodeJS.ReadableStream, "data").catch(() => {});
  expect(await daemonPid(sonde)).toBe(daemon.pid);
  const refused = await sonde.refusal("trace --at app.js:2 --watch i -- node app.js");
  expect(refused).toMatchObject({
    code: "REQUEST_FAILED",
    message: expect.stringMatching(/cannot be written: the file would be larger/),
  });
  expect(readdirSync(join(sonde.home, "state/traces"))).toEqual([]);
  expect(await sonde.text("trace list")).toBe("no traces\n");
});

test("a folder where the daemon's socket belongs: said as that", async () => {
  const sonde = createSonde();
  const path = join(sonde.home, "run/daemon.sock");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  expect(await sonde.refusal("start app.js")).toMatchObject({
    code: "BAD_ARGUMENT",
    message: `${path} is a folder, and a file belongs there`,
  });
});

test("too few files for Node: what to do is said, and nothing is started", async () => {
  const sonde = createSonde();
  const shell = sonde.program("/bin/sh", ["-c", 'ulimit -n 12; exec "$0" status', binary()]);
  let said = "";
  shell.stderr?.on("data", (text) => {
    said += text;
  });
  expect(await once(shell, "close")).toEqual([1, null]);
  expect(said).toBe(
    "error DAEMON_FAILED: a process of this shell may have only 12 files open, and sonde needs at least 96\nhint: raise the limit first: `ulimit -n 1024`\n",
  );
  expect(sonde.processes()).toEqual([]);
});
