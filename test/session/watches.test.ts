/** Data breakpoints: how an expression becomes something to watch, what changed at a stop, and what becomes of them later. */
import { describe, expect, test } from "vitest";
import { snapshotText } from "../../src/commands/answers/snapshot-text.ts";
import { binding } from "../../src/session/breakpoints/breakpoint.ts";
import { canWatch, setWatch } from "../../src/session/breakpoints/watches.ts";
import type { Snapshot } from "../../src/session/stack/snapshot.ts";
import { assign } from "../../src/session/values/evaluate.ts";
import type { Script, Step } from "../scripted-adapter/script.ts";
import { failsInTypedWords, typedWords } from "../support/typed-words.ts";
import { Rig } from "./rig.ts";
import { sent } from "./sent.ts";

const can = { supportsConfigurationDoneRequest: true, supportsDataBreakpoints: true };
const info = (dataId: string | null, more = {}): Step[] => [
  {
    respond: { dataId, description: "4 bytes", accessTypes: ["read", "write", "readWrite"], ...more },
  },
];
const value = (result: string): Step[] => [{ respond: { result, variablesReference: 0 } }];
const set = (...answers: object[]): Step[] => [{ respond: { breakpoints: answers } }];
const dataStop = (...hitBreakpointIds: number[]): Step[] => [
  { ack: true },
  {
    event: "stopped",
    body: { reason: "data breakpoint", threadId: 1, allThreadsStopped: true, hitBreakpointIds },
  },
];

/** Stopped at line 3; `line` is a variable of the scripted frame, and its watch has the number of the line breakpoint. */
function watching(on: Script["on"], capabilities: object = {}, children: Script = {}): Rig {
  return new Rig(
    {
      capabilities: { ...can, ...capabilities },
      on: {
        dataBreakpointInfo: info("A/4"),
        setDataBreakpoints: set({ id: 1, verified: true }),
        continue: dataStop(1),
        ...on,
      },
    },
    { children },
  );
}

const watchLine = (rig: Rig) => setWatch(rig.session, { expression: "line", access: "write" });

function headline(shot: Snapshot): string {
  const limits = { snapshotBytes: 4096, valueChars: 120, variables: 30, frames: 10, outputLines: 20 };
  return snapshotText(shot, { cwd: "/", limits, say: typedWords }).split("  ")[0] ?? "";
}

describe("what is watched", () => {
  test("a hit count goes to an adapter that can count, and is refused for one that cannot", async () => {
    const counts = watching({}, { supportsHitConditionalBreakpoints: true });
    await counts.stopped();
    const asked = { expression: "line", access: "write", hitCondition: ">=3" } as const;
    expect(await setWatch(counts.session, asked)).toMatchObject({ hitCondition: ">=3" });
    expect(sent(counts, "setDataBreakpoints")).toMatchObject([{ breakpoints: [{ hitCondition: ">=3" }] }]);

    const plain = watching({});
    await plain.stopped();
    await expect(setWatch(plain.session, asked)).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("cannot count the hits of a watch"),
    });
    expect(sent(plain, "setDataBreakpoints")).toEqual([]);
  });

  test("to ask whether it can be is no change", async () => {
    const rig = watching({});
    await rig.stopped();
    const accesses = ["read", "write", "readWrite"];
    expect(await canWatch(rig.session, "line")).toEqual({ accesses, local: true });
    expect(sent(rig, "setDataBreakpoints")).toEqual([]);
    expect(rig.session.breakpoints.list().filter(({ kind }) => kind === "data")).toEqual([]);
    const { id } = await watchLine(rig);
    expect(await canWatch(rig.session, "line")).toMatchObject({ watch: id });
  });

  test("a variable of the frame, by its container", async () => {
    const rig = watching({}, { supportsConditionalBreakpoints: true });
    await rig.stopped();
    await setWatch(rig.session, { expression: "line", access: "readWrite", condition: "line > 4" });
    expect(sent(rig, "dataBreakpointInfo")).toEqual([{ variablesReference: 1, name: "line" }]);
    expect(sent(rig, "setDataBreakpoints")).toEqual([
      { breakpoints: [{ dataId: "A/4", accessType: "readWrite", condition: "line > 4" }] },
    ]);
  });

  test("an expression, by address and size where the adapter takes them", async () => {
    const rig = watching(
      { "evaluate#1": value("(int *) 0x1000"), "evaluate#2": value("4") },
      { supportsDataBreakpointBytes: true },
    );
    await rig.stopped();
    await setWatch(rig.session, { expression: "p->x", access: "write" });
    expect(sent(rig, "evaluate")).toMatchObject([
      { expression: "&(p->x)" },
      { expression: "sizeof(p->x)" },
      { expression: "p->x" },
    ]);
    expect(sent(rig, "dataBreakpointInfo")).toEqual([{ name: "0x1000", asAddress: true, bytes: 4 }]);
    expect(sent(rig, "setDataBreakpoints")).toEqual([
      { breakpoints: [{ dataId: "A/4", accessType: "write" }] },
    ]);
  });

  test("an expression, by its text where not", async () => {
    const rig = watching({});
    await rig.stopped();
    await setWatch(rig.session, { expression: "p->x", access: "write" });
    expect(sent(rig, "dataBreakpointInfo")).toEqual([{ name: "p->x", frameId: 1 }]);
  });
});

