/** The opening, in every order that adapters have been seen to take, and every way it fails. */
import { describe, expect, test } from "vitest";
import { type Script, scripts } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";

describe("orders", () => {
  test.each([
    ["wellBehaved", scripts.wellBehaved],
    ["slowInitialize", scripts.slowInitialize],
    ["lateInitialized", scripts.lateInitialized],
    ["initializedBeforeLaunch", scripts.initializedBeforeLaunch],
    ["initializedBeforeInitializeResponse", scripts.initializedBeforeInitializeResponse],
    ["launchAnsweredAfterConfigurationDone", scripts.launchAnsweredAfterConfigurationDone],
    ["stoppedDuringConfigurationDone", scripts.stoppedDuringConfigurationDone],
    ["floodsStderr", scripts.floodsStderr],
    ["unknownReverseRequest", scripts.unknownReverseRequest],
    ["runsInTerminal", scripts.runsInTerminal],
  ] satisfies [string, Script][])(
    "%s: breakpoints go out between the two, and the first stop is seen",
    async (_name, script) => {
      const rig = new Rig(script);
      await rig.open(3);
      const shot = await rig.stop();
      expect(shot).toMatchObject({ reason: "breakpoint", thread: { name: "main" } });
      const commands = rig.peer.commands();
      const order = ["initialize", "launch", "setBreakpoints", "configurationDone"];
      expect(commands.filter((one) => order.includes(one))).toEqual(order);
    },
  );

  test("a reverse request we do not know is refused, in the protocol's form", async () => {
    const rig = new Rig(scripts.unknownReverseRequest);
    await rig.open(3);
    await rig.stop();
    expect(rig.peer.received()).toContainEqual(
      expect.objectContaining({ type: "response", command: "makeCoffee", success: false }),
    );
  });

  test("configurationDone is not sent to an adapter that does not know it", async () => {
    const rig = new Rig({
      capabilities: {},
      on: { launch: [{ default: true }, { event: "stopped", body: { reason: "entry", threadId: 1 } }] },
    });
    await rig.open();
    expect(await rig.next()).toMatchObject({ kind: "stopped", stop: { reason: "entry" } });
    expect(rig.peer.commands()).not.toContain("configurationDone");
  });

  test("a program that the adapter asks us to run has pipes of ours, and ends with the session", async () => {
    const script = "read line; echo got $line; echo to stderr >&2; exec sleep 100";
    const rig = new Rig({
      on: {
        configurationDone: [
          { ack: true },
          {
            request: "runInTerminal",
            arguments: { cwd: "/", args: ["/bin/sh", "-c", script], env: { NOT_THERE: null } },
          },
        ],
      },
    });
    await rig.open();
    await expect.poll(() => rig.session.main?.stdin).toBeDefined();
    await rig.session.main?.stdin?.write(Buffer.from("it\n"));
    await expect
      .poll(() => rig.session.output.read().events.map(({ category, text }) => [category, text]))
      .toEqual(
        expect.arrayContaining([
          ["stdout", "got it\n"],
          ["stderr", "to stderr\n"],
        ]),
      );
    const [program] = rig.session.launch.processes.list().filter(({ role }) => role === "program");
    await rig.session.launch.end();
    expect(() => process.kill(program?.pid ?? 0, 0)).toThrow("ESRCH");
  });
});

