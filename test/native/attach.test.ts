/** Attached processes outlive whatever dies around them. */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printed } from "../contract/rig.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { at, cFolder, compile, inC, LLDB, stops, traced } from "./rig.ts";

async function idle(sonde: Sonde): Promise<ChildProcess> {
  const program = sonde.program(join(cFolder, "idle"), []);
  await printed(program.stdout, "ready");
  return program;
}

async function attached(sonde: Sonde, program: ChildProcess, stoppedAtOnce: boolean): Promise<void> {
  const words = ["attach", String(program.pid), ...LLDB];
  if (stoppedAtOnce) await stops(sonde, [...words, "--break", at("idle", "tick")]);
  else await sonde.ask([...words, "--no-wait"]);
}

function processOf(sonde: Sonde, name: RegExp): number {
  const found = sonde.processes().find(({ command }) => name.test(command));
  if (!found)
    throw new Error(
      `no ${name} among ${sonde
        .processes()
        .map(({ command }) => command)
        .join("\n")}`,
    );
  return found.pid;
}

async function runsUntraced(program: ChildProcess): Promise<void> {
  await expect.poll(() => traced(program.pid), { timeout: 5000 }).toMatchObject({ tracer: 0 });
  // Past several ticks, at which a breakpoint left in its code would kill it.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(traced(program.pid)).toMatchObject({ state: expect.stringMatching(/[RS]/), tracer: 0 });
}

test("attached to, left and attached to again", async () => {
  const sonde = inC();
  const program = await idle(sonde);
  for (let round = 0; round < 2; round++) {
    await attached(sonde, program, true);
    await sonde.ask("detach");
    await runsUntraced(program);
  }
});

for (const where of ["stopped", "running"]) {
  test(`lldb-dap is killed while the process is ${where}`, async () => {
    const sonde = inC();
    const program = await idle(sonde);
    await attached(sonde, program, where === "stopped");
    process.kill(processOf(sonde, /lldb-dap/), "SIGKILL");
    await runsUntraced(program);
    expect(await sonde.text("status")).toMatch(/killed by SIGKILL/);
  });

  test(`the daemon is killed while the process is ${where}`, async () => {
    const sonde = inC();
    const program = await idle(sonde);
    await attached(sonde, program, where === "stopped");
    process.kill(processOf(sonde, /daemon\.cjs/), "SIGKILL");
    await runsUntraced(program);
  });

  test(`a launched program does not outlive lldb-dap, killed while it is ${where}`, async () => {
    const sonde = inC();
    if (where === "stopped") await stops(sonde, ["start", "idle", ...LLDB, "--break", at("idle", "tick")]);
    else await sonde.ask(["start", "idle", ...LLDB, "--no-wait"]);
    process.kill(processOf(sonde, /lldb-dap/), "SIGKILL");
    await expect.poll(() => sonde.processes().length, { timeout: 5000 }).toBe(2);
    expect(await sonde.text("status")).toMatch(/killed by SIGKILL/);
  });

  test(`the program itself is killed while it is ${where}`, async () => {
    const sonde = inC();
    const program = await idle(sonde);
    await attached(sonde, program, where === "stopped");
    program.kill("SIGKILL");
    await expect.poll(() => sonde.text("status"), { timeout: 5000 }).toMatch(/SIGKILL|ended/);
  });
}

for (const victim of ["LLDB's server", "the relay"]) {
  test(`${victim} is killed while the process runs: its breakpoints are taken out of the code`, async () => {
    const sonde = inC();
    const program = sonde.program(join(cFolder, "stdin"), []);
    await sonde.ask(["attach", String(program.pid), ...LLDB, "--break", at("stdin", "take"), "--no-wait"]);
    const { tracer = 0 } = traced(program.pid) ?? {};
    process.kill(victim === "the relay" ? processOf(sonde, /lldb.relay/) : tracer, "SIGKILL");
    await expect
      .poll(() => sonde.text("status"), { timeout: 5000 })
      .toMatch(/LLDB lost .*process \d+, which keeps running/);
    await expect.poll(() => traced(program.pid), { timeout: 5000 }).toMatchObject({ tracer: 0 });
    const answered = printed(program.stdout, "got 5");
    program.stdin?.write("5\n");
    await answered;
  });

  test(`${victim} is killed while the process stands at a breakpoint: it runs on`, async () => {
    const sonde = inC();
    const program = await idle(sonde);
    await attached(sonde, program, true);
    await stops(sonde, "continue");
    const { tracer = 0 } = traced(program.pid) ?? {};
    process.kill(victim === "the relay" ? processOf(sonde, /lldb.relay/) : tracer, "SIGKILL");
    await runsUntraced(program);
    await expect
      .poll(() => sonde.text("status"), { timeout: 5000 })
      .toMatch(/LLDB lost .*process \d+, which keeps running/);
  });
}

const FORKS = `#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int count = 0;
static void tick(void) {
  count += 1;
}
int main(void) {
  puts("ready");
  fflush(stdout);
  for (int round = 0; round < 1200; round++) {
    pid_t child = fork();
    if (child == 0) {
      tick();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) return 1;
    tick();
    usleep(50 * 1000);
  }
  return 0;
}
`;

test("a process that forks keeps its breakpoints, and its children have none", async () => {
  const sonde = borrowSonde();
  const program = sonde.program(join(sonde.project, compile(sonde, "forks.c", FORKS)), []);
  await printed(program.stdout, "ready");
  const words = ["attach", String(program.pid), ...LLDB, "--break", "forks.c:6"];
  expect(await stops(sonde, words)).toMatchObject({ breakpoints: [{ hit: 1 }] });
  for (const hit of [2, 3]) expect(await stops(sonde, "continue")).toMatchObject({ breakpoints: [{ hit }] });
  await sonde.ask("detach");
  await runsUntraced(program);
});

test("a process that has a debugger is refused, with its name", async () => {
  const sonde = inC();
  const program = await idle(sonde);
  await attached(sonde, program, true);
  expect(await sonde.refusal(["attach", String(program.pid), ...LLDB, "--name", "second"])).toMatchObject({
    code: "ATTACH_FAILED",
    message: expect.stringContaining("traced by process"),
  });
});

test("a launched program that is detached from runs on", async () => {
  const sonde = inC();
  await stops(sonde, ["start", "idle", ...LLDB, "--break", at("idle", "tick")]);
  const pid = processOf(sonde, /\/idle$/);
  const began = performance.now();
  await sonde.ask("detach");
  expect(performance.now() - began).toBeLessThan(1900);
  expect(traced(pid)).toMatchObject({ state: expect.stringMatching(/[RS]/), tracer: 0 });
  process.kill(pid, "SIGKILL");
});