describe("refusals leave nothing behind", () => {
  test("no data id: the adapter's words", async () => {
    const rig = watching({
      dataBreakpointInfo: [{ respond: { dataId: null, description: "in a register" } }],
    });
    await rig.stopped();
    await expect(watchLine(rig)).rejects.toMatchObject({
      code: "EVAL_FAILED",
      message: "line cannot be watched: in a register",
    });
    expect(rig.peer.commands()).not.toContain("setDataBreakpoints");
  });

  test("no conditions", async () => {
    const rig = watching({});
    await rig.stopped();
    await expect(
      setWatch(rig.session, { expression: "line", access: "write", condition: "1" }),
    ).rejects.toMatchObject({
      message: "line is not watched: this adapter does not support conditional breakpoints",
    });
    expect(rig.session.breakpoints.list()).toHaveLength(1);
  });

  test("no such access", async () => {
    const rig = watching({ dataBreakpointInfo: info("A/4", { accessTypes: ["write"] }) });
    await rig.stopped();
    await expect(setWatch(rig.session, { expression: "line", access: "read" })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      hint: "it can: write",
    });
  });

  test("no address", async () => {
    const rig = watching(
      { evaluate: [{ fail: "error: <user expression 0>:1:1: undeclared\n  1 | x\n" }] },
      { supportsDataBreakpointBytes: true },
    );
    await rig.stopped();
    await expect(setWatch(rig.session, { expression: "x", access: "write" })).rejects.toMatchObject({
      code: "EVAL_FAILED",
      message: "x: undeclared",
    });
  });

  test("no hardware left: lldb-dap takes it from the first, which gets it back", async () => {
    const rig = watching({
      "dataBreakpointInfo#2": info("B/4"),
      "setDataBreakpoints#2": set({ verified: false, message: "no more" }, { id: 2, verified: true }),
    });
    await rig.stopped();
    const first = await watchLine(rig);
    await expect(
      failsInTypedWords(setWatch(rig.session, { expression: "other", access: "write" })),
    ).rejects.toMatchObject({
      code: "REQUEST_FAILED",
      message: "other is not watched: no more",
      hint: expect.stringContaining("sonde watch remove 2"),
    });
    expect(rig.session.breakpoints.list().map((one) => one.id)).toEqual([1, first.id]);
    expect(sent(rig, "setDataBreakpoints").at(-1)).toEqual({
      breakpoints: [{ dataId: "A/4", accessType: "write" }],
    });
    expect(binding(first)?.verified).toBe(true);
  });

  test("a part that cannot be done has its own hint, also where other places are watched", async () => {
    const rig = watching(
      {
        "dataBreakpointInfo#2": info("B/4"),
        "dataBreakpointInfo#3": info("B/4"),
        "setDataBreakpoints#2": set(
          { id: 1, verified: true },
          { verified: false, message: "counts only as 5", refusedPart: "hitCondition" },
        ),
      },
      { supportsHitConditionalBreakpoints: true },
    );
    await rig.stopped();
    await watchLine(rig);
    const asked = { expression: "other", access: "write" } as const;
    await expect(
      failsInTypedWords(setWatch(rig.session, { ...asked, hitCondition: "%2" })),
    ).rejects.toMatchObject({
      message: "other is not watched: counts only as 5",
      hint: "try another count, or a condition: `sonde watch --condition <condition> <expression>`",
    });
    await expect(
      failsInTypedWords(setWatch(rig.session, { ...asked, condition: "1" })),
    ).rejects.toMatchObject({
      message: "other is not watched: this adapter does not support conditional breakpoints",
      hint: "without a condition: `sonde watch other`",
    });
  });

  test("the same place twice", async () => {
    const rig = watching({});
    await rig.stopped();
    await watchLine(rig);
    await expect(setWatch(rig.session, { expression: "alias", access: "write" })).rejects.toMatchObject({
      message: "watch 2 (line) already watches that place",
    });
  });
});

