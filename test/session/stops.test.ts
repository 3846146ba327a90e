/** Stops are seen whenever they come: before the response, with it, between two commands, in the wrong order. */
import { describe, expect, test } from "vitest";
import { stepOwn } from "../../src/session/running/own-steps.ts";
import { awaitStop, pause, resume, step } from "../../src/session/running/running.ts";
import { type Script, scripts } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";
import { sent } from "./sent.ts";

const stopped = { event: "stopped", body: { reason: "step", threadId: 1, allThreadsStopped: true } };

describe("a stop that overtakes", () => {
  test.each([
    ["stoppedBeforeContinueResponse", scripts.stoppedBeforeContinueResponse],
    ["stoppedInTheChunkOfTheResponse", scripts.stoppedInTheChunkOfTheResponse],
    [
      "continued between the stop and the response",
      {
        on: {
          continue: [{ event: "continued", body: { threadId: 1 } }, stopped, { respond: {} }],
        },
      },
    ],
  ] satisfies [string, Script][])("%s: it is the outcome of the continue", async (_name, script) => {
    const rig = new Rig(script);
    await rig.stopped();
    expect(await rig.continue()).toMatchObject({ kind: "stopped", stop: { epoch: 2 } });
    await rig.look();
    expect(await rig.continue()).toMatchObject({ kind: "stopped", stop: { epoch: 3 } });
  });

  test("the response of a step", async () => {
    const rig = new Rig({ on: { next: [stopped, { ack: true }] } });
    await rig.stopped();
    const before = await step(rig.session, { kind: "next" });
    expect(await awaitStop(rig.session, { timeoutMs: 10_000 }, before)).toMatchObject({
      kind: "stopped",
      stop: { reason: "step", epoch: 2 },
    });
  });

  test("the response of configurationDone: seen once", async () => {
    const rig = new Rig(scripts.stoppedDuringConfigurationDone);
    await rig.open(3);
    expect(rig.session.stateName).toBe("stopped");
    await rig.stop();
    expect(await rig.next(0)).toEqual({ kind: "running" });
  });
});

test("a step into that stays on its line, in the frame that is shown, leaves no frame", async () => {
  const rig = new Rig({ on: { stepIn: [{ ack: true }, stopped] } });
  await rig.stopped();
  const options = { timeoutMs: 10_000 };
  const before = await stepOwn(rig.session, { kind: "stepIn" }, options);
  expect(await awaitStop(rig.session, options, before)).toMatchObject({
    kind: "stopped",
    stop: { reason: "step", epoch: 2 },
  });
  expect([sent(rig, "stepIn").length, sent(rig, "stepOut").length]).toEqual([1, 0]);
});

describe("waiting", () => {
  test("stops that are over before they can be shown do not prolong it", async () => {
    const passing = { chunk: [stopped, { event: "continued", body: { threadId: 1 } }] };
    const rounds = Array.from({ length: 80 }, () => [{ delay: 50 }, passing]).flat();
    const last = { event: "output", body: { category: "stdout", output: "the last\n" } };
    const rig = new Rig({ on: { continue: [{ respond: {} }, passing, ...rounds, last] } });
    await rig.stopped();
    await resume(rig.session);
    expect(await rig.next(300)).toEqual({ kind: "running" });
    expect(rig.session.output.read().events).toEqual([]);
  });

  test("ends in `running` when the time is up, and the later stop is kept for whoever asks next", async () => {
    const rig = new Rig({ on: { continue: [{ respond: {} }, { waitFor: "threads" }, stopped] } });
    await rig.stopped();
    await resume(rig.session);
    expect(await rig.next(50)).toEqual({ kind: "running" });
    expect(rig.session.stateName).toBe("running");
    await rig.session.focus.debuggee.client.request("threads", undefined);
    await expect.poll(() => rig.session.stateName).toBe("stopped");
    expect(await rig.next(0)).toMatchObject({ kind: "stopped", stop: { reason: "step" } });
  });

  test("ends with the caller", async () => {
    const rig = new Rig({ on: { continue: [{ respond: {} }] } });
    await rig.stopped();
    await resume(rig.session);
    const cancel = new AbortController();
    const waiting = awaitStop(rig.session, { timeoutMs: 60_000, signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
    expect(rig.session.stateName).toBe("running");
  });

  test("for longer than a timer can count is waiting, not an answer at once", async () => {
    const rig = new Rig({ on: { continue: [{ respond: {} }, { delay: 100 }, stopped] } });
    await rig.stopped();
    await resume(rig.session);
    expect(await rig.next(2 ** 40)).toMatchObject({ kind: "stopped" });
  });

  test("a pause that the adapter reports as a signal is a pause", async () => {
    const rig = new Rig({
      on: {
        continue: [{ respond: {} }],
        pause: [
          { event: "stopped", body: { reason: "exception", text: "SIGSTOP", threadId: 1 } },
          { ack: true },
        ],
      },
    });
    await rig.stopped();
    await resume(rig.session);
    expect(await pause(rig.session, { timeoutMs: 10_000 })).toMatchObject({ stop: { reason: "pause" } });
  });

  test("a refused continue leaves the program where it was, and says so", async () => {
    const rig = new Rig({ on: { continue: [{ fail: "not now" }] } });
    await rig.stopped();
    await expect(resume(rig.session)).rejects.toMatchObject({
      code: "REQUEST_FAILED",
      message: expect.stringContaining("not now"),
    });
    expect(rig.session.stateName).toBe("stopped");
    expect((await rig.look()).frame).toMatchObject({ line: 3 });
  });

  test("an adapter that is silent in mid-session costs one TIMEOUT that names the request", async () => {
    const rig = new Rig({ on: { next: [{ silence: true }] } }, { timeouts: { requestMs: 500 } });
    await rig.stopped();
    await expect(step(rig.session, { kind: "next" })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining('"next"'),
    });
  });
});
