/** kill -9 of the client at any moment: no wedge, no orphan, and the session is as usable as it was. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { at, nothingLeft, sessions, startStopped } from "./world.ts";

/** The same moments in every run, spread over the life of a command. */
function moments(count: number, longestMs: number): number[] {
  let state = 20_240_229;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state / 2 ** 31) * longestMs;
  });
}

async function killAfter(sonde: Sonde, args: string[], ms: number): Promise<void> {
  const client = sonde.spawn(args);
  for (const stream of [client.stdin, client.stdout, client.stderr]) stream?.on("error", () => {}).destroy();
  const exit = once(client, "exit");
  await delay(ms); // the moment is the fault, not a wait for something
  client.kill("SIGKILL");
  await exit;
}

test("during start, 30 times: a whole session or none, and `stop` leaves nothing", async () => {
  const sonde = createSonde();
  sonde.fixture("js/idle.js");
  await sonde.run("status"); // the daemon is up
  const where = at(sonde, "idle.js", "tick");
  for (const ms of moments(30, 400)) {
    await killAfter(sonde, ["start", "idle.js", "--break", where], ms);
    const [session, ...others] = await sessions(sonde);
    expect(others).toEqual([]);
    if (session) {
      expect(["initializing", "configuring", "running", "stopped"]).toContain(session.state);
      await sonde.ask("stop --all");
    }
    // A launch that was under way when its caller went is undone without anyone asking.
    await expect.poll(async () => (await sessions(sonde)).length).toBe(0);
    await nothingLeft(sonde);
  }
}, 180_000);

test("during the very first command, which starts the daemon", async () => {
  for (const ms of moments(6, 600)) {
    const sonde = createSonde();
    sonde.fixture("js/idle.js");
    await killAfter(sonde, ["start", "idle.js"], ms);
    await sonde.ask("status");
    await sonde.ask("stop --all");
    await nothingLeft(sonde);
  }
}, 120_000);

test("during continue and await, 30 times: the program goes on, the session answers", async () => {
  const sonde = createSonde();
  await startStopped(sonde, "idle.js", "tick");
  await sonde.ask("breakpoint disable 1");
  for (const [index, ms] of moments(30, 150).entries()) {
    await killAfter(sonde, [index % 2 === 0 ? "continue" : "await", "--timeout", "60"], ms);
    const [session] = await sessions(sonde);
    expect(["running", "stopped"]).toContain(session?.state);
    if (index % 5 === 4) {
      expect(await sonde.ask<MoveResult>("pause")).toMatchObject({ state: "stopped" });
      expect(await sonde.ask<{ value: string }>(["print", "1 + 1"])).toMatchObject({ value: "2" });
    }
  }
  await sonde.ask("stop");
  await nothingLeft(sonde);
}, 120_000);

test("during `output --follow` and `input --file -`", async () => {
  const sonde = createSonde();
  sonde.fixture("js/stdin.js");
  await sonde.ask("start stdin.js --no-wait");
  for (const ms of moments(6, 100)) {
    await killAfter(sonde, ["output", "--follow"], ms);
    await killAfter(sonde, ["input", "--file", "-"], ms);
  }
  await sonde.ask("input 7 --eof");
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ state: "exited", exitCode: 0 });
  expect(await sonde.text("output")).toContain("got 7");
});
