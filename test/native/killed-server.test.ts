/** kill -9 of LLDB's server before the program runs: LLDB would wait for it half a minute, and we say at once what has happened. */
import { expect, test } from "vitest";
import { isAlive, nothingLeft, PATIENCE } from "../faults/world.ts";
import { builtOnce } from "../support/builds.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";

const WAITING = `#include <unistd.h>
int main(void) {
  for (;;) usleep(1000);
}
`;
const folder = () => builtOnce("waiting.c", WAITING, ["gcc", "-g", "-O0", "-o", "waiting", "waiting.c"]);

/** As soon as it is there. */
async function killServer(sonde: Sonde): Promise<void> {
  const server = () =>
    sonde.processes().find(({ command }) => /^\S*lldb-server\S* gdbserver/.test(command))?.pid;
  await expect.poll(server, { ...PATIENCE, interval: 2 }).toBeDefined();
  process.kill(server() ?? 0, "SIGKILL");
}

test("of a program that is started", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  const starting = sonde.run(["start", `${folder()}/waiting`, "--stop-on-entry", "--json"]);
  await killServer(sonde);
  const { stdout } = await starting;
  expect(stdout).toContain("LLDB lost its server");
  expect(stdout).toContain("ADAPTER_FAILED");
  await nothingLeft(sonde);
});

test("of a process that is attached to, which lives on", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  const { pid = 0 } = sonde.program(`${folder()}/waiting`, []);
  const attaching = sonde.run(["attach", String(pid), "--json"]);
  await killServer(sonde);
  const { stdout } = await attaching;
  expect(stdout).toContain("which keeps running without it");
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
  await nothingLeft(sonde);
});
