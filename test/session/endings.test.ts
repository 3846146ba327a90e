/** How a program, an adapter and a session end, and that nothing is left of them. */
import { describe, expect, test } from "vitest";
import { resume, step } from "../../src/session/running/running.ts";
import { evaluate } from "../../src/session/values/evaluate.ts";
import { type Script, scripts } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the program ends", () => {
  test("with its exit code", async () => {
    const rig = new Rig(scripts.wellBehaved);
    await rig.stopped();
    expect(await rig.continue()).toEqual({ kind: "ended", ending: { how: "exited", exitCode: 0 } });
    expect(rig.session.stateName).toBe("terminated");
  });

  test.each([
    ["terminatedTwice", scripts.terminatedTwice, {}],
    ["exitsWithoutExitedEvent", scripts.exitsWithoutExitedEvent, {}],
    [
      "exited after terminated",
      {
        on: {
          continue: [
            { chunk: [{ respond: {} }, { event: "terminated" }, { event: "exited", body: { exitCode: 9 } }] },
          ],
        },
      },
      { exitCode: 9 },
    ],
  ] satisfies [string, Script, object][])(
    "%s: once, and the session is over",
    async (_name, script, more) => {
      const rig = new Rig(script);
      await rig.stopped();
      let endings = 0;
      rig.session.launch.onEnded.add(() => endings++);
      expect(await rig.continue()).toMatchObject({ kind: "ended", ending: { how: "terminated", ...more } });
      await rig.session.launch.end();
      expect(endings).toBe(1);
      expect(await rig.next()).toMatchObject({ kind: "ended" });
    },
  );

  test("with an exited event that has no body", async () => {
    const rig = new Rig({
      on: { continue: [{ respond: {} }, { event: "exited" }, { event: "terminated" }] },
    });
    await rig.stopped();
    expect(await rig.continue()).toMatchObject({ kind: "ended", ending: { how: "exited" } });
  });

  test("and the adapter is told to go", async () => {
    const rig = new Rig(scripts.wellBehaved);
    await rig.stopped();
    await rig.continue();
    await rig.session.launch.end();
    expect(rig.peer.commands().at(-1)).toBe("disconnect");
    expect(rig.peer.process.child.exitCode).toBe(0);
  });
});

describe("the adapter dies", () => {
  test.each([
    [
      "killedWhileStepping",
      scripts.killedWhileStepping,
      /no answer to "next": the debug adapter was killed by SIGKILL/,
    ],
    ["crashWhileStepping", scripts.crashWhileStepping, /exited with code 3[\s\S]*last words/],
    ["closesItsOutput", scripts.closesItsOutput, /closed the connection|exited with code 0/],
    ["garbageBytes", scripts.garbageBytes, /not DAP[\s\S]*Segmentation fault/],
    ["garbageFrame", scripts.garbageFrame, /not DAP[\s\S]*nope!/],
    ["hugeLength", scripts.hugeLength, /not DAP[\s\S]*over the limit/],
  ] satisfies [string, Script, RegExp][])(
    "%s: what was asked fails at once with the reason",
    async (_name, script, message) => {
      const rig = new Rig(script, { timeouts: { requestMs: 60_000 } });
      await rig.stopped();
      await expect(step(rig.session, { kind: "next" })).rejects.toMatchObject({
        code: "ADAPTER_FAILED",
        message: expect.stringMatching(message),
      });
      await rig.session.launch.end();
      expect(rig.session.ended).toMatchObject({ how: "failed", why: expect.stringMatching(/adapter/) });
      expect(rig.session.launch.processes.list()).toEqual([]);
      expect(isRunning(rig.peer.process.pid)).toBe(false);
    },
  );

  test("killedBetweenRequests: whoever waits is woken, the next question gets a true answer", async () => {
    const rig = new Rig(scripts.killedBetweenRequests);
    await rig.stopped();
    await step(rig.session, { kind: "next" });
    const ended = new Promise((resolve) => rig.session.launch.onEnded.add(resolve));
    expect(await ended).toMatchObject({ how: "failed", why: expect.stringContaining("SIGKILL") });
    expect(rig.session.stateName).toBe("terminated");
    await expect(evaluate(rig.session, "1", { context: "watch", chars: 100 })).rejects.toMatchObject({
      code: "ADAPTER_FAILED",
      message: expect.stringContaining("SIGKILL"),
    });
  });

  test("killed from outside while the program runs: the wait ends with the reason", async () => {
    const rig = new Rig({ on: { continue: [{ respond: {} }] } });
    await rig.stopped();
    await resume(rig.session);
    const waiting = rig.next();
    rig.peer.process.child.kill("SIGKILL");
    expect(await waiting).toMatchObject({
      kind: "ended",
      ending: { how: "failed", why: expect.stringContaining("SIGKILL") },
    });
  });

  test("killed after the exit was told: the exit code stands", async () => {
    const rig = new Rig({
      on: { continue: [{ respond: {} }, { event: "exited", body: { exitCode: 5 } }, { kill: "SIGKILL" }] },
    });
    await rig.stopped();
    expect(await rig.continue()).toMatchObject({ kind: "ended", ending: { how: "exited", exitCode: 5 } });
  });
});

describe("the session is ended", () => {
  test.each(["launch", "attach"] as const)(
    "after %s: an adapter that outlives its input is killed by its owner",
    async (request) => {
      const rig = new Rig(scripts.lingers, { request });
      await rig.stopped();
      expect(isRunning(rig.peer.process.pid)).toBe(true);
      await rig.session.launch.end();
      expect(isRunning(rig.peer.process.pid)).toBe(false);
      const disconnect = rig.peer.received().find((one) => "command" in one && one.command === "disconnect");
      expect(disconnect).toMatchObject({ arguments: { terminateDebuggee: request === "launch" } });
    },
  );

  test("and the adapter does not answer: it is gone all the same", async () => {
    const rig = new Rig({ ...scripts.lingers, on: { disconnect: [{ silence: true }] } });
    await rig.stopped();
    await rig.session.launch.end();
    expect(isRunning(rig.peer.process.pid)).toBe(false);
    expect(rig.logged.join()).toContain('"disconnect"');
  });

  test("many times at once: one end", async () => {
    const rig = new Rig(scripts.wellBehaved);
    await rig.stopped();
    await Promise.all([
      rig.session.launch.end(),
      rig.session.launch.end(),
      rig.session.launch.end({ detach: true }),
    ]);
    expect(rig.peer.commands().filter((one) => one === "disconnect")).toHaveLength(1);
  });

  test("and restarted: the same breakpoints, a new adapter, handles and hits from the start", async () => {
    const rig = new Rig(scripts.wellBehaved, { children: scripts.wellBehaved });
    await rig.stopped();
    await rig.session.restart();
    expect(await rig.stop()).toMatchObject({ frame: { line: 3 }, breakpoints: [{ id: 1, hit: 1 }] });
    expect(rig.peers).toHaveLength(2);
    expect(isRunning(rig.peer.process.pid)).toBe(false);
    expect(rig.session.launch.processes.list()).toHaveLength(1);
  });
});

test("ended while it restarts: nothing is launched any more", async () => {
  const rig = new Rig(scripts.wellBehaved);
  await rig.open(3);
  await rig.stop();
  const restarted = rig.session.restart();
  const [outcome] = await Promise.allSettled([restarted, rig.session.launch.end()]);
  expect(outcome).toMatchObject({ status: "rejected", reason: { code: "SESSION_ENDED" } });
  expect(rig.session.launch.processes.list()).toEqual([]);
  expect(rig.peers).toHaveLength(1);
});