describe("failures", () => {
  test.each([
    ["launchFailsAtOnce", scripts.launchFailsAtOnce, "LAUNCH_FAILED", /could not build: syntax error/],
    [
      "launchFailsAfterConfigurationDone",
      scripts.launchFailsAfterConfigurationDone,
      "LAUNCH_FAILED",
      /^'\/no\/such\/program' does not exist$/,
    ],
    [
      "crashAtInitialize",
      scripts.crashAtInitialize,
      "ADAPTER_FAILED",
      /exited with code 127[\s\S]*cannot open shared object/,
    ],
    ["crashAtLaunch", scripts.crashAtLaunch, "ADAPTER_FAILED", /exited with code 2[\s\S]*panic: out of luck/],
    [
      "exit after the launch was answered",
      { on: { launch: [{ ack: true }, { stderr: "gone too soon\n" }, { exit: 4 }] } },
      "ADAPTER_FAILED",
      /exited with code 4[\s\S]*gone too soon/,
    ],
    [
      "exit at configurationDone",
      { on: { configurationDone: [{ stderr: "no such thing\n" }, { exit: 5 }] } },
      "ADAPTER_FAILED",
      /exited with code 5[\s\S]*no such thing/,
    ],
    [
      "terminated in place of initialized",
      { on: { launch: [{ ack: true }, { event: "terminated" }] } },
      "LAUNCH_FAILED",
      /ended before it could be debugged/,
    ],
    [
      "not DAP at all",
      { start: [{ bytes: "usage: adapter [--help]\n" }] },
      "ADAPTER_FAILED",
      /not DAP[\s\S]*usage: adapter/,
    ],
  ] satisfies [string, Script, string, RegExp][])("%s", async (_name, script, code, message) => {
    const rig = new Rig(script);
    await expect(rig.open(3)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(rig.session.stateName).toBe("terminated");
    expect(rig.session.launch.processes.list()).toEqual([]);
  });

  test.each([
    ["initialize", scripts.silentFromTheStart, { initializeMs: 300 }],
    ["launch", { on: { launch: [{ silence: true }] } }, { launchMs: 300 }],
    ["initialized", scripts.neverInitialized, { launchMs: 300 }],
    ["setBreakpoints", { on: { setBreakpoints: [{ silence: true }] } }, { requestMs: 300 }],
    ["configurationDone", { on: { configurationDone: [{ silence: true }] } }, { requestMs: 300 }],
  ] satisfies [string, Script, object][])(
    "silence at %s is a TIMEOUT that names it",
    async (phase, script, timeouts) => {
      const rig = new Rig(script, { timeouts });
      await expect(rig.open(3)).rejects.toMatchObject({
        code: "TIMEOUT",
        message: expect.stringContaining(`"${phase}"`),
      });
      expect(rig.session.launch.processes.list()).toEqual([]);
    },
  );

  test.each([
    ["initialize", scripts.silentFromTheStart],
    ["launch", { on: { launch: [{ silence: true }] } }],
    ["initialized", scripts.neverInitialized],
    ["configurationDone", { on: { configurationDone: [{ silence: true }] } }],
  ] satisfies [string, Script][])("a cancel during %s ends it at once", async (_phase, script) => {
    const rig = new Rig(script, { timeouts: { initializeMs: 60_000, launchMs: 60_000, requestMs: 60_000 } });
    const cancel = new AbortController();
    const opening = rig.session.open(cancel.signal);
    await expect
      .poll(() => rig.peers[0]?.commands() ?? [])
      .toContain(_phase === "initialized" ? "launch" : _phase);
    cancel.abort();
    await expect(opening).rejects.toMatchObject({ code: "CANCELLED" });
    expect(rig.session.launch.processes.list()).toEqual([]);
  });

  test.each(["while the adapter is being started", "while it is waited for"])(
    "an end %s ends the opening",
    async (when) => {
      const rig = new Rig(scripts.neverInitialized);
      const failed = expect(rig.open(3)).rejects.toMatchObject({
        code: expect.stringMatching(/ENDED|FAILED/),
      });
      if (when.includes("waited")) await expect.poll(() => rig.peers[0]?.commands()).toContain("launch");
      await rig.session.launch.end();
      await failed;
      expect(rig.session.launch.processes.list()).toEqual([]);
    },
  );

  test("a program that ends during configurationDone has ended, not failed", async () => {
    const rig = new Rig({
      on: {
        configurationDone: [
          { event: "exited", body: { exitCode: 3 } },
          { event: "terminated" },
          { ack: true },
        ],
      },
    });
    await rig.open(3);
    expect(await rig.next()).toMatchObject({ kind: "ended", ending: { how: "exited", exitCode: 3 } });
  });
});