describe("a stop", () => {
  test("tells the value before and now, at every look, and counts the watch alone", async () => {
    const rig = watching({ "evaluate#1": value("3"), "evaluate#2": value("7") });
    await rig.stopped();
    await watchLine(rig);
    await rig.continue();
    for (const shot of [await rig.look(), await rig.look()]) {
      expect(shot.watches).toEqual([{ id: 2, expression: "line", access: "write", old: "3", new: "7" }]);
      expect(shot.breakpoints).toEqual([{ id: 2, hit: 1, at: "line", kind: "data" }]);
      expect(headline(shot)).toBe("stopped: watch 2 line changed 3 → 7 (hit 1)");
    }
    expect(rig.session.breakpoints.find(1)?.hits).toBe(1);
  });

  test("at the line breakpoint of the same number is not the watch's", async () => {
    const stop = { reason: "breakpoint", threadId: 1, hitBreakpointIds: [1] };
    const rig = watching({ continue: [{ ack: true }, { event: "stopped", body: stop }] });
    await rig.stopped();
    await watchLine(rig);
    await rig.continue();
    expect((await rig.look()).breakpoints).toEqual([{ id: 1, hit: 2, at: "program.txt:3" }]);
  });

  test("that names no watch belongs to the one that changed", async () => {
    const rig = watching({
      continue: dataStop(),
      "dataBreakpointInfo#2": info("B/4"),
      setDataBreakpoints: set({ verified: true }, { verified: true }),
      "evaluate#1": value("1"),
      "evaluate#2": value("1"),
      "evaluate#3": value("1"),
      "evaluate#4": value("2"),
    });
    await rig.stopped();
    await watchLine(rig);
    await setWatch(rig.session, { expression: "other", access: "write" });
    await rig.continue();
    expect(headline(await rig.look())).toBe("stopped: watch 3 other changed 1 → 2 (hit 1)");
  });

  test("after our own change starts from what we made it", async () => {
    const rig = watching(
      {
        setVariable: [{ respond: { value: "9" } }],
        "evaluate#1": value("3"),
        evaluate: value("9"),
      },
      { supportsSetVariable: true },
    );
    await rig.stopped();
    await setWatch(rig.session, { expression: "line", access: "readWrite" });
    await assign(rig.session, "line", "9", { chars: 100 });
    await rig.continue();
    expect(headline(await rig.look())).toBe("stopped: watch 2 line read or written: 9 (hit 1)");
  });

  test("where the expression has no value says so", async () => {
    const rig = watching({ "evaluate#1": value("3"), evaluate: [{ fail: "unknown" }] });
    await rig.stopped();
    await setWatch(rig.session, { expression: "p->x", access: "write" });
    await rig.continue();
    expect(headline(await rig.look())).toBe("stopped: watch 2 p->x (was 3): out of scope here (hit 1)");
  });
});

