/** Control groups and process numbers: where there are none of the first, and where the second are counted anew. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Guard } from "../../src/session/processes/guard.ts";
import { LaunchGroup, sweepGroups } from "../../src/session/processes/launch-group.ts";
import { Processes } from "../../src/session/processes/processes.ts";
import { binary, createSonde } from "../support/sonde.ts";
import { isAlive, PATIENCE, programPid } from "./world.ts";

const probe = LaunchGroup.create("try");
const PARENT = probe && join(probe.folder, "..");
const GROUPS = probe?.close() ?? false;
const MAY_UNSHARE = spawnSync("unshare", ["-mpf", "true"]).status === 0;
const timeout = 60_000;

test("a number that a program says of itself, and that is a stranger's here, is not taken", async () => {
  // A child of a child of ours: nothing makes it one of the launch's.
  const shell = spawn("sh", ["-c", "sleep 300 & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"] });
  const [line]: unknown[] = await once(shell.stdout, "data");
  const stranger = Number(String(line));
  onTestFinished(() => {
    shell.kill("SIGKILL");
    process.kill(stranger, "SIGKILL");
  });
  const processes = new Processes(new Guard());
  const ours = spawn("sleep", ["300"], { env: processes.marked({}), stdio: "ignore" });
  onTestFinished(() => void ours.kill("SIGKILL"));
  expect(processes.own(stranger, "said to be ours")).toBe(undefined);
  expect(processes.own(ours.pid ?? 0, "ours")).toBe(ours.pid);
  expect(processes.list().map(({ pid }) => pid)).toEqual([ours.pid]);
  await processes.endAll(2000);
  expect([isAlive(stranger), isAlive(ours.pid ?? 0)]).toEqual([true, false]);
});

test.runIf(MAY_UNSHARE)(
  "a program that counts processes anew is known by its number here",
  { timeout },
  async () => {
    const sonde = createSonde();
    sonde.write("app.js", "setInterval(() => {\n  globalThis.at = process.pid;\n}, 20);\n");
    const line = `${process.execPath} app.js & wait`;
    await sonde.ask([
      "start",
      "--adapter",
      "node",
      "--break",
      "app.js:2",
      "--",
      "unshare",
      "-pf",
      "sh",
      "-c",
      line,
    ]);
    const pid = await programPid(sonde);
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("app.js");
    const inside = Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]);
    expect(await sonde.ask("print process.pid")).toMatchObject({ value: String(inside) });
    expect(inside).not.toBe(pid);
    await sonde.ask("stop");
    expect(isAlive(pid)).toBe(false);
  },
);

test.runIf(GROUPS)("a group that is left while the program starts others holds none of them", async () => {
  const processes = new Processes(new Guard());
  const env = processes.marked({ PATH: process.env.PATH ?? "" });
  const child = spawn("sh", ["-c", "while :; do sleep 0.001 & wait; done"], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  processes.own(child.pid ?? 0, "the program");
  await processes.leaveAll(2000);
  expect(isAlive(child.pid ?? 0)).toBe(true);
  expect(readFileSync(`/proc/${child.pid}/cgroup`, "utf8")).not.toContain("sonde-");
  LaunchGroup.create("next")?.close();
  await expect.poll(ofOurs, PATIENCE).toEqual([]);
});

test.runIf(GROUPS)("empty groups of those who are no more are removed, of the living they stay", () => {
  const { pid: dead = 0 } = spawnSync("true");
  const left = [join(PARENT ?? "", `sonde-${dead}-left`), join(PARENT ?? "", `sonde-${process.pid}-used`)];
  for (const folder of left) mkdirSync(folder);
  onTestFinished(() => {
    for (const folder of left) if (existsSync(folder)) rmdirSync(folder);
  });
  sweepGroups();
  expect(left.map((folder) => existsSync(folder))).toEqual([false, true]);
});

function ofOurs(): string[] {
  return readdirSync(PARENT ?? "").filter((name) => name.startsWith(`sonde-${process.pid}-`));
}

/** The daemon sees no control groups, as on a machine that has none. */
test.runIf(MAY_UNSHARE)(
  "without groups a child in hiding ends with `stop`, by whose child it is",
  { timeout },
  async () => {
    const sonde = createSonde();
    const hide = "grep -o '^[^ ]* /[^ ]* cgroup2\\?' /proc/self/mounts | cut -d' ' -f2 | xargs -r umount -l";
    sonde.write(
      "hides.sh",
      "exec env -i setsid /bin/sh -c 'echo $$ > pid.part; mv pid.part pid; exec sleep 300'\n",
    );
    sonde.write(
      "hides.js",
      `require("node:child_process").spawn("sh", ["hides.sh"], { stdio: "ignore" });\nsetInterval(() => {}, 1000);\n`,
    );
    const words = ["-m", "sh", "-c", `${hide}; exec "$0" status`, binary()];
    const first = sonde.program("unshare", words); // the daemon that it starts sees what it sees
    expect(await once(first, "exit")).toEqual([0, null]);
    await sonde.ask("start hides.js --no-wait");
    const file = join(sonde.project, "pid");
    await expect.poll(() => existsSync(file), PATIENCE).toBe(true);
    const pid = Number(readFileSync(file, "utf8"));
    expect(readFileSync(`/proc/${pid}/cgroup`, "utf8")).not.toContain("sonde-");
    await sonde.ask("stop");
    expect(isAlive(pid)).toBe(false);
  },
);
