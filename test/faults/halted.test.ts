/** A program that a signal from outside has halted: that is told, and one that was found so is left so. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { printed } from "../contract/rig.ts";
import { builtFolder } from "../support/builds.ts";
import { borrowSonde } from "../support/sonde.ts";
import { PATIENCE, programPid } from "./world.ts";

const slow = { timeout: 60_000 };

function field(pid: number, name: string): string | undefined {
  return new RegExp(`^${name}:\\s+(\\w+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
}

test.each([
  ["Node", "idle.js", "console.log('ready');\nsetInterval(() => {}, 20);\n"],
  ["Python", "idle.py", "import time\nprint('ready', flush=True)\nwhile True:\n    time.sleep(0.02)\n"],
])("%s: an answer that says running says what keeps it", slow, async (_language, file, text) => {
  const sonde = borrowSonde();
  sonde.write(file, text);
  await sonde.ask(["start", file, "--no-wait"]);
  await expect.poll(() => sonde.text("output"), PATIENCE).toContain("ready");
  const pid = await programPid(sonde);
  const told = `process ${pid} is halted by a signal (SIGSTOP or similar); \`kill -CONT ${pid}\` resumes it`;
  expect(await sonde.text("status")).not.toContain("halted");
  process.kill(pid, "SIGSTOP");
  await expect.poll(() => field(pid, "State"), PATIENCE).toBe("T");
  expect(await sonde.ask<MoveResult>("await --timeout 0.1")).toMatchObject({
    state: "running",
    notes: [told],
  });
  expect(await sonde.text("status")).toContain(told);
  process.kill(pid, "SIGCONT");
  expect(await sonde.ask<MoveResult>("pause")).toMatchObject({ state: "stopped" });
  expect(await sonde.text("status")).not.toContain("halted");
});

test.each([
  ["c", "stop"],
  ["c", "detach"],
  ["go", "stop"],
] as const)("%s, found halted: `%s` leaves it halted", slow, async (language, command) => {
  const sonde = borrowSonde(builtFolder(language));
  const program = sonde.program(join(builtFolder(language), "idle"), []);
  const pid = program.pid ?? 0;
  await printed(program.stdout, "ready");
  program.kill("SIGSTOP");
  await expect.poll(() => field(pid, "State"), PATIENCE).toBe("T");
  await sonde.ask(["attach", String(pid), "--no-wait"]);
  expect(await sonde.text(command)).toContain(`process ${pid} is still halted by a signal, as it was before`);
  await expect.poll(() => field(pid, "State"), PATIENCE).toBe("T");
  expect(field(pid, "TracerPid")).toBe("0");
});

test("Python, found halted: nothing of ours can run in it, which is said at once", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("idle.py", "import time\nprint('ready', flush=True)\ntime.sleep(1000)\n");
  const program = sonde.program("python3", ["idle.py"]);
  const pid = program.pid ?? 0;
  await printed(program.stdout, "ready");
  program.kill("SIGSTOP");
  await expect.poll(() => field(pid, "State"), PATIENCE).toBe("T");
  expect(await sonde.refusal(["attach", String(pid)])).toMatchObject({
    code: "ATTACH_FAILED",
    message: `process ${pid} is halted by a signal (SIGSTOP or similar), so nothing can run in it`,
    hint: `\`kill -CONT ${pid}\` resumes it; then attach`,
  });
  expect(field(pid, "State")).toBe("T");
});

test("found halted and told to continue: it runs on", slow, async () => {
  const sonde = borrowSonde(builtFolder("c"));
  const program = sonde.program(join(builtFolder("c"), "idle"), []);
  const pid = program.pid ?? 0;
  await printed(program.stdout, "ready");
  program.kill("SIGSTOP");
  await expect.poll(() => field(pid, "State"), PATIENCE).toBe("T");
  expect(await sonde.ask(["attach", String(pid)])).toMatchObject({ state: "stopped" });
  await sonde.ask("continue --no-wait");
  expect(await sonde.text("stop")).toContain("the process runs on");
  expect(field(pid, "State")).not.toBe("T");
});
