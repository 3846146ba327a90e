/** Whether a process is over, as its file in /proc and its memory tell: the same as what `ps` says of it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Pulse } from "../../src/session/processes/died.ts";

const started: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The first line that it prints. */
function begun(command: string, args: string[] = []): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  return new Promise((done) => child.stdout.once("data", (chunk) => done(String(chunk).trim())));
}

function stateOf(pid: number): string {
  return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim();
}

test("one that lives, until it is killed and reaped", async () => {
  const pid = Number(await begun("sh", ["-c", "echo $$; exec sleep 60"]));
  const pulse = new Pulse(pid);
  expect(pulse.hasDied()).toBe(false);
  process.kill(pid, "SIGSTOP");
  expect(pulse.hasDied()).toBe(false);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => pulse.hasDied()).toBe(true);
  pulse.close();
});

test("a zombie is over, though its parent has not noticed", async () => {
  // The shell becomes a program that never waits for its child.
  const pid = Number(await begun("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]));
  const parent = started.at(-1)?.pid;
  await expect.poll(() => readFileSync(`/proc/${parent}/comm`, "utf8").trim()).toBe("sleep");
  const pulse = new Pulse(pid);
  expect(pulse.hasDied()).toBe(false);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => stateOf(pid)).toMatch(/^Z/);
  expect(pulse.hasDied()).toBe(true);
  expect(new Pulse(pid).hasDied()).toBe(true);
  pulse.close();
});

const LEFT = `#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *stay(void *none) { sleep(60); return none; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stay, 0);
  printf("%d\\n", getpid());
  fflush(stdout);
  pthread_exit(0);
}
`;

test("a program whose main thread has left it to another lives", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sonde-died-"));
  folders.push(folder);
  writeFileSync(join(folder, "left.c"), LEFT);
  execFileSync("cc", ["-o", join(folder, "left"), join(folder, "left.c"), "-lpthread"]);
  const pid = Number(await begun(join(folder, "left")));
  const pulse = new Pulse(pid);
  await expect.poll(() => stateOf(pid)).toMatch(/^Z/);
  expect(pulse.hasDied()).toBe(false);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => pulse.hasDied()).toBe(true);
  pulse.close();
});
