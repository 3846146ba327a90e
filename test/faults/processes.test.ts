/**
 * What is promised of the processes a launched program starts. Whatever they are (Node or not), whatever they did (left the
 * group, lost their parents, ignore SIGTERM): they end with the session. Only `detach` lets them live.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { LaunchGroup } from "../../src/session/processes/launch-group.ts";
import { killAll } from "../support/leaks.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { daemonPid, isAlive, nothingLeft, programPid, sessions } from "./world.ts";

const FOREVER = "setInterval(() => {}, 1000)";

/** How a child is started, and a word of its command line. */
const KINDS: Record<string, [code: string, word: string]> = {
  "a Node child": [`spawn(process.execPath, ["-e", "${FOREVER}; 'kind1'"])`, "kind1"],
  "a detached Node child": [
    `spawn(process.execPath, ["-e", "${FOREVER}; 'kind2'"], detached).unref()`,
    "kind2",
  ],
  "a Node child that ignores SIGTERM": [
    `spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); ${FOREVER}; 'kind3'"], detached).unref()`,
    "kind3",
  ],
  "a detached grandchild whose parent is gone": [
    `spawn(process.execPath, ["-e", ${JSON.stringify(
      `require("child_process").spawn(process.execPath, ["-e", "${FOREVER}; 'kind4'"], { detached: true, stdio: "ignore" }).unref()`,
    )}], detached).unref()`,
    "kind4",
  ],
  "a command": [`spawn("sleep", ["305"])`, "sleep 305"],
  "a detached command": [`spawn("sleep", ["306"], detached).unref()`, "sleep 306"],
  "a daemon": [
    `spawn("sh", ["-c", "setsid sh -c 'sleep 307 & sleep 308' &"], detached).unref()`,
    "sleep 307",
  ],
  "a shell that ignores signals": [
    `spawn("sh", ["-c", "trap '' TERM HUP INT; while :; do sleep 309; done"])`,
    "sleep 309",
  ],
};

async function started(sonde: Sonde, ...kinds: string[]): Promise<void> {
  const lines = kinds.map((kind) =>
    KINDS[kind]?.[0].replace("detached)", '{ detached: true, stdio: "ignore" })'),
  );
  sonde.write(
    "family.js",
    `const { spawn } = require("node:child_process");\n${lines.join(";\n")};\n${FOREVER};\n`,
  );
  await sonde.ask("start family.js --no-wait");
  for (const kind of kinds) {
    const word = KINDS[kind]?.[1] ?? "";
    await expect
      .poll(() => sonde.processes().some(({ command }) => command.includes(word)), { timeout: 15_000 })
      .toBe(true);
  }
}

describe("after `stop` nothing is left of", () => {
  test.each(Object.keys(KINDS))("%s", async (kind) => {
    const sonde = createSonde();
    await started(sonde, kind);
    await sonde.ask("stop");
    await nothingLeft(sonde);
  });

  test("all of them together, after `stop`, `restart`, `daemon stop` and the program's own end", async () => {
    const sonde = createSonde();
    await started(sonde, ...Object.keys(KINDS));
    const before = new Set(sonde.processes().map(({ pid }) => pid));
    await sonde.ask("restart --no-wait");
    const daemon = (await sonde.ask<{ daemon: { pid: number } }>("status")).daemon.pid;
    const survivors = sonde
      .processes()
      .filter(({ pid, command }) => before.has(pid) && pid !== daemon && !command.includes("sonde-guard"));
    expect(survivors).toEqual([]);
    process.kill(await programPid(sonde), "SIGKILL");
    await nothingLeft(sonde);
    await started(sonde, ...Object.keys(KINDS));
    await sonde.text("daemon stop");
    await expect.poll(() => sonde.processes(), { timeout: 15_000 }).toEqual([]);
  }, 90_000);
});

