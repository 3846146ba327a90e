/** What was asked for, what the adapter made of it, and that the answer says the difference. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { describe, expect, test } from "vitest";
import { binding } from "../../src/session/breakpoints/breakpoints.ts";
import { type Script, scripts } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";

/** The lines of each setBreakpoints so far. */
function linesSent(rig: Rig): number[][] {
  return rig.peer.received().flatMap((message) => {
    const { command, arguments: args } = message as Partial<DebugProtocol.SetBreakpointsRequest>;
    return command === "setBreakpoints" ? [(args?.breakpoints ?? []).map(({ line }) => line)] : [];
  });
}

describe("answers", () => {
  test("breakpointsVerifiedLater: bound by the time of the stop, and nothing to say", async () => {
    const rig = new Rig(scripts.breakpointsVerifiedLater);
    await rig.open(3);
    const shot = await rig.stop();
    expect(shot.unbound).toEqual([]);
    expect(shot.notes).toEqual([]);
    expect(rig.session.breakpoints.list()[0]?.bindings.get(1)).toMatchObject({ verified: true, line: 3 });
  });

  test("breakpointsMovedLater: the move is told once", async () => {
    const rig = new Rig(scripts.breakpointsMovedLater);
    await rig.open(3);
    expect((await rig.stop()).notes.map(String)).toEqual(["breakpoint 1 moved from line 3 to 5"]);
    expect((await rig.look()).notes).toEqual([]);
  });

  test("breakpointsNeverBound: named with the adapter's reason at every look", async () => {
    const rig = new Rig({
      on: {
        ...scripts.breakpointsNeverBound.on,
        configurationDone: [{ ack: true }, { event: "stopped", body: { reason: "pause", threadId: 1 } }],
      },
    });
    await rig.open(3);
    const unbound = [{ id: 1, at: "program.txt:3", why: "no code on this line" }];
    expect((await rig.stop()).unbound).toEqual(unbound);
    expect((await rig.look()).unbound).toEqual(unbound);
  });

  test.each([
    ["fewerBreakpointsThanAsked", scripts.fewerBreakpointsThanAsked],
    ["no body", { on: { setBreakpoints: [{ ack: true }] } }],
    ["a null body", { on: { setBreakpoints: [{ respond: null }] } }],
    ["a null list", { on: { setBreakpoints: [{ respond: { breakpoints: null } }] } }],
    ["null in the list", { on: { setBreakpoints: [{ respond: { breakpoints: [null] } }] } }],
  ] satisfies [string, Script][])(
    "%s: not bound, and the reason is the missing answer",
    async (_name, script) => {
      const rig = new Rig(script);
      await rig.open(3);
      expect(rig.session.breakpoints.unbound().map((one) => binding(one))).toEqual([
        { verified: false, message: "the adapter sent no result for it" },
      ]);
    },
  );

  test("one that is no longer bound is reported, one that is removed by the adapter too", async () => {
    const rig = new Rig({
      on: {
        next: [
          { ack: true },
          {
            event: "breakpoint",
            body: { reason: "changed", breakpoint: { id: 1, verified: false, message: "unloaded" } },
          },
          { event: "breakpoint", body: { reason: "removed", breakpoint: { id: 2, verified: false } } },
          { event: "breakpoint", body: { reason: "changed", breakpoint: { id: 99, verified: true } } },
          { event: "breakpoint" },
          { event: "stopped", body: { reason: "step", threadId: 1 } },
        ],
      },
    });
    await rig.open(3, 8);
    await rig.stop();
    await rig.session.focus.debuggee.client.request("next", { threadId: 1 });
    await expect.poll(() => rig.session.focus.debuggee.stop?.epoch).toBe(2);
    const shot = await rig.look();
    expect(shot.notes.map(String)).toEqual([
      "breakpoint 1 is no longer bound: unloaded",
      "breakpoint 2 is no longer bound: the adapter removed it",
    ]);
    expect(shot.unbound.map((one) => one.id)).toEqual([1, 2]);
  });
});

describe("requests", () => {
  test("a file's whole list goes out at each change, an empty one too", async () => {
    const rig = new Rig(scripts.wellBehaved);
    await rig.stopped();
    const added = await rig.session.breakpoints.add(rig.line(5));
    await rig.session.breakpoints.remove([added]);
    await rig.session.breakpoints.remove([...rig.session.breakpoints.list()]);
    expect(linesSent(rig)).toEqual([[3], [3, 5], [3], []]);
  });

  test("a refused one leaves no phantom", async () => {
    const rig = new Rig({ on: { "setBreakpoints#2": [{ fail: "no" }] } });
    await rig.stopped();
    await expect(rig.session.breakpoints.add(rig.line(7))).rejects.toMatchObject({
      message: expect.stringContaining("no"),
    });
    expect(rig.session.breakpoints.list().map(({ line }) => line)).toEqual([3]);
    expect(linesSent(rig).at(-1)).toEqual([3]);
  });

  test("two changes at once do not cross", async () => {
    const rig = new Rig({ on: { setBreakpoints: [{ delay: 50 }, { default: true }] } });
    await rig.stopped();
    await Promise.all([5, 7, 9].map((line) => rig.session.breakpoints.add(rig.line(line))));
    expect(linesSent(rig).at(-1)).toEqual([3, 5, 7, 9]);
    expect(rig.session.breakpoints.list().every((one) => binding(one)?.verified)).toBe(true);
  });

  test("what the adapter cannot do is not asked of it, and told", async () => {
    const rig = new Rig(scripts.wellBehaved);
    await rig.stopped();
    const { breakpoints } = rig.session;
    await breakpoints.add({ kind: "function", name: "main", asked: "main" });
    expect(breakpoints.unbound().map((one) => binding(one)?.message)).toEqual([
      "this adapter does not support function breakpoints",
    ]);
    const refused = [
      [{ condition: "x > 1" }, "this adapter does not support conditional breakpoints"],
      [{ hitCondition: "3" }, "this adapter does not support hit counts on breakpoints"],
      [{ logMessage: "{x}" }, "this adapter does not support log messages on breakpoints"],
    ] as const;
    for (const [details, message] of refused)
      await expect(breakpoints.add({ ...rig.line(5), ...details })).rejects.toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringContaining(message),
      });
    expect(rig.peer.commands()).not.toContain("setFunctionBreakpoints");
    expect(linesSent(rig).at(-1)).toEqual([3]);
  });

  test("a hit is counted by place when the adapter names no breakpoint", async () => {
    const rig = new Rig({
      on: {
        configurationDone: [{ ack: true }, { event: "stopped", body: { reason: "breakpoint", threadId: 1 } }],
      },
    });
    // The scripted program stands at line 1 until it is run.
    await rig.open(1);
    expect((await rig.stop()).breakpoints).toEqual([{ id: 1, hit: 1, at: "program.txt:1" }]);
    expect((await rig.look()).breakpoints).toEqual([{ id: 1, hit: 1, at: "program.txt:1" }]);
  });

  test("one for a single stop is gone after it", async () => {
    const rig = new Rig(scripts.wellBehaved);
    rig.session.breakpoints.declare({ ...rig.line(3), once: true });
    rig.session.breakpoints.declare(rig.line(9));
    await rig.session.open();
    expect((await rig.stop()).frame).toMatchObject({ line: 3 });
    await expect.poll(() => linesSent(rig)).toEqual([[3, 9], [9]]);
  });
});