describe("the end of", () => {
  test("its frame takes a local's watch along, told once", async () => {
    const other = { id: 1, name: "caller", line: 9, column: 1 };
    const rig = watching({ "stackTrace#2": [{ respond: { stackFrames: [other], totalFrames: 1 } }] });
    await rig.stopped();
    const watch = await watchLine(rig);
    await rig.continue();
    const shot = await rig.look();
    expect(headline(shot)).toBe("stopped: watch 2 line (was line): out of scope (hit 1)");
    expect(shot.notes.map(String)).toEqual([
      expect.stringContaining("main has returned, so line no longer exists"),
    ]);
    expect(sent(rig, "setDataBreakpoints").at(-1)).toEqual({ breakpoints: [] });
    expect(binding(watch)).toMatchObject({ verified: false });
    expect((await rig.look()).notes).toEqual([]);
  });

  test("the run: a local's is let go, a global's found again, one the adapter vouches for sent at once", async () => {
    const rig = watching(
      {
        "dataBreakpointInfo#2": info("G/4"),
        "dataBreakpointInfo#3": info("K/4", { canPersist: true }),
        setDataBreakpoints: set({ verified: true }, { verified: true }, { verified: true }),
      },
      {},
      {
        capabilities: can,
        on: { dataBreakpointInfo: info("H/4") },
      },
    );
    await rig.stopped();
    await watchLine(rig);
    await setWatch(rig.session, { expression: "table->size", access: "write" });
    await setWatch(rig.session, { expression: "kept", access: "read" });
    await rig.session.restart();
    const shot = await rig.stop();
    const kept = { dataId: "K/4", accessType: "read" };
    expect(sent(rig, "setDataBreakpoints", 1)).toEqual([
      { breakpoints: [kept] },
      { breakpoints: [{ dataId: "H/4", accessType: "write" }, kept] },
    ]);
    expect(shot.notes.map((note) => (typeof note === "string" ? note : String(note.lasting)))).toEqual([
      "watch 2 line is not bound: its address was from the run that ended",
      "watch 3 table->size is active again from here: its address is known only once the program runs",
    ]);
    const again = await watchLine(rig).catch((error: unknown) => error);
    expect(again).toMatchObject({ message: expect.stringContaining("already watches that place") });
  });

  test("the run: one that went on tells its changes there", async () => {
    const rig = watching(
      { dataBreakpointInfo: info("K/4", { canPersist: true }) },
      {},
      {
        capabilities: can,
        on: {
          setDataBreakpoints: set({ id: 4, verified: true }),
          continue: dataStop(4),
          "evaluate#1": value("1"),
          "evaluate#2": value("2"),
        },
      },
    );
    await rig.stopped();
    await setWatch(rig.session, { expression: "kept", access: "write" });
    await rig.session.restart();
    await rig.stop();
    await rig.continue();
    expect(headline(await rig.look())).toBe("stopped: watch 2 kept changed 1 → 2 (hit 1)");
  });

  test("the run: one that cannot be set in the next is among those not bound", async () => {
    const rig = watching(
      {},
      {},
      {
        capabilities: can,
        on: {
          dataBreakpointInfo: info("H/4"),
          setDataBreakpoints: set({ verified: false, message: "no more" }),
        },
      },
    );
    await rig.stopped();
    await setWatch(rig.session, { expression: "table->size", access: "write" });
    await rig.session.restart();
    const shot = await rig.stop();
    expect(shot.notes).toEqual([]);
    expect(shot.unbound).toEqual([{ id: 2, at: "table->size", why: "no more", kind: "data" }]);
  });

  test("the run: set again, it keeps its number", async () => {
    const rig = watching({}, {}, { capabilities: can, on: { dataBreakpointInfo: info("H/4") } });
    await rig.stopped();
    await watchLine(rig);
    await rig.session.restart();
    await rig.stop();
    expect(await watchLine(rig)).toMatchObject({ id: 2 });
    expect(rig.session.breakpoints.list().map((one) => binding(one)?.verified)).toEqual([true, true]);
  });
});