test("a program that ignores SIGTERM, running or stopped, is ended all the same", async () => {
  for (const flags of [["--no-wait"], ["--break", "stubborn.js:2"]]) {
    const sonde = createSonde();
    sonde.write(
      "stubborn.js",
      `process.on("SIGTERM", () => console.log("no"));\nsetInterval(() => {}, 10);\n`,
    );
    await sonde.ask(["start", "stubborn.js", ...flags]);
    const pid = await programPid(sonde);
    await sonde.ask("stop");
    expect(() => process.kill(pid, 0)).toThrow();
  }
});

test("a program gets to clean up on SIGTERM", async () => {
  const sonde = createSonde();
  sonde.write(
    "tidy.js",
    `process.on("SIGTERM", () => { require("node:fs").writeFileSync("tidied", "yes"); process.exit(0); });\n${FOREVER};\nconsole.log("up");\n`,
  );
  await sonde.ask("start tidy.js --no-wait");
  await expect.poll(() => sonde.text("output")).toContain("up");
  await sonde.ask("stop");
  expect(sonde.read("tidied")).toBe("yes");
});

test("`detach` of a launched program leaves it and its children running, undebugged", async () => {
  const sonde = createSonde();
  await started(sonde, "a Node child", "a detached command");
  const pid = await programPid(sonde);
  expect(await sonde.text("detach")).toContain("runs on");
  expect(await sessions(sonde)).toEqual([]);
  await sonde.text("daemon stop");
  const left = sonde.processes();
  expect(left.map(({ command }) => command).join("\n")).toMatch(/family\.js[\s\S]*kind1[\s\S]*sleep 306/);
  expect(left.map((one) => one.pid)).toContain(pid);
  killAll(left);
});

test("sessions of others are not touched", async () => {
  const sonde = createSonde();
  await started(sonde, "a detached command", "a Node child");
  sonde.fixture("js/idle.js");
  await sonde.ask("start idle.js --no-wait");
  await sonde.ask("stop -s family");
  expect(await sonde.ask<MoveResult>("pause -s idle")).toMatchObject({ state: "stopped" });
  const commands = () =>
    sonde
      .processes()
      .map(({ command }) => command)
      .join("\n");
  await expect.poll(commands).not.toMatch(/sleep 306|kind1/);
  expect(commands()).toContain("idle.js");
});

/** Nothing of the launch is left in it to know it by: no mark, no group; with `lost` no parent either. */
async function hidden(sonde: Sonde, { lost }: { lost: boolean }): Promise<number> {
  const script = "echo $$ > pid.part; mv pid.part pid; exec sleep 300";
  const command = `env -i setsid /bin/sh -c '${script}'`;
  sonde.write("hides.sh", lost ? `(${command}) &\n` : `exec ${command}\n`);
  sonde.write(
    "hides.js",
    `const child = require("node:child_process").spawn("sh", ["hides.sh"], { stdio: "ignore" });\n${FOREVER};\n`,
  );
  await sonde.ask("start hides.js --no-wait");
  const file = join(sonde.project, "pid");
  await expect.poll(() => existsSync(file), { timeout: 15_000 }).toBe(true);
  const pid = Number(readFileSync(file, "utf8"));
  onTestFinished(() => void killAll([{ pid, command: script }]));
  expect(isAlive(pid)).toBe(true);
  return pid;
}

/** Who has lost its parents can be told from a stranger only where the system has control groups for us. */
const GROUPS = LaunchGroup.create(`try-${process.pid}`)?.close() ?? false;

describe.each([false, ...(GROUPS ? [true] : [])])("a child in hiding (without its parents: %s)", (lost) => {
  test("ends with `stop`", async () => {
    const sonde = createSonde();
    const pid = await hidden(sonde, { lost });
    await sonde.ask("stop");
    expect(isAlive(pid)).toBe(false);
  });

  test("outlives a `detach`", async () => {
    const sonde = createSonde();
    const pid = await hidden(sonde, { lost });
    const program = await programPid(sonde);
    await sonde.ask("detach");
    expect([isAlive(pid), isAlive(program)]).toEqual([true, true]);
    process.kill(program, "SIGKILL");
  });

  test.runIf(GROUPS)("ends with a daemon that is killed", async () => {
    const sonde = createSonde();
    const pid = await hidden(sonde, { lost });
    process.kill(await daemonPid(sonde), "SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
  });
});
